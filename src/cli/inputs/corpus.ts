import { existsSync } from 'node:fs';
import { basename, relative } from 'node:path';
import type { Settings } from '../../libraries/inline.js';
import type { Model } from '../../model/term.js';
import { DISK } from '../../node/models.js';
import { readLitmus } from '../../node/tests.js';
import type { Diagnostic, SourceFile } from '../../parse/diagnostics/index.js';
import { didYouMean, position } from '../../parse/diagnostics/index.js';
import { isForHerd } from '../../parse/litmus-foreign.js';
import { Libraries } from '../../program/libraries.js';
import type { Test } from '../../program/program.js';
import type { Unusable } from '../../report/record.js';
import { UsageError } from '../command/usage.js';
import { SHIPPED_CORPUS } from '../package.js';
import { findTests } from './find.js';
import { render, renderFor } from './messages.js';
import type { ModelInputs } from './models.js';
import type { InputReader } from './reader.js';
import { createReader } from './reader.js';
import type { Shard } from './shard.js';
import { WHOLE, contentOf, shardOf } from './shard.js';

/** Models that are asked for. Litmus files may have expectations for them, whatever their names. */
interface NamedModels {
  readonly items: readonly Model[];
  /** Why others are not there. */
  readonly errors?: readonly string[];
  /** Models that the engine does not take. Files may still use their operations. */
  readonly refused?: readonly Model[];
}

/** A litmus file that could be read: its text, and a hash of it. */
export interface CorpusFile extends SourceFile {
  readonly content: string;
  /** Its number among all files of the corpus, whatever the shard, from 0. */
  readonly position: number;
  /** The files of the libraries that it is a client of. */
  readonly libraries?: readonly SourceFile[];
}

/** Options for reading a corpus, besides models. */
export interface CorpusOptions {
  readonly shard?: Shard;
  /** Only tests whose name, path or title matches. */
  readonly grep?: string;
  /** Library files that replace those that clients name. */
  readonly library?: readonly string[];
  /** Implementations that replace clients' calls, and their parameters. */
  readonly implementation?: readonly string[];
  readonly set?: Settings;
}

/** A test and its file. */
export interface CorpusTest {
  readonly source: CorpusFile;
  readonly test: Test;
  /**
   * For a client: the client with calls replaced by an implementation, for each implementation that an expectation
   * names.
   */
  readonly inlined?: readonly Test[];
}

/** A file that does not parse. */
export interface BrokenFile {
  readonly source: CorpusFile;
  readonly errors: readonly Diagnostic[];
  /** Every file that the errors may point into. */
  readonly sources: ReadonlyMap<string, SourceFile>;
}

/** The litmus files that paths name, and the tests of one shard of them. */
export interface Corpus {
  readonly shard: Shard;
  readonly tests: readonly CorpusTest[];
  readonly broken: readonly BrokenFile[];
  /** Paths that could not be read, and so belong to no shard. */
  readonly unread: readonly string[];
  /** All errors, ready to print, in order. */
  readonly errors: readonly string[];
  /** Warnings about the tests, ready to print. */
  readonly warnings: readonly string[];
  /** How many files all shards have, and a hash of all their texts. */
  readonly files: number;
  readonly content: string;
}

/** The folder of the corpus if no path is given. */
const OWN_CORPUS = 'corpus';

/**
 * The paths to read: the given ones, or, with `shipped`, the corpus that comes with Remora, otherwise the folder
 * `corpus`.
 */
export function corpusPaths(given: readonly string[], shipped = false): readonly string[] {
  if (shipped && given.length > 0) {
    throw new UsageError('--shipped is the corpus that comes with Remora: it takes no paths');
  }
  if (given.length > 0) return given;
  if (shipped) {
    const below = relative('', SHIPPED_CORPUS);
    return [below.startsWith('..') ? SHIPPED_CORPUS : below];
  }
  if (existsSync(OWN_CORPUS)) return [OWN_CORPUS];
  const hint = 'name files or folders; --shipped takes the corpus that comes with Remora';
  throw new UsageError(`there is no folder '${OWN_CORPUS}' here: ${hint}`);
}

/**
 * Reads the litmus tests of a shard that match a pattern; folders are searched for `.litmus` files, and
 * `-` is standard input. A file that does not parse counts, since it might match.
 */
export function readCorpus(
  paths: readonly string[],
  models: NamedModels,
  reader: InputReader = createReader(),
  options: CorpusOptions = {},
): Corpus {
  const { shard = WHOLE, grep = '', library = [] } = options;
  const pattern = new RegExp(grep);
  const parse = testParser(models, reader, options);
  const tests: CorpusTest[] = [];
  const broken: BrokenFile[] = [];
  const unread: string[] = [];
  const errors: string[] = [];
  const contents: string[] = [];
  const refuse = (message: string): void => {
    unread.push(message);
    errors.push(message);
  };
  const read = (path: string): void => {
    const file = readFile(path, reader);
    if ('refused' in file) return file.refused.forEach(refuse);
    const content = contentOf(file.text);
    const position = contents.length;
    contents.push(content);
    if (shardOf(content, shard.of) !== shard.index) return;
    const parsed = parse({ path: file.path, text: file.text, content, position });
    if ('errors' in parsed) {
      broken.push(parsed);
      // What a test of herd7 may call, the model has that is not there.
      const isHidden = (models.errors ?? []).length > 0 && isForHerd(file.text);
      if (!isHidden) errors.push(render(parsed.errors, parsed.sources).join('\n'));
    } else if (isChosen(parsed, pattern)) tests.push(parsed);
  };
  for (const found of findTests(paths)) {
    found.errors.forEach(refuse);
    found.files.forEach(read);
  }
  if (broken.length === 0 && shard.of === 1) errors.push(...idle(library, tests));
  const content = contentOf(contents.join('\n'));
  const warnings = warningsOf(tests);
  return { shard, tests, broken, unread, errors, warnings, files: contents.length, content };
}

