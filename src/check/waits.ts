import { guessesAmong, partnersByRank } from '../program/events/guesses.js';
import type { Event, EventStructure, Path, Wait } from '../program/events/structure.js';
import { further, isRead, isWrite } from '../program/events/structure.js';
import type { Witness } from './witness/witness.js';

/**
 * Threads that wait for ever. A program in which nothing else goes round for ever has come to its end where each thread is at its end, or waits in vain: in a
 * loop that only reads, and reads what stays in memory; or for a completion that nothing makes. Such an execution is one of the model where
 * the loop has an iteration that is repeated, and nothing is behind it: reads behind all else can be added to an execution, or left out.
 *
 * @param events all events of the execution
 * @param taken whether it takes a path
 * @returns undefined where a thread would stay for no reason
 */
export function waitsOn(
  structure: EventStructure,
  events: readonly Event[],
  taken: (path: Path) => boolean,
): readonly Wait[] | undefined {
  const waits = (structure.waits ?? []).filter(({ path, stays }) =>
    taken(further(path, stays, true)),
  );
  const isInVain = ({ repeats, events: about }: Wait): boolean =>
    repeats
      ? events.every((e) => !about.includes(e.id) || (!isWrite(e) && e.node === undefined))
      : lacksPartner(
          structure,
          structure.events.filter((e) => about.includes(e.id) || events.includes(e)),
        );
  return waits.every(isInVain) ? waits : undefined;
}

function lacksPartner(structure: EventStructure, events: readonly Event[]): boolean {
  return guessesAmong(structure, events).some(
    (guess) =>
      partnersByRank(guess, events) === undefined ||
      guess.counted.some(({ from, to }) => to.events.length > from.events.length),
  );
}

/** Do those who wait in an execution read what stays in memory? */
export function readsLast(
  structure: EventStructure,
  waits: readonly Wait[],
  { rf, mo }: Pick<Witness, 'rf' | 'mo'>,
): boolean {
  const repeated = new Set(waits.flatMap(({ repeats, events }) => (repeats ? events : [])));
  const overwritten = new Set(mo.map(([write]) => write));
  return rf.every(
    ([write, read]) =>
      !repeated.has(read) || !isRead(structure.events[read]) || !overwritten.has(write),
  );
}
