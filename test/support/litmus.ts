import { renderDiagnostic, whole } from '../../src/parse/diagnostics/index.js';
import type { Diagnostic, Result } from '../../src/parse/diagnostics/index.js';
import { parseLitmusFile } from '../../src/parse/litmus.js';
import { defaultInstructions } from '../../src/node/models.js';
// Tests of herd7 are read, whichever files of tests ran before.
import '../../src/node/tests.js';
import type { Test } from '../../src/program/program.js';
import { resolve } from '../../src/program/resolve.js';

/** Parses and resolves a litmus file given as text. */
export function litmus(text: string, instructions = defaultInstructions()): Test {
  const source = { path: 'case.litmus', text };
  const sources = new Map([[source.path, source]]);
  const parsed = valueOf(whole(parseLitmusFile(source)), sources);
  return valueOf(resolve(parsed, instructions, []), sources);
}

/** What a stage returned; its errors, which a test did not expect, are thrown. */
export function valueOf<T>(
  result: Result<T>,
  sources: Parameters<typeof renderDiagnostic>[1] = new Map(),
): T {
  if (result.ok) return result.value;
  const text = (error: Diagnostic): string => renderDiagnostic(error, sources);
  throw new Error(result.errors.map(text).join('\n'));
}

/** Two nodes with a few locations, and what is given. */
export const two = (rest: string): string =>
  `RDMA t node 1 { x = 0; y = 0 } node 2 { z = 0; w = 0 } ${rest}`;

/** On them, one thread on node 1. */
export const one = (body: string, query = ''): string => two(`thread T on 1 { ${body} } ${query}`);