/** A litmus file as text, or why it is not read. */
function readFile(
  path: string,
  reader: InputReader,
): SourceFile | { readonly refused: readonly string[] } {
  if (path.endsWith('.cat')) {
    return {
      refused: [`${path}: this is a model, and programs are litmus files: --model ${path}`],
    };
  }
  const file = reader.read(path);
  return file.ok ? file.value : { refused: render(file.errors, new Map()) };
}

/** Makes a function that parses a file to a test, with the libraries and implementations of the options. */
function testParser(
  models: NamedModels,
  reader: InputReader,
  { library = [], implementation, set }: CorpusOptions,
): (source: CorpusFile) => CorpusTest | BrokenFile {
  const libraries = new Libraries({ ...DISK, read: reader.read });
  const clients = { libraries, instead: library, implementations: implementation, settings: set };
  const known = [...models.items, ...(models.refused ?? [])];
  return ({ path, text, ...rest }) => {
    const { test, inlined = [], ...client } = readLitmus(text, path, known, clients);
    const sources = new Map([client, ...inlined].flatMap((one) => [...one.sources]));
    const used = [...sources.values()].filter((one) => one.path !== path);
    const source = { path, text, ...rest, ...(used.length > 0 && { libraries: used }) };
    const all = [test, ...inlined.map((one) => one.test)];
    const errors = all.flatMap((one) => (one.ok ? [] : one.errors));
    const [first, ...others] = all.flatMap((one) => (one.ok ? [one.value] : []));
    if (first === undefined || errors.length > 0) return { source, errors, sources };
    if (library.length > 0) return { source, test: underFirst(first) };
    return { source, test: first, ...(others.length > 0 && { inlined: others }) };
  };
}

/** Does a pattern match a test, by its name, path or title? */
const isChosen = ({ test: { name, title = '' }, source }: CorpusTest, pattern: RegExp): boolean =>
  [name, source.path, title].some((part) => pattern.test(part));

/** With `--library`, a client is only decided by its libraries with this one, not by those of its expectations. */
const underFirst = ({ models, ...test }: Test): Test => ({ ...test, models: models?.slice(0, 1) });

/** Messages about library files that no client uses. */
function idle(library: readonly string[], tests: Corpus['tests']): readonly string[] {
  const used = new Set(
    tests.flatMap(({ test: { models = [] } }) =>
      models.flatMap(({ instructions }) => instructions.libraries.map(({ file }) => file)),
    ),
  );
  return library.flatMap((name) => {
    const file = basename(name, '.cat');
    if (used.has(file)) return [];
    const known = DISK.libraries?.() ?? [];
    if (known.includes(file) || (name.endsWith('.cat') && existsSync(name))) {
      return [
        `--library ${name}: none of these files is a client of a library that it could stand for`,
      ];
    }
    return [noSuchLibrary(name)];
  });
}

/** The message that there is no library of a name that an option gives. */
export function noSuchLibrary(name: string, option = '--library'): string {
  const known = DISK.libraries?.() ?? [];
  const hint =
    didYouMean(basename(name, '.cat'), known) ??
    `there are ${known.join(', ')}, and files of your own`;
  return `${option} ${name}: no such library: ${hint}`;
}

/** The inputs that have no results. */
export const unusableOf = (models: Pick<ModelInputs, 'errors'>, corpus: Corpus): Unusable => ({
  broken: corpus.broken,
  unread: [...models.errors, ...corpus.unread],
});

/** The warnings of tests. A warning about many places is shown once, at the first; of the others, the lines are told. */
export function warningsOf(
  tests: readonly { readonly source: SourceFile; readonly test: Test }[],
): readonly string[] {
  const found = new Map<string, { readonly first: string; readonly places: Set<string> }>();
  for (const { source, test } of tests) {
    for (const warning of test.warnings) {
      const { message, span } = warning;
      const known = found.get(message) ?? {
        first: renderFor(source, [warning]),
        places: new Set(),
      };
      found.set(message, known);
      known.places.add(`${source.path}:${position(source.text, span.start).line}`);
    }
  }
  return [...found.values()].map(({ first, places }) => {
    const [, ...others] = places;
    if (others.length === 0) return first;
    const all = others.length === 1 ? '1 more place' : `${others.length} more places`;
    const rest = others.length > PLACES_TOLD ? ', …' : '';
    return `${first}\n  and in ${all}: ${others.slice(0, PLACES_TOLD).join(', ')}${rest}`;
  });
}

/** So many more places of one warning are told: a folder of tests may have hundreds. */
const PLACES_TOLD = 8;
