import { existsSync, realpathSync } from 'node:fs';
import { basename, relative } from 'node:path';
import type { Engine } from '../../rdma/engines.js';
import { refusal } from '../../rdma/prepare.js';
import type { Diagnostic, SourceFile } from '../../parse/diagnostics/index.js';
import { didYouMean, renderDiagnostic } from '../../parse/diagnostics/index.js';
import { readLitmus } from '../../node/tests.js';
import { DISK, MODELS_FOLDER, loadModelFile, loadModelNamed } from '../../node/models.js';
import type { Model } from '../../model/term.js';
import { Libraries } from '../../program/libraries.js';
import type { Test } from '../../program/program.js';
import type { Unusable } from '../../report/record.js';
import { findTests } from './find.js';
import type { InputReader } from './reader.js';
import { SHIPPED_CORPUS } from '../package.js';
import { STDIN, createReader } from './reader.js';
import type { Settings } from '../../libraries/inline.js';
import type { Shard } from './shard.js';
import { UsageError } from '../command/usage.js';
import { WHOLE, contentOf, shardOf } from './shard.js';

/** What was read, and every error on the way, ready to print. */
export interface Inputs<T> {
  readonly items: readonly T[];
  readonly errors: readonly string[];
}

/** Models that are asked for: litmus files may expect something of them, whatever their names. */
type NamedModels = Pick<Inputs<Model>, 'items'> & {
  /** Those that the engine cannot treat: their operations are known for all that. */
  readonly refused?: readonly Model[];
};

/** A litmus file that could be read: its text, and a hash of it. */
export interface CorpusFile extends SourceFile {
  readonly content: string;
  /** Its number among all files of the corpus, whatever the shard, from 0. */
  readonly position: number;
  /** The files of the libraries that it is a client of. */
  readonly libraries?: readonly SourceFile[];
}

/** What a corpus is read with, besides models. */
export interface CorpusOptions {
  readonly shard?: Shard;
  /** Only tests whose name, path or title matches. */
  readonly grep?: string;
  /** Library files in the place of those that clients name. */
  readonly library?: readonly string[];
  /** Implementations in the place of clients' calls, and their parameters. */
  readonly implementation?: readonly string[];
  readonly set?: Settings;
}

/** A test and its file. */
export interface CorpusTest {
  readonly source: CorpusFile;
  readonly test: Test;
  /** Of a client, the same with implementations in the place of calls, for each that an expectation is about. */
  readonly inlined?: readonly Test[];
}

/** The litmus files that paths name, and the tests of one shard of them. */
export interface Corpus {
  readonly shard: Shard;
  readonly tests: readonly CorpusTest[];
  /** Files of the shard that do not parse. */
  readonly broken: readonly {
    readonly source: CorpusFile;
    readonly errors: readonly Diagnostic[];
    /** Every file that the errors may point into. */
    readonly sources: ReadonlyMap<string, SourceFile>;
  }[];
  /** What could not be read, and so belongs to no shard. */
  readonly unread: readonly string[];
  /** All errors, ready to print, in order. */
  readonly errors: readonly string[];
  /** Warnings about the tests, ready to print. */
  readonly warnings: readonly string[];
  /** How many files all shards have, and a hash of all their texts. */
  readonly files: number;
  readonly content: string;
}

/** Where a corpus lies if no path is given. */
const OWN_CORPUS = 'corpus';

/**
 * The paths to read: those that are given, the corpus that comes with Remora where that is asked for, and otherwise
 * the folder `corpus`.
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
 * `-` is standard input. Nobody can say whether a file that does not parse would match: it counts.
 */
