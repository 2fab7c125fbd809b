import type { EventStructure } from '../../program/events/structure.js';
import type { Guessed } from '../../program/events/guessed.js';
import type { Subject } from '../../program/program.js';
import type { Pair, Witness } from '../witness/witness.js';
import type { Construction } from './partial.js';
import type { Reading } from './reading.js';
import type { Space } from './space.js';

/** What a finished search path says: its final state, and its execution as a witness. */

/** Is no write of a location ordered behind this one? */
export const canBeLast = (made: Construction, write: number, list: readonly number[]): boolean =>
  list.every((other) => !made.before('mo', write, other));

/** The final state of an execution in which all reads, and the last write of each location that is asked for, are known. */
export const finalStateOf = (
  structure: EventStructure,
  subjects: readonly Subject[],
  { events, writes }: Space,
  made: Construction,
  reading: Reading,
): string =>
  subjects
    .map((subject) => {
      if (subject.kind === 'register') {
        return reading.value(structure.registers[subject.thread][subject.register]);
      }
      const list = writes.find(([first]) => events[first].location === subject.location);
      const last = list?.find((write) => canBeLast(made, write, list));
      return last === undefined ? '' : reading.value(events[last].value!);
    })
    .join();

/** The execution, by the ids of its events. */
export function witnessOf(space: Space, made: Construction, reading: Reading): Witness {
  const { events, reads, writes, guesses } = space;
  const id = (i: number) => events[i].id;
  const pairsOf = (order: string, members: readonly number[]): Pair[] =>
    members.flatMap((a) =>
      members.filter((b) => made.before(order, a, b)).map((b): Pair => [id(a), id(b)]),
    );
  const guessed = ({ name, pairs, classes, choices }: Guessed): Pair[] => [
    ...[...pairs, ...classes].flatMap((members) => pairsOf(name, members)),
    ...choices.flatMap(({ of, sources }) =>
      sources
        .filter((source) => made.canHave(name, of, source))
        .map((source): Pair => [id(source), id(of)]),
    ),
  ];
  return {
    choices: reading.choices(),
    reads: reads.map(({ read }) => [id(read), reading.numberRead(read)] as const),
    rf: reads.map(({ read }): Pair => [id(made.sources[read]), id(read)]),
    mo: writes.flatMap((list) => pairsOf('mo', list)),
    guessed: Object.fromEntries(guesses.map((guess) => [guess.name, guessed(guess)])),
  };
}
