import type { SessionOptions } from '../../check/session.js';
import { openSession } from '../../check/session.js';
import { instructionsOf } from '../../program/instructions.js';
import type { Instruction, Program } from '../../program/program.js';
import { useOf } from '../../program/purpose.js';
import { withoutInstructions } from '../../program/without.js';
import type { SolverFactory } from '../../solve/solver.js';
import type { Badness } from './solved.js';

/** Is an instruction there to order others, and for nothing else? */
const isOrdering = ({ instructions }: Program, i: Instruction): boolean =>
  i.kind === 'call' && useOf(instructions, i).purpose === 'orders';

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
      .filter((i) => isOrdering(program, i))
      .map((instruction) => ({ thread, instruction })),
  );
  let finished = true;
  const obstacles = ordering.filter(({ instruction }) => {
    if (performance.now() > deadline) finished = false;
    if (!finished) return false;
    const session = openSession(
      withoutInstructions(program, new Set([instruction])),
      model,
      newSolver,
      options,
    );
    if ('reason' in session) return false;
    try {
      return session.find(...(bad === undefined ? [] : [bad(session)])).kind === 'found';
    } finally {
      session.solver.dispose();
    }
  });
  return { obstacles, finished };
}