export function readCorpus(
  paths: readonly string[],
  models: NamedModels,
  reader: InputReader = createReader(),
  { shard = WHOLE, grep = '', library = [], implementation, set }: CorpusOptions = {},
): Corpus {
  const pattern = new RegExp(grep);
  const libraries = new Libraries({ ...DISK, read: reader.read });
  const clients = { libraries, instead: library, implementations: implementation, settings: set };
  const known = [...models.items, ...(models.refused ?? [])];
  const tests: CorpusTest[] = [];
  const broken: Corpus['broken'][number][] = [];
  const unread: string[] = [];
  const errors: string[] = [];
  const contents: string[] = [];
  const refuse = (message: string): void => {
    unread.push(message);
    errors.push(message);
  };
  const read = (path: string): void => {
    if (path.endsWith('.cat')) {
      return refuse(`${path}: this is a model, and programs are litmus files: --model ${path}`);
    }
    const file = reader.read(path);
    if (!file.ok) return file.errors.forEach((e) => refuse(renderDiagnostic(e, new Map())));
    const content = contentOf(file.value.text);
    const position = contents.length;
    contents.push(content);
    if (shardOf(content, shard.of) !== shard.index) return;
    const { path: name, text } = file.value;
    const { test, inlined = [], ...client } = readLitmus(text, name, known, clients);
    const sources = new Map([client, ...inlined].flatMap((one) => [...one.sources]));
    const libraries = [...sources.values()].filter((one) => one.path !== name);
    const source = {
      path: name,
      text,
      content,
      position,
      ...(libraries.length > 0 && { libraries }),
    };
    const all = [test, ...inlined.map((one) => one.test)];
    const wrong = all.flatMap((one) => (one.ok ? [] : one.errors));
    const [first, ...others] = all.flatMap((one) => (one.ok ? [one.value] : []));
    if (first === undefined || wrong.length > 0) {
      broken.push({ source, errors: wrong, sources });
      errors.push(render(wrong, sources).join('\n'));
    } else if ([first.name, name, first.title ?? ''].some((part) => pattern.test(part))) {
      const asked = library.length > 0 ? underFirst(first) : first;
      const also = library.length > 0 || others.length === 0 ? {} : { inlined: others };
      tests.push({ source, test: asked, ...also });
    }
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

/** Who names a library wants to know about no other: a client is asked under its libraries with that one alone. */
const underFirst = ({ models, ...test }: Test): Test => ({ ...test, models: models?.slice(0, 1) });

/** Complaints about library files that are in nobody's place. */
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

/** That there is no library of a name that `--library` gives. */
export function noSuchLibrary(name: string): string {
  const known = DISK.libraries?.() ?? [];
  const hint =
    didYouMean(basename(name, '.cat'), known) ??
    `there are ${known.join(', ')}, and files of your own`;
  return `--library ${name}: no such library: ${hint}`;
}

/** What was asked for and has no results. */
export const unusableOf = (models: Pick<ModelInputs, 'errors'>, corpus: Corpus): Unusable => ({
  broken: corpus.broken,
  unread: [...models.errors, ...corpus.unread],
});

/** Reads every litmus test that the paths name. */
export function readTests(paths: readonly string[], reader?: InputReader): Inputs<Test> {
  const { tests, errors } = readCorpus(paths, { items: [] }, reader);
  return { items: tests.map((t) => t.test), errors };
}

/** The warnings of tests; what is said of many places is shown at the first, and counted. */
export function warningsOf(
  tests: readonly { readonly source: SourceFile; readonly test: Test }[],
): readonly string[] {
  const places = new Map<string, string[]>();
  for (const { source, test } of tests) {
    for (const warning of test.warnings) {
      const all = places.get(warning.message) ?? [];
      places.set(warning.message, all);
      all.push(all.length === 0 ? renderFor(source, [warning]) : '');
    }
  }
  return [...places.values()].map(([first, ...others]) => {
    const { length } = others;
    return length === 0
      ? first
      : `${first}\n  and in ${length} more ${length === 1 ? 'place' : 'places'}`;
  });
}

/** Models, and for each a hash of the text of its file and of all that it includes. */
export interface ModelInputs extends Inputs<Model> {
  /** Those that the engine cannot treat. */
  readonly refused: readonly Model[];
  readonly contents: readonly string[];
  /** For each the files that it is made of, but for those that come with Remora. Its own file is the first. */
  readonly sources: readonly (readonly SourceFile[])[];
}

/**
 * Loads every model by name or path, or for `-` from standard input; what is named twice counts once. Those
 * that the engine cannot treat are errors.
 */
export function readModels(
  names: readonly string[],
  engine: Engine,
  reader: InputReader = createReader(),
): ModelInputs {
  const items: Model[] = [];
  const refusedModels: Model[] = [];
  const contents: string[] = [];
  const made: (readonly SourceFile[])[] = [];
  const errors: string[] = [];
  const files = { exists: existsSync, read: reader.read };
  const loaded = new Set<string>();
  for (const name of names) {
    const { model, sources } =
      name === STDIN ? loadModelFile(name, files) : loadModelNamed(name, files);
    const place = model.ok && name !== STDIN ? realpathSync(model.value.file) : name;
    if (name !== STDIN && loaded.has(place)) continue;
    loaded.add(place);
    const refused = model.ok ? refusal(engine, model.value) : undefined;
    if (!model.ok) errors.push(...render(model.errors, sources));
    else if (refused !== undefined) {
      refusedModels.push(model.value);
      errors.push(...render([refused], new Map()));
    } else if (items.some((m) => m.name === model.value.name)) {
      errors.push(`${name}: there are two models called '${model.value.name}'`);
    } else {
      items.push(model.value);
      const all = [...sources.values()];
      contents.push(contentOf(all.map((s) => s.text).join('\n')));
      made.push(all.filter((s) => !s.path.startsWith(MODELS_FOLDER)));
    }
  }
  return { items, refused: refusedModels, contents, sources: made, errors };
}

/** Errors as text, each with its place in one of the files. */
export function render(
  errors: readonly Diagnostic[],
  sources: ReadonlyMap<string, SourceFile>,
): readonly string[] {
  return errors.map((error) => renderDiagnostic(error, sources));
}

/** The errors of one file as text. */
export function renderFor(source: SourceFile, errors: readonly Diagnostic[]): string {
  return render(errors, new Map([[source.path, source]])).join('\n');
}
