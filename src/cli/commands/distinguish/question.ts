import type { Model } from '../../../model/term.js';
import { UsageError } from '../../command/usage.js';
import type { ModelInputs } from '../../inputs/models.js';
import { readModels } from '../../inputs/models.js';
import type { InputReader } from '../../inputs/reader.js';
import { openReader } from '../../inputs/reader.js';
import type { Output } from '../../outputs/plan.js';
import { runModels } from '../../results/format.js';
import type { SizeQuestion } from '../../results/share-records.js';
import type { SizeCommand } from '../../run/by-size.js';
import type { Asking, Options } from './options.js';
import { pairCommand } from './pair.js';
import { tableCommand } from './table.js';

export const PAIR_CALLS = 3;
/** Of many models some pair goes through all programs, which takes minutes for three calls. */
export const TABLE_CALLS = 2;
const MOST_CALLS = 6;

/** What is asked, and its models, those that could be read. */
interface AskedDistinction {
  readonly models: ModelInputs;
  readonly question: SizeQuestion;
  readonly reader: InputReader;
}

/** Reads the models. @throws UsageError */
export async function askDistinguish(
  given: readonly string[],
  options: Options,
): Promise<AskedDistinction> {
  const isPair = given.length === 2;
  checkOptions(options, isPair);
  const reader = await openReader(given);
  const models = readModels(given, 'smt', reader);
  if (models.items.length < given.length && models.errors.length === 0) {
    throw new UsageError(`${isPair ? '' : 'two of '}${given.join(', ')} are the same model`);
  }
  const { operations, tags, namedPairs, all, both } = options;
  const question: SizeQuestion = {
    command: 'distinguish',
    models: runModels(models),
    calls: options.calls ?? (isPair ? PAIR_CALLS : TABLE_CALLS),
    ...(operations !== undefined && { operations }),
    ...{ tags, namedPairs },
    ...(isPair && { wanted: all === true ? 'all' : both === true ? 'both' : 'first' }),
  };
  return { models, question, reader };
}

/** @throws UsageError */
function checkOptions(options: Options, isPair: boolean): void {
  if ((options.calls ?? 0) > MOST_CALLS) {
    throw new UsageError(
      `--calls: at most ${MOST_CALLS}. There are hundreds of thousands of programs of four calls, and more than anybody waits for of six`,
    );
  }
  const ofPairs = (['all', 'both', 'out'] as const).find((name) => options[name] !== undefined);
  if (!isPair && ofPairs !== undefined) {
    throw new UsageError(
      `--${ofPairs}: there are to be two models. Of more, all pairs are compared both ways`,
    );
  }
}

/** Two models, or all pairs of more. @throws UsageError */
export function distinguishCommandOf(
  models: readonly Model[],
  question: SizeQuestion,
  asking: Asking,
  outputs: readonly Output[] = [],
): SizeCommand {
  const [a, b] = models;
  return models.length === 2
    ? pairCommand([a, b], question, asking, outputs)
    : tableCommand(models, question, asking);
}
