import type { Model } from '../../model/term.js';
import { defaultInstructions } from '../../node/models.js';
import { didYouMean } from '../../parse/diagnostics/index.js';
import type { Alphabet, Letter } from '../../rdma/classes/alphabet.js';
import { alphabetOf } from '../../rdma/classes/alphabet.js';
import { UsageError } from '../command/usage.js';

/** Of operations: all without tags and messages. */
export const ALL_OPERATIONS = 'all';

/** What `--operations` says. */
export const OPERATIONS_TEXT = `what programs are made of, as put,put[inline],poll; \`${ALL_OPERATIONS}\`: all without tags and messages (default: those without atomics)`;

/**
 * The letters that programs are made of: those that were named, or what is usual.
 *
 * @param known who has to have them: `both models have`
 * @param models those of which it is told if only some have them
 * @throws UsageError
 */
export const chosenLetters = (
  alphabet: Alphabet,
  names: readonly string[] | undefined,
  known: string,
  models: readonly Model[] = [],
): readonly Letter[] => chosenOfEach([alphabet], names, known, models)[0].letters;

/** The same for several alphabets, each of which may lack some of what is named. */
export function chosenOfEach(
  alphabets: readonly Alphabet[],
  names: readonly string[] | undefined,
  known: string,
  models: readonly Model[],
): readonly Alphabet[] {
  const among = (isChosen: (letter: Letter) => boolean): readonly Alphabet[] =>
    alphabets.map((one) => ({ ...one, letters: one.letters.filter(isChosen) }));
  if (names === undefined) return among(({ isUsual }) => isUsual);
  if (names.includes(ALL_OPERATIONS)) return among(({ isPlain }) => isPlain);
  const all = [...new Set(alphabets.flatMap(({ letters }) => letters.map(({ name }) => name)))];
  for (const name of names) {
    if (all.includes(name)) continue;
    const hint = whoHas(name, models) ?? didYouMean(name, all) ?? `there is ${all.join(', ')}`;
    throw new UsageError(`--operations: ${known} to have ${name}: ${hint}`);
  }
  return among(({ name }) => names.includes(name));
}

/** Which of some models have what not enough of them have, or not alike; undefined: none has it. */
function whoHas(name: string, models: readonly Model[]): string | undefined {
  const having = models.filter((model) =>
    alphabetOf([model], defaultInstructions()).letters.some((one) => one.name === name),
  );
  if (having.length === 0) return undefined;
  const names = having.map((one) => one.name).join(' and ');
  return having.length === 1 ? `only ${names} has it` : `${names} declare it differently`;
}
