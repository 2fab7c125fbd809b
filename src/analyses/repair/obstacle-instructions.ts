import type { SessionOptions } from '../../check/session.js';
import { openSession } from '../../check/session.js';
import { instructionsOf, mapInstructions } from '../../program/instructions.js';
import type { Instruction, Program } from '../../program/program.js';
import type { RdmaInstruction as View } from '../../rdma/instructions.js';
import { isUnknown, viewed } from '../../rdma/instructions.js';
import type { SolverFactory } from '../../solve/solver.js';
import type { Badness } from './solved.js';

/** The instructions that are there to order others, and do nothing else. */
const ORDERING: Readonly<Record<View['kind'], boolean>> = {
  mfence: true,
  rfence: true,
  poll: true,
  wait: true,
  assign: false,
  get: false,
  put: false,
  'remote-atomic': false,
  cas: false,
  faa: false,
  xchg: false,
  assume: false,
  if: false,
  loop: false,
  choose: false,
};

/** The same of calls that the theory of `viewed` leaves out. */
const ORDERING_CALLS: readonly string[] = ['poll', 'pollr', 'rfence', 'flush'];

const isOrdering = (i: Instruction): boolean =>
  isUnknown(i) ? ORDERING_CALLS.includes(i.operation) : ORDERING[viewed(i).kind];

/** An instruction that stands in the way of something, and the thread that it is in. */
export interface Obstacle {
  readonly thread: number;
  readonly instruction: Instruction;
}

/**
 * The fences, polls and waits without which something bad could happen. Each is tried by itself: if the program lacks it
 * and has all others, can the bad thing happen?
 *
 * @returns those that were found by the deadline, and whether all were tried
 */
export function obstacleInstructions(
  program: Program,
  { model, bad }: Badness,
  newSolver: SolverFactory,
  { deadline, ...options }: SessionOptions & { readonly deadline: number },
): { readonly obstacles: readonly Obstacle[]; readonly finished: boolean } {
  const ordering = program.threads.flatMap(({ body }, thread) =>
    [...instructionsOf(body)]
      .filter((i) => isOrdering(i))
      .map((instruction) => ({ thread, instruction })),
  );
  let finished = true;
  const obstacles = ordering.filter(({ instruction }) => {
    if (performance.now() > deadline) finished = false;
    if (!finished) return false;
    const session = openSession(without(program, instruction), model, newSolver, options);
    if ('reason' in session) return false;
    try {
      return session.find(...(bad === undefined ? [] : [bad(session)])).kind === 'found';
    } finally {
      session.solver.dispose();
    }
  });
  return { obstacles, finished };
}

function without(program: Program, removed: Instruction): Program {
  const threads = program.threads.map((t) => ({
    ...t,
    body: mapInstructions(t.body, (i) => (i === removed ? [] : undefined)),
  }));
  return { ...program, threads };
}
