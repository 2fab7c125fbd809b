import type { Diagnostic, Parsed, SourceFile } from '../parse/diagnostics/index.js';
import type { LitmusFile } from '../parse/litmus-ast.js';
import { parseCFile } from './read.js';

/** Reads a C file as a litmus file. What answers rest on is said as warnings. */
export function readC(
  source: SourceFile,
): Parsed<LitmusFile> & { readonly warnings: readonly Diagnostic[] } {
  const { remarks, warnings: mistaken, ...read } = parseCFile(source);
  const assumed = remarks.filter(({ kind }) => kind === 'assumed');
  const warnings = assumed.map(({ text, span }) => ({ span, message: `assumed: ${text}` }));
  return { ...read, warnings: [...mistaken, ...warnings] };
}
