import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inline } from '../../src/libraries/inline.js';
import type { Settings } from '../../src/libraries/inline.js';
import { fail, renderDiagnostic, whole } from '../../src/parse/diagnostics/index.js';
import type { Diagnostic, Result, SourceFile } from '../../src/parse/diagnostics/index.js';
import type { ImplementationFile } from '../../src/parse/implementation-ast.js';
import { parseImplementation } from '../../src/parse/implementation.js';
import type { LitmusFile } from '../../src/parse/litmus-ast.js';
import { parseLitmusFile } from '../../src/parse/litmus.js';

const FOLDER = 'models/lib/impl';

/** An implementation that comes with Remora. */
export const shippedSource = (name: string): SourceFile => ({
  path: `${name}.impl`,
  text: readFileSync(join(FOLDER, `${name}.impl`), 'utf8'),
});

export function shipped(name: string): ImplementationFile {
  const parsed = whole(parseImplementation(shippedSource(name)));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  return parsed.value;
}

/** A client with implementations inlined, from texts. */
export function inlineTexts(
  client: SourceFile,
  implementations: readonly SourceFile[],
  settings: Settings = {},
): Result<LitmusFile> {
  const file = whole(parseLitmusFile(client));
  const parsed = implementations.map((source) => whole(parseImplementation(source)));
  const errors: Diagnostic[] = [];
  if (!file.ok) errors.push(...file.errors);
  for (const one of parsed) if (!one.ok) errors.push(...one.errors);
  if (!file.ok || errors.length > 0) return fail(errors);
  return inline(
    file.value,
    parsed.flatMap((one) => (one.ok ? [one.value] : [])),
    settings,
  );
}

/** What is inlined, printed; or what is wrong, with the lines that it points to. */
export function rendered(
  result: Result<LitmusFile>,
  sources: readonly SourceFile[],
  print: (file: LitmusFile) => string,
): string {
  if (result.ok) return print(result.value);
  const texts = new Map(sources.map((source) => [source.path, source]));
  return result.errors.map((error) => renderDiagnostic(error, texts)).join('\n');
}
