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
export function chosenLetters(
  { letters }: Alphabet,
  names: readonly string[] | undefined,
  known: string,
): readonly Letter[] {
  if (names === undefined) return letters.filter(({ isUsual }) => isUsual);
  if (names.includes(ALL_OPERATIONS)) return letters.filter(({ isPlain }) => isPlain);
  const all = letters.map(({ name }) => name);
  for (const name of names) {
    if (all.includes(name)) continue;
    const hint = didYouMean(name, all) ?? `there is ${all.join(', ')}`;
    throw new UsageError(`--operations: ${known} to have ${name}: ${hint}`);
  }
  return letters.filter(({ name }) => names.includes(name));
}
