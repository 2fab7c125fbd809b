import { didYouMean } from '../../parse/diagnostics/index.js';
import type { Alphabet, Letter } from '../../rdma/classes/alphabet.js';
import { UsageError } from '../command/usage.js';

/** Of operations: all without tags and messages. */
export const ALL_OPERATIONS = 'all';

/** What `--operations` says. */
export const OPERATIONS_TEXT = `what programs are made of, as put,put[inline],poll; \`${ALL_OPERATIONS}\`: all without tags and messages (default: those without atomics)`;

/**
 * The letters that programs are made of: those that were named, or what is usual.
 *
 * @param known who has to have them: `both models have`
 * @throws UsageError
 */
export const chosenLetters = (
  alphabet: Alphabet,
  names: readonly string[] | undefined,
  known: string,
): readonly Letter[] => chosenOfEach([alphabet], names, known)[0].letters;

/** The same for several alphabets, each of which may lack some of what is named. */
export function chosenOfEach(
  alphabets: readonly Alphabet[],
  names: readonly string[] | undefined,
  known: string,
): readonly Alphabet[] {
  const among = (isChosen: (letter: Letter) => boolean): readonly Alphabet[] =>
    alphabets.map(({ letters, marks }) => ({ letters: letters.filter(isChosen), marks }));
  if (names === undefined) return among(({ isUsual }) => isUsual);
  if (names.includes(ALL_OPERATIONS)) return among(({ isPlain }) => isPlain);
  const all = [...new Set(alphabets.flatMap(({ letters }) => letters.map(({ name }) => name)))];
  for (const name of names) {
    if (all.includes(name)) continue;
    const hint = didYouMean(name, all) ?? `there is ${all.join(', ')}`;
    throw new UsageError(`--operations: ${known} to have ${name}: ${hint}`);
  }
  return among(({ name }) => names.includes(name));
}
