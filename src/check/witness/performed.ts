import type { Event, EventStructure, Value, ValueId } from '../../program/events/structure.js';
import type { Program } from '../../program/program.js';

/** An event of a run, with its numbers in the place of values that are to be found. */
export type PerformedEvent = Omit<Event, 'id' | 'path' | 'reads' | 'value'> & {
  readonly read: number | undefined;
  readonly written: number | undefined;
};

/**
 * The events of a run as an event structure without choices, in which all values are known: for `verifyWitness`. Threads may have stopped anywhere.
 *
 * @param events initial writes first, then thread by thread in program order; `beside` by their places in this list
 * @param bound how often a loop without a bound of its own may have gone round
 */
export function structureOf(
  program: Program,
  events: readonly PerformedEvent[],
  bound: number,
): EventStructure {
  const values: Value[] = [];
  const constant = (value: number): ValueId => values.push({ op: 'const', value }) - 1;
  return {
    program,
    events: events.map(({ read, written, ...event }, id): Event => {
      if (read !== undefined) values.push({ op: 'read', event: id });
      return {
        ...event,
        ...{ id, path: [], reads: read !== undefined },
        value: written === undefined ? undefined : constant(written),
      };
    }),
    values,
    constraints: [],
    cuts: [],
    divisions: [],
    registers: program.threads.map(() => []),
    bound,
    choices: 0,
    prefixes: true,
  };
}
