// What processes that are measured read, which has no mistakes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseLitmus } from '../dist/index.js';
import type { Model } from '../dist/model/term.js';
import { loadModelNamed } from '../dist/node/models.js';
import type { Diagnostic } from '../dist/parse/diagnostics/index.js';
import type { StateQuery, Test } from '../dist/program/program.js';
import { isStateQuery } from '../dist/program/program.js';
import { ROOT } from './process.js';

type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: readonly Diagnostic[] };

/** @throws Error where there is no value */
export function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.errors.map(({ message }) => message).join('\n'));
  return result.value;
}

export const modelNamed = (name: string): Model => valueOf(loadModelNamed(name).model);

/** @param path from the root */
export const testAt = (path: string): Test =>
  valueOf(parseLitmus(readFileSync(join(ROOT, path), 'utf8'), path));

/** The first query of a test, which is one about final states. */
export function firstQuery({ queries: [query] }: Pick<Test, 'queries'>): StateQuery {
  if (!isStateQuery(query)) throw new Error('the first query is about runs');
  return query;
}
