import { join } from 'node:path';
import ts from 'typescript-6';
import { ROOT } from './run.js';

/** The TypeScript that documents show. */

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  noEmit: true,
};

/** The files that examples are compiled with, parsed once: the library is most of the work. */
const library = new Map<string, ts.SourceFile | undefined>();

/** The type errors of an example, compiled as a file of this package. */
export function typeErrors(code: string): readonly string[] {
  const name = join(ROOT, 'docs/example.ts');
  const host = ts.createCompilerHost(OPTIONS);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (path) => path === name || fileExists(path);
  host.getSourceFile = (path, target, ...rest) => {
    if (path === name) return ts.createSourceFile(path, code, target);
    if (!library.has(path)) library.set(path, getSourceFile.call(host, path, target, ...rest));
    return library.get(path);
  };
  const program = ts.createProgram([name], OPTIONS, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map((d) => ts.flattenDiagnosticMessageText(d.messageText, '\n'));
}

/** An example as JavaScript. */
export function compiled(code: string): string {
  const compilerOptions = { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext };
  return ts.transpileModule(code, { compilerOptions }).outputText;
}
