/**
 * Codes for the values that are no integers: `none`, and tuples. Every stage computes with these codes, so that an
 * engine has to know integers only. They are integers that no program computes otherwise, and are exact in a double.
 */

/** The code of `none`, which equals no other value. */
export const NONE = -(2 ** 50);

/** The code of the tuple without words. No file can write it: it is what remains of a message that is lost altogether. */
export const EMPTY = NONE + 1;

/** Bits of a word of a tuple. */
const BITS = 11;
export const WORD = 2 ** BITS;

/** The most words of a tuple. */
export const WORDS = 4;

/** The code of a tuple of k words is k times this number, plus its words as digits, the first of which counts least. */
export const LENGTH = 2 ** (BITS * WORDS);

/**
 * The code of a tuple. A tuple of one word is that word, which may be any integer. Undefined if the tuple has too many
 * words, or one that is not from 0 to 2047.
 */
export function tupleCode(words: readonly number[]): number | undefined {
  if (words.length === 0) return EMPTY;
  if (words.length === 1) return words[0];
  if (words.length > WORDS || words.some((w) => w < 0 || w >= WORD)) return undefined;
  return words.length * LENGTH + hashOf(words);
}

/** An injective function of up to four words from 0 to 2047. It is 0 if all of them are. */
export const hashOf = (words: readonly number[]): number =>
  words.reduceRight((sum, word) => sum * WORD + word, 0);

/** The words of the tuple with a code. A number is a tuple of itself. */
export function tupleWords(code: number): readonly number[] {
  if (code === EMPTY) return [];
  const length = Math.floor(code / LENGTH);
  if (length < 2 || length > WORDS) return [code];
  return Array.from({ length }, (_, i) => Math.floor(code / WORD ** i) % WORD);
}

/** The value with a code, as litmus files write it: `none`, `<1, 2>`, or a number. */
export function valueText(code: number): string {
  if (code === NONE) return 'none';
  const words = tupleWords(code);
  return words.length === 1 ? String(code) : `<${words.join(', ')}>`;
}

/** A value in JSON: null for `none`, a list of words for a tuple, and never a code. */
export type JsonValue = number | null | readonly number[];

export function valueJson(code: number): JsonValue {
  if (code === NONE) return null;
  const words = tupleWords(code);
  return words.length === 1 ? code : words;
}

/** The code of a value in JSON; undefined for anything that is no value. */
export function valueIn(json: unknown): number | undefined {
  if (json === null) return NONE;
  const isWord = (one: unknown): one is number => Number.isInteger(one);
  if (isWord(json)) return json;
  return Array.isArray(json) && json.length !== 1 && json.every(isWord)
    ? tupleCode(json)
    : undefined;
}

/** The code of the value that `true`, `false` or `none` stands for. */
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
