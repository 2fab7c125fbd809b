/**
 * Values that are no numbers, as numbers: `none`, and tuples of several words. A tuple is a number of its own, beyond
 * all that a word can be, so that every engine compares tuples as it compares numbers, and nothing else need know of them.
 */

/** The value `none`: unlike every number that a program may write. */
export const NONE = Number.MIN_SAFE_INTEGER;

/** How many numbers a word of a tuple can be, from 0 on. */
export const WORD = 2 ** 11;

/** How many words a tuple can have. */
export const WORDS = 4;

/** A tuple of k words is k of these, and its words below. */
export const LENGTH = WORD ** WORDS;

/** The number that stands for a tuple of words from 0 to `WORD - 1`. A tuple of one word is that word. */
export function tupleCode(words: readonly number[]): number {
  if (words.length === 1) return words[0];
  return words.reduceRight((rest, word) => rest * WORD + word, 0) + words.length * LENGTH;
}

/** The words of the tuple that a number stands for; undefined of a plain number. */
export function tupleWords(code: number): readonly number[] | undefined {
  if (code < 2 * LENGTH) return undefined;
  const length = Math.floor(code / LENGTH);
  return Array.from({ length }, (_, i) => Math.floor(code / WORD ** i) % WORD);
}

/** A value as programs write it: a number, `none`, or `<1, 2>`. */
export function valueText(value: number): string {
  if (value === NONE) return 'none';
  const words = value >= 2 * LENGTH && value < (WORDS + 1) * LENGTH ? tupleWords(value) : undefined;
  return words === undefined ? String(value) : `<${words.join(', ')}>`;
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
