import type { Result } from '../parse/diagnostics/index.js';
import type { Test } from '../program/program.js';
import { readTest } from '../program/read.js';
import { shippedModels } from './models.js';

/**
 * Parses and resolves a litmus test, which may expect something of the models that come with Remora.
 *
 * @param file the name that diagnostics give it
 * @param models names of other models that it may expect something of
 */
export const parseLitmus = (
  text: string,
  file = 'input.litmus',
  models: readonly string[] = [],
): Result<Test> => readTest({ path: file, text }, [...new Set([...shippedModels(), ...models])]);
