import type { Program } from '../program/program.js';
import { queuePairsOf } from '../program/queue-pairs.js';
import { StructureDraft } from '../program/events/draft.js';
import type { Constraint, Event, Path, Value, ValueId } from '../program/events/structure.js';
import type { Given } from '../program/events/use.js';
import { Use } from '../program/events/use.js';
import type { FlowUse } from '../program/flow/graph.js';

/**
 * A use of an operation as it stands in a program: its events, as they are in every call that it makes. Ids of events are their positions in the
 * list; values are over what the call was given (`choice` 0 up to `given`), the choice of an alternative (`choice` from there on), and what its events have read.
 */
export interface CallSite {
  readonly thread: number;
  readonly events: readonly Event[];
  readonly values: readonly Value[];
  /** How many values it is given by the thread. */
  readonly given: number;
  /** The value of the call, if its operation has one. */
  readonly result?: ValueId;
  /** Conditions that have to be true on their paths: the guards of alternatives. */
  readonly guards: readonly Guard[];
  /** What is divided by: there is no telling of runs in which it is 0. */
  readonly divisors: readonly Guard[];
}

/** A value that must not be 0 on a path. */
export type Guard = Pick<Constraint, 'path' | 'condition'>;

/** The events of a use of an operation in a thread. */
export function callSiteOf(program: Program, thread: number, use: FlowUse): CallSite {
  const draft = new StructureDraft(program, {
    bound: 0,
    prefixes: false,
    lastIteration: false,
    shortened: new Set(),
    limit: Infinity,
  });
  const given = use.given.map((argument): Given =>
    argument.kind === 'value' ? { kind: 'number', value: draft.table.choice() } : argument,
  );
  const guards: Guard[] = [];
  const divisors: Guard[] = [];
  const made = new Use(use.operation, given, draft, {
    node: program.threads[thread].node,
    place: (path: Path) => ({ id: draft.events.length, thread, call: 0, path, span: use.span }),
    require: (condition, path) => guards.push({ condition, path }),
    divide: (condition, path) => divisors.push({ condition, path }),
    tags: use.tags,
    about: queuePairsOf(program, thread),
  });
  const result = made.perform([]);
  return {
    thread,
    events: draft.events,
    values: draft.table.values,
    given: given.filter(({ kind }) => kind === 'number').length,
    ...(result === undefined ? {} : { result }),
    guards,
    divisors,
  };
}

/** The events of some calls, one behind the other in each thread, with ids and uses of their own. */
export function eventsOf(calls: readonly CallSite[]): readonly Event[] {
  const events: Event[] = [];
  calls.forEach((call, use) => {
    const { length: first } = events;
    for (const event of call.events) {
      const beside = event.beside?.map((id) => first + id);
      events.push({ ...event, id: first + event.id, beside, use, call: use });
    }
  });
  return events;
}
