/** Results of a job over litmus files, as a worker gives them: blocks of a file of results. */
import { isObject, isString, list, parseJson } from '../../results/guards.js';
import type { CorpusCommand, FileEntry } from '../../results/format.js';
import { resultOf } from '../../results/lines.js';

/** A line about a file, and the lines of its results. */
export interface Block {
  readonly entry: FileEntry;
  readonly results: readonly string[];
}

/** The blocks of a text that `wrongBlocks` accepts. */
export const blocksIn = (text: string): readonly Block[] => JSON.parse(text) as readonly Block[];

/**
 * Why a text is not the results of a job, or undefined: it has to have a result for each query, or a list, under each
 * model, and nothing else.
 *
 * @param entries the files of the job
 */
export function wrongBlocks(
  command: CorpusCommand,
  entries: readonly FileEntry[],
  text: string,
): string | undefined {
  const blocks = parseJson(text);
  if (!list(isBlock)(blocks)) return 'they are no blocks of results';
  const lacking = new Map(
    entries.map((entry) => [plain(entry), new Set(questionsIn(command, entry))]),
  );
  const begun = new Set<string>();
  for (const { entry, results } of blocks) {
    const file = plain(entry);
    const left = lacking.get(file);
    if (left === undefined) return 'they are about other files, or other models';
    begun.add(file);
    for (const line of results) {
      const result = resultOf(parseJson(line));
      if (result === undefined) return 'a line is no result';
      if (result.kind === 'untranslatable') continue;
      const key =
        result.kind === 'answer' ? `${result.model} ${result.answer.query}` : result.model;
      if (!left.delete(key)) return 'a result is there twice, or nobody asked for it';
    }
  }
  if (begun.size < lacking.size) return 'a file has no results';
  return [...lacking.values()].some((left) => left.size > 0) ? 'a result is missing' : undefined;
}

const isBlock = (value: unknown): value is { entry: object; results: readonly string[] } =>
  isObject(value) && isObject(value['entry']) && list(isString)(value['results']);

/** An entry as JSON gives it back. */
const plain = (entry: object): string => JSON.stringify(JSON.parse(JSON.stringify(entry)));

/** The keys of all results that a file has to have. */
const questionsIn = (command: CorpusCommand, { models, queries }: FileEntry): readonly string[] =>
  models
    .filter(({ untranslatable }) => untranslatable === undefined)
    .flatMap(({ model }) =>
      command === 'outcomes'
        ? [model]
        : Array.from({ length: queries }, (_, query) => `${model} ${query}`),
    );
