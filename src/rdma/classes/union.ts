import { sameHead } from '../../model/instructions/union.js';
import type { Alphabet, Letter } from './alphabet.js';
import type { Shape } from './shape.js';

/** An alphabet that has all that several alphabets have, and which of it is in each of them. */
export interface AlphabetUnion {
  readonly whole: Alphabet;
  readonly parts: readonly AlphabetPart[];
}

export interface AlphabetPart {
  /** By letter of the whole. */
  readonly letters: readonly boolean[];
  /** By tag of the whole. */
  readonly marks: readonly boolean[];
}

/**
 * The union of alphabets. Letters and tags stay in their order, so that those programs of the union that an alphabet
 * has are just its programs, in its order. (Where two alphabets have them in different orders, one order is chosen: then
 * the programs of a size may come in another order.)
 */
export function alphabetUnion(alphabets: readonly Alphabet[]): AlphabetUnion {
  const longest = [...alphabets].sort((a, b) => sizeOf(b) - sizeOf(a));
  const marks = merged(
    longest.map((one) => one.marks),
    (a, b) => a === b,
  );
  const letters = merged(
    longest.map((one) => one.letters),
    isSame,
  ).map((letter) => ({
    ...letter,
    // Who takes what a call leaves may be in some of the alphabets only.
    leaves: [
      ...new Set(
        alphabets.flatMap((one) =>
          one.letters.filter((own) => isSame(own, letter)).flatMap(({ leaves }) => leaves),
        ),
      ),
    ],
  }));
  return {
    whole: { letters, marks, hasNamedPairs: alphabets.some((one) => one.hasNamedPairs) },
    parts: alphabets.map((one) => ({
      letters: letters.map((letter) => one.letters.some((own) => isSame(own, letter))),
      marks: marks.map((mark) => one.marks.includes(mark)),
    })),
  };
}

/** Can a program of the whole be made of a part? */
export const isOf = ({ threads, locations }: Shape, { letters, marks }: AlphabetPart): boolean =>
  locations.every(({ mark }) => mark === 0 || marks[mark - 1]) &&
  threads.every(({ calls }) => calls.every(({ letter }) => letters[letter]));

const sizeOf = ({ letters, marks }: Alphabet): number => letters.length + marks.length;

/** Are calls of two letters written, and do they access places, in the same way? */
const isSame = (a: Letter, b: Letter): boolean =>
  a.name === b.name && sameHead(a.operation, b.operation, false) && headOf(a) === headOf(b);

const headOf = ({ slots, onPair, takes, gives, isShort }: Letter): string =>
  JSON.stringify([slots, onPair, takes, gives, isShort]);

/** All items of some lists, each once, behind the item that it is behind in its list. */
function merged<Item>(
  lists: readonly (readonly Item[])[],
  isEqual: (a: Item, b: Item) => boolean,
): readonly Item[] {
  const all: Item[] = [];
  for (const list of lists) {
    let at = 0;
    for (const item of list) {
      const known = all.findIndex((one) => isEqual(one, item));
      if (known < 0) all.splice(at, 0, item);
      at = (known < 0 ? at : known) + 1;
    }
  }
  return all;
}
