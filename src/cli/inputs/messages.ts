/** Messages about inputs, as text. */
import type { Diagnostic, SourceFile } from '../../parse/diagnostics/index.js';
import { renderDiagnostic } from '../../parse/diagnostics/index.js';

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
