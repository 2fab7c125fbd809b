/**
 * The format of `--out` (docs/json.md): a line about the run, and for each litmus file that is done a
 * block: a line about the file, then the lines that `--json` prints.
 */
import { DEFAULT_TIME_LIMIT } from '../../node/pool.js';
import type { SourceFile } from '../../parse/diagnostics/index.js';
import { JSON_FORMAT } from '../../report/json.js';
import { digested } from './digest.js';
import type { Corpus } from '../inputs/corpus.js';
import type { ModelInputs } from '../inputs/models.js';
import { unusableOf } from '../inputs/corpus.js';
import type { CommonOptions } from '../run/options.js';
import { showShard } from '../inputs/shard.js';
import { VERSION } from '../package.js';

export const CORPUS_COMMANDS = ['check', 'test', 'compare', 'outcomes'] as const;
export type CorpusCommand = (typeof CORPUS_COMMANDS)[number];

/** A model of a run: its name, and a hash of its text and of all that it includes. */
export interface RunModel {
  readonly model: string;
  readonly content: string;
  /**
   * Its file and the files that it includes, without those that come with Remora: tests may need its declarations, and
   * executions are judged by it.
   */
  readonly sources?: readonly SourceFile[];
}

/** Everything that the results of a run depend on: two runs with the same header have the same results. */
export interface Header {
  /** The version of Remora. */
  readonly remora: string;
  /** The version of the format; the first version lacks this field. */
  readonly format?: number;
  readonly command: CorpusCommand;
  readonly models: readonly RunModel[];
  readonly engine: string;
  /** The command of the solver; without it, the built-in one. */
  readonly solver?: string;
  readonly bound?: number;
  readonly limit?: number;
  readonly timeLimit: number;
  /** Whether `outcomes` lists all final values. */
  readonly all?: boolean;
  /** Library files that replace those that clients name. */
  readonly library?: readonly string[];
  /** `2/3`; `1/1` for a corpus that is not split. */
  readonly shard: string;
  /** How many files this shard has. */
  readonly files: number;
  /** How many files all shards have, and a hash of all their texts. */
  readonly corpus: {
    readonly files: number;
    readonly content: string;
    /** The pattern that tests are chosen by. */
    readonly grep?: string;
  };
  /** What could not be read. */
  readonly errors: readonly string[];
}

/** A model that a file was asked under, and how the file was fitted to it. */
export interface AskedModel {
  readonly model: string;
  /** What was translated. */
  readonly note?: string;
  /** How many queries have no answer because they are about runs and the model has no machine. */
  readonly withoutMachine?: number;
  /** Why there is no translation; `error` is the same with its place. */
  readonly untranslatable?: string;
  readonly error?: string;
}

/** A litmus file that is done, or that does not parse. */
export interface FileEntry {
  readonly file: string;
  /** Its number among all files of the corpus, from 0. */
  readonly position: number;
  /** A hash of its text. */
  readonly content: string;
  /** For a client, the files of its libraries. */
  readonly libraries?: readonly SourceFile[];
  /** How many queries it has. */
  readonly queries: number;
  /** The models that it is asked under. */
  readonly models: readonly AskedModel[];
  /** Its text. */
  readonly source: string;
  /** Why it does not parse. */
  readonly error?: string;
}

/** The models of a run, for its header. */
export const runModels = ({ items, contents, sources }: ModelInputs): readonly RunModel[] =>
  items.map((m, i) => ({
    model: m.name,
    content: contents[i],
    sources: sources[i].length === 0 ? undefined : sources[i],
  }));

export function headerOf(
  command: CorpusCommand,
  models: ModelInputs,
  corpus: Corpus,
  options: CommonOptions & { readonly all?: boolean },
): Header {
  const {
    engine,
    solver,
    bound,
    limit,
    timeLimit = DEFAULT_TIME_LIMIT,
    all,
    grep,
    library,
  } = options;
  return {
    remora: VERSION,
    format: JSON_FORMAT,
    command,
    models: runModels(models),
    engine,
    solver,
    bound: finite(bound),
    limit: finite(limit),
    timeLimit: finite(timeLimit),
    ...(all === true && { all }),
    library,
    shard: showShard(corpus.shard),
    files: corpus.tests.length + corpus.broken.length,
    corpus: {
      files: corpus.files,
      content: corpus.content,
      grep,
    },
    errors: unusableOf(models, corpus).unread,
  };
}

/** JSON has no infinity. */
const finite = <N extends number | undefined>(n: N): N =>
  (n === undefined ? n : Math.min(n, Number.MAX_VALUE)) as N;

/** A header as its line. */
export const headerLine = (header: Header): string => `${digested(JSON.stringify(header)).line}\n`;

/** A file and its results as their lines below a header; `results` says how many follow. */
export function blockLines(
  header: Header,
  { source, ...rest }: FileEntry,
  results: readonly string[],
): string {
  const run = digested(JSON.stringify(header)).digest;
  const entry = JSON.stringify({ ...rest, results: results.length, source });
  const { line, digest } = digested(entry, run);
  return [line, ...results.map((result) => digested(result, digest).line)]
    .map((one) => `${one}\n`)
    .join('');
}

/**
 * The differences because of which results of one run cannot be those of another, in words: what the first has, and
 * what the other. Limits may differ, since they change no verdict. The corpus may differ when a run is resumed.
 */
export function differences(is: Header, other: Header): readonly string[] {
  const all: string[] = [];
  const compare = (what: string, a: string, b: string): void => {
    if (a !== b) all.push(`${what}${a}, not ${b}`);
  };
  compare('version ', is.remora, other.remora);
  compare('format ', formatOf(is), formatOf(other));
  compare('command ', is.command, other.command);
  compare('engine ', is.engine, other.engine);
  compare('solver ', solverOf(is), solverOf(other));
  compare('bound ', boundOf(is), boundOf(other));
  compare('', valuesOf(is), valuesOf(other));
  compare('libraries ', librariesOf(is), librariesOf(other));
  const names = (header: Header): string => header.models.map((m) => m.model).join(', ');
  compare('models ', names(is), names(other));
  for (const { model, content } of is.models) {
    const same = other.models.find((m) => m.model === model);
    if (same !== undefined && same.content !== content) all.push(`another text of model ${model}`);
  }
  return all;
}

const formatOf = ({ format = 1 }: Header): string => String(format);
const solverOf = ({ solver = 'built in' }: Header): string => solver;
const boundOf = ({ bound }: Header): string => (bound === undefined ? 'of the files' : `${bound}`);
const librariesOf = ({ library = ['as clients name them'] }: Header): string => library.join(', ');
const valuesOf = ({ all }: Header): string =>
  all === true ? 'all final values' : 'the final values that queries mention';

/** Are these the same files, and the same tests chosen of them? */
export function sameCorpus({ corpus: a }: Header, { corpus: b }: Header): boolean {
  return a.files === b.files && a.content === b.content && a.grep === b.grep;
}
