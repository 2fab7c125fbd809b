import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Diagnostic, SourceFile } from '../diagnostics/index.js';
import { renderDiagnostic } from '../diagnostics/index.js';
import { parseLitmus } from '../index.js';
import { loadModelNamed } from '../model/shipped.js';
import type { Model } from '../model/term.js';
import { readSource } from '../parse/read.js';
import type { Test } from '../program/program.js';

/** What was read, and every error on the way, ready to print. */
export interface Inputs<T> {
  readonly items: readonly T[];
  readonly errors: readonly string[];
}

/** Reads every litmus test that the paths name; folders are searched for `.litmus` files. */
export function readTests(paths: readonly string[]): Inputs<Test> {
  const items: Test[] = [];
  const errors: string[] = [];
  for (const path of paths) {
    const found = litmusFiles(path);
    if ('error' in found) errors.push(found.error);
    else for (const file of found.files) readTest(file, items, errors);
  }
  return { items, errors };
}

function readTest(file: string, items: Test[], errors: string[]): void {
  const source = readSource(file);
  if (!source.ok) {
    errors.push(...render(source.errors, new Map()));
    return;
  }
  const test = parseLitmus(source.value.text, file);
  if (test.ok) items.push(test.value);
  else errors.push(...render(test.errors, new Map([[file, source.value]])));
}

/** Is this a folder, which holds many tests? */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function litmusFiles(path: string): { readonly files: string[] } | { readonly error: string } {
  if (!existsSync(path)) return { error: `${path}: no such file or folder` };
  if (!isFolder(path)) return { files: [path] };
  try {
    const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
    const files = names.filter((name) => name.endsWith('.litmus')).sort(byFolderThenName);
    if (files.length === 0) return { error: `${path}: no .litmus file in this folder` };
    return { files: files.map((name) => join(path, name)) };
  } catch (error) {
    return { error: `${path}: cannot be read (${(error as NodeJS.ErrnoException).code})` };
  }
}

/** Files of a folder stay together; numbers inside names count as numbers. */
const collator = new Intl.Collator('en', { numeric: true });
function byFolderThenName(a: string, b: string): number {
  const key = (path: string) => path.replace(/\.litmus$/, '');
  return collator.compare(dirname(a), dirname(b)) || collator.compare(key(a), key(b));
}

/** Loads every model by name or path. */
export function readModels(names: readonly string[]): Inputs<Model> {
  const items: Model[] = [];
  const errors: string[] = [];
  for (const name of new Set(names)) {
    const { model, sources } = loadModelNamed(name);
    if (!model.ok) errors.push(...render(model.errors, sources));
    else if (items.some((m) => m.name === model.value.name)) {
      errors.push(`${name}: there are two models called '${model.value.name}'`);
    } else items.push(model.value);
  }
  return { items, errors };
}

function render(
  errors: readonly Diagnostic[],
  sources: ReadonlyMap<string, SourceFile>,
): readonly string[] {
  return errors.map((error) => renderDiagnostic(error, sources));
}

export function renderFor(test: Test, errors: readonly Diagnostic[]): readonly string[] {
  const source = readSource(test.file);
  return render(errors, source.ok ? new Map([[test.file, source.value]]) : new Map());
}
