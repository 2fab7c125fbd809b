import { parseLitmusFile } from '../parse/litmus.js';
import type { Result, SourceFile } from '../parse/diagnostics/index.js';
import { whole } from '../parse/diagnostics/index.js';
import type { Test } from './program.js';
import { resolve } from './resolve.js';

/**
 * Parses and resolves a litmus file. What keeps it from nothing, and is hardly meant, is in the test's
 * `warnings`.
 *
 * @param models the names of all models that it may expect something of
 */
export function readTest(source: SourceFile, models: readonly string[]): Result<Test> {
  const parsed = whole(parseLitmusFile(source));
  return parsed.ok ? resolve(parsed.value, models) : parsed;
}
