/**
 * Values that are no integers of litmus files, as integers: those that nothing else computes. Every stage uses these, so that an
 * engine needs to know integers only. All are exact in a double.
 */

/** `none`: unlike every other value. */
export const NONE = -(2 ** 50);

/** The tuple of no words, which no file can write: what a library gives that lost all of a message. */
export const EMPTY = NONE + 1;

/** Bits of a word of a tuple. */
const BITS = 11;
export const WORD = 2 ** BITS;

/** The most words of a tuple. */
export const WORDS = 4;

/** A tuple of k words is k times this, and its words below that, the first lowest. */
export const LENGTH = 2 ** (BITS * WORDS);

/**
 * The value that stands for a tuple. A tuple of one word is that word, which may be any integer. Undefined where the tuple has too many words, or
 * a word that is not from 0 to 2047.
 */
export function tupleCode(words: readonly number[]): number | undefined {
  if (words.length === 0) return EMPTY;
  if (words.length === 1) return words[0];
  if (words.length > WORDS || words.some((w) => w < 0 || w >= WORD)) return undefined;
  return words.length * LENGTH + hashOf(words);
}

/** An injective function of up to four words from 0 to 2047 that is 0 where all are. */
export const hashOf = (words: readonly number[]): number =>
  words.reduceRight((sum, word) => sum * WORD + word, 0);

/** The words of the tuple that a value stands for; a number is a tuple of itself. */
export function tupleWords(code: number): readonly number[] {
  if (code === EMPTY) return [];
  const length = Math.floor(code / LENGTH);
  if (length < 2 || length > WORDS) return [code];
  return Array.from({ length }, (_, i) => Math.floor(code / WORD ** i) % WORD);
}

/** A value as litmus files write it: `none`, `<1, 2>`, or a number. */
export function valueText(code: number): string {
  if (code === NONE) return 'none';
  const words = tupleWords(code);
  return words.length === 1 ? String(code) : `<${words.join(', ')}>`;
}

/** A value in JSON: null for `none`, a list for a tuple. */
export type JsonValue = number | null | readonly number[];

export function valueJson(code: number): JsonValue {
  if (code === NONE) return null;
  const words = tupleWords(code);
  return words.length === 1 ? code : words;
}

/** The value that stands in JSON; undefined for what is none. */
export function valueIn(json: unknown): number | undefined {
  if (json === null) return NONE;
  const isWord = (one: unknown): one is number => Number.isInteger(one);
  if (isWord(json)) return json;
  return Array.isArray(json) && json.length !== 1 && json.every(isWord)
    ? tupleCode(json)
    : undefined;
}

/** What the words `true`, `false` and `none` are worth. */
export function constantNamed(word: string): number | undefined {
  switch (word) {
    case 'true':
      return 1;
    case 'false':
      return 0;
    case 'none':
      return NONE;
    default:
      return undefined;
  }
}
