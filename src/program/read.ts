import { parseLitmusFile } from '../parse/litmus.js';
import type { Result, SourceFile } from '../parse/diagnostics/index.js';
import { whole } from '../parse/diagnostics/index.js';
import type { InstructionSet } from '../model/instructions/set.js';
import type { Test } from './program.js';
import { resolve } from './resolve.js';

/**
 * Parses and resolves a litmus file. Errors: those of the parser, or else those of `resolve`.
 *
 * @param models the names of all models that its expectations may be about
 */
export function readTest(
  source: SourceFile,
  instructions: InstructionSet,
  models: readonly string[],
): Result<Test> {
  const parsed = whole(parseLitmusFile(source));
  return parsed.ok ? resolve(parsed.value, instructions, models) : parsed;
}
