import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Engine } from '../check/engine.js';
import { refusal } from '../check/engine.js';
import type { Diagnostic, SourceFile } from '../diagnostics/index.js';
import { renderDiagnostic } from '../diagnostics/index.js';
import { parseLitmus } from '../index.js';
import { loadModelNamed } from '../model/shipped.js';
import type { Model } from '../model/term.js';
import { readSource } from '../parse/read.js';
import type { Test } from '../program/program.js';
import type { Shard } from './shard.js';
import { WHOLE, contentOf, shardOf } from './shard.js';

/** What was read, and every error on the way, ready to print. */
export interface Inputs<T> {
  readonly items: readonly T[];
  readonly errors: readonly string[];
}

/** A litmus file that could be read: its text, and what tells it from others. */
export interface CorpusFile extends SourceFile {
  readonly content: string;
  /** Its number among all files of the corpus, whatever the shard, from 0. */
  readonly position: number;
}

/** The litmus files that paths name, and the tests of one shard of them. */
export interface Corpus {
  readonly shard: Shard;
  readonly tests: readonly { readonly source: CorpusFile; readonly test: Test }[];
  /** Files of the shard that do not parse. */
  readonly broken: readonly { readonly source: CorpusFile; readonly error: string }[];
  /** What could not be read, and so belongs to no shard. */
  readonly unread: readonly string[];
  /** All errors, ready to print, in order. */
  readonly errors: readonly string[];
  /** How many files all shards have, and what tells them from other corpora. */
  readonly files: number;
  readonly content: string;
}

/** Where a corpus lies if no path is given. */
const OWN_CORPUS = 'corpus';

/** The corpus that comes with Remora. */
const SHIPPED_CORPUS = fileURLToPath(new URL('../../corpus', import.meta.url));

/**
 * What is read where no path is given: the folder `corpus`, or, where there is none, the corpus that
 * comes with Remora, with a notice for people.
 */
export function defaultCorpus(): { readonly path: string; readonly notice?: string } {
  if (existsSync(OWN_CORPUS)) return { path: OWN_CORPUS };
  const below = relative('', SHIPPED_CORPUS);
  const path = below.startsWith('..') ? SHIPPED_CORPUS : below;
  return { path, notice: `no folder '${OWN_CORPUS}' here: reading the one that comes with Remora` };
}

/** Reads the litmus tests of a shard; folders are searched for `.litmus` files. */
export function readCorpus(paths: readonly string[], shard: Shard = WHOLE): Corpus {
  const tests: Corpus['tests'][number][] = [];
  const broken: Corpus['broken'][number][] = [];
  const unread: string[] = [];
  const errors: string[] = [];
  const contents: string[] = [];
  const refuse = (message: string): void => {
    unread.push(message);
    errors.push(message);
  };
  const read = (path: string): void => {
    const file = readSource(path);
    if (!file.ok) return file.errors.forEach((e) => refuse(renderDiagnostic(e, new Map())));
    const content = contentOf(file.value.text);
    const source = { ...file.value, content, position: contents.length };
    contents.push(content);
    if (shardOf(content, shard.of) !== shard.index) return;
    const test = parseLitmus(source.text, path);
    if (test.ok) {
      tests.push({ source, test: test.value });
      return;
    }
    const error = renderFor(source, test.errors);
    broken.push({ source, error });
    errors.push(error);
  };
  for (const path of paths) {
    const found = litmusFiles(path);
    if ('error' in found) refuse(found.error);
    else found.files.forEach(read);
  }
  const content = contentOf(contents.join('\n'));
  return { shard, tests, broken, unread, errors, files: contents.length, content };
}

/** Reads every litmus test that the paths name. */
export function readTests(paths: readonly string[]): Inputs<Test> {
  const { tests, errors } = readCorpus(paths);
  return { items: tests.map((t) => t.test), errors };
}

/** Is this a folder, which holds many tests? */
export function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

function litmusFiles(path: string): { readonly files: string[] } | { readonly error: string } {
  if (!existsSync(path)) return { error: `${path}: no such file or folder` };
  if (!isFolder(path)) return { files: [path] };
  try {
    const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
    const files = sorted(names.filter((name) => name.endsWith('.litmus')));
    if (files.length === 0) return { error: `${path}: no .litmus file in this folder` };
    return { files: files.map((name) => join(path, name)) };
  } catch (error) {
    return { error: `${path}: cannot be read (${(error as NodeJS.ErrnoException).code})` };
  }
}

/** Files of a folder stay together; numbers inside names count as numbers. */
function sorted(names: readonly string[]): readonly string[] {
  // Made only here: that takes longer than to read a file.
  const { compare } = new Intl.Collator('en', { numeric: true });
  const keys = names.map((name) => [name, dirname(name), name.replace(/\.litmus$/, '')] as const);
  keys.sort(([, a, aName], [, b, bName]) => compare(a, b) || compare(aName, bName));
  return keys.map(([name]) => name);
}

/** Models, and for each what tells its text from others: that of its file and all it includes. */
export interface ModelInputs extends Inputs<Model> {
  readonly contents: readonly string[];
}

/** Loads every model by name or path; those that the engine cannot treat are errors. */
export function readModels(names: readonly string[], engine: Engine): ModelInputs {
  const items: Model[] = [];
  const contents: string[] = [];
  const errors: string[] = [];
  for (const name of new Set(names)) {
    const { model, sources } = loadModelNamed(name);
    const refused = model.ok ? refusal(engine, model.value) : undefined;
    if (!model.ok) errors.push(...render(model.errors, sources));
    else if (refused !== undefined) errors.push(...render([refused], new Map()));
    else if (items.some((m) => m.name === model.value.name)) {
      errors.push(`${name}: there are two models called '${model.value.name}'`);
    } else {
      items.push(model.value);
      contents.push(contentOf([...sources.values()].map((s) => s.text).join('\n')));
    }
  }
  return { items, contents, errors };
}

function render(
  errors: readonly Diagnostic[],
  sources: ReadonlyMap<string, SourceFile>,
): readonly string[] {
  return errors.map((error) => renderDiagnostic(error, sources));
}

/** The errors of one file as text. */
export function renderFor(source: SourceFile, errors: readonly Diagnostic[]): string {
  return render(errors, new Map([[source.path, source]])).join('\n');
}
