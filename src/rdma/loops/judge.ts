import { callFor, viewed } from '../instructions.js';
import type { EventStructure } from '../../program/events/structure.js';
import { INITIAL, isRead, isWrite } from '../../program/events/structure.js';
import { guessesIn } from '../../program/events/guesses.js';
import type { Model } from '../../model/term.js';
import { mapBodies } from '../../program/instructions.js';
import type { Instruction, Program } from '../../program/program.js';
import type { PerformedEvent } from '../../check/witness/performed.js';
import { structureOf } from '../../check/witness/performed.js';
import type { Verified } from '../../check/witness/verify.js';
import { verifyWitness } from '../../check/witness/verify.js';
import type { Pair, Witness } from '../../check/witness/witness.js';
import type { RunEvent, ViolatingRun } from './run.js';

/** The execution of a run, and what a model says of it. */
export interface Judged {
  readonly structure: EventStructure;
  readonly verified: Verified;
}

/**
 * A second opinion on a violating run, without the instrumentation: its trace `T(τ)` (decidability paper, Def. 4) is
 * replayed by the program and judged by a model.
 *
 * @throws Error if the program has no such execution: a mistake of this library
 */
export function judge(program: Program, run: ViolatingRun, model: Model): Judged {
  const structure = structureFor(program, run);
  const verified = verifyWitness(structure, model, witnessOf(structure, run));
  if ('wrong' in verified) throw new Error(`the run is no execution: ${verified.wrong}`);
  return { structure, verified };
}

/** The events of the run. A loop has at most as many iterations as there are events, unless it does nothing. */
function structureFor(program: Program, { events }: ViolatingRun): EventStructure {
  const performed = events.map(
    ({ thread, label, location, towards, span, reads, writes }): PerformedEvent => ({
      thread: thread ?? INITIAL,
      ...{ label, location, span, read: reads, written: writes },
      ...{ node: towards?.node, queuePair: towards?.queuePair },
    }),
  );
  const threads = program.threads.map((t) => ({ ...t, body: free(t.body) }));
  return structureOf({ ...program, threads }, performed, events.length);
}

/**
 * Removes the bounds of loops, since the run may have more iterations, and the identifiers of operations, since nothing
 * waits for them.
 */
const free = (list: readonly Instruction[]): readonly Instruction[] =>
  list.map((given) => {
    const i = viewed(given);
    switch (i.kind) {
      case 'loop': {
        const { kind, condition, body, span } = i;
        return { kind, body: free(body), span, condition };
      }
      case 'get':
      case 'put':
      case 'remote-atomic':
        return callFor({ ...i, work: undefined });
      case 'if':
      case 'choose':
        return mapBodies(i, free);
      case 'assign':
      case 'cas':
      case 'faa':
      case 'xchg':
      case 'mfence':
      case 'poll':
      case 'rfence':
      case 'wait':
      case 'assume':
        return given;
    }
  });

/** The relations that follow from the order of events: reads-from, modification order, and NIC flush order. */
function witnessOf(structure: EventStructure, run: ViolatingRun): Witness {
  const { events } = structure;
  const initial = events.filter((e) => e.thread === INITIAL);
  const order = [...initial, ...run.order.map((id) => events[id])];
  const rf: Pair[] = [];
  const mo: Pair[] = [];
  const reads: (readonly [number, number])[] = [];
  order.forEach((event, i) => {
    const before = order.slice(0, i);
    const writes = before.filter((w) => isWrite(w) && w.location === event.location);
    const last = writes.at(-1);
    if (isRead(event) && last !== undefined) rf.push([last.id, event.id]);
    if (isRead(event)) reads.push([event.id, (run.events[event.id] as Required<RunEvent>).reads]);
    if (isWrite(event)) mo.push(...writes.map((w): Pair => [w.id, event.id]));
  });
  const at = new Map(order.map((e, i) => [e.id, i]));
  const guessed = Object.fromEntries(
    guessesIn(structure).flatMap((guess) =>
      guess.pairs.length > 0
        ? [
            [
              guess.name,
              guess.pairs.map(([a, b]): Pair => (at.get(a)! < at.get(b)! ? [a, b] : [b, a])),
            ],
          ]
        : [],
    ),
  );
  return { choices: [], rf, mo, guessed, reads };
}
