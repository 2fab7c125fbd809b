import { UsageError } from '../../command/usage.js';
import { isLibrary } from '../distinguish/libraries.js';
import type { ModelInputs } from '../../inputs/models.js';
import { readModels } from '../../inputs/models.js';
import type { InputReader } from '../../inputs/reader.js';
import { openReader } from '../../inputs/reader.js';
import { runModels } from '../../results/format.js';
import type { SizeQuestion } from '../../results/share-records.js';
import type { SizeOptions } from '../by-size-options.js';

export interface Options extends SizeOptions {
  readonly of?: readonly string[];
}

export const DEFAULT_CALLS = 3;
const MOST_CALLS = 5;

/** What is asked, and its model, if it could be read. */
interface AskedSynthesis {
  readonly models: ModelInputs;
  readonly question: SizeQuestion;
  readonly reader: InputReader;
}

/** Reads the model. @param paths other files that will be read @throws UsageError */
export async function askSynthesise(
  name: string,
  { calls = DEFAULT_CALLS, operations, namedPairs }: Options,
  paths: readonly string[] = [],
): Promise<AskedSynthesis> {
  if (calls > MOST_CALLS) {
    throw new UsageError(
      `--calls: at most ${MOST_CALLS}. There are a quarter of a million programs of four calls, and millions of five`,
    );
  }
  const reader = await openReader([name, ...paths]);
  const models = readModels([name], 'smt', reader);
  if (models.items.some(isLibrary)) {
    throw new UsageError(`${name} is a library, and minimal tests are those of a model`);
  }
  const question: SizeQuestion = {
    ...{ command: 'synthesise', models: runModels(models), calls, namedPairs },
    ...(operations !== undefined && { operations }),
  };
  return { models, question, reader };
}
