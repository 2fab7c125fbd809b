import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** One snippet of one source file, replaced. */
export interface Edit {
  /** The source file, from the project's root: `src/….ts`. */
  readonly file: string;
  /** A snippet that occurs exactly once in the file. */
  readonly find: string;
  readonly replace: string;
}

/** A mistake that somebody could make in Remora. */
export interface CodeMutant extends Edit {
  readonly name: string;
  /** The mistake in one sentence. */
  readonly what: string;
  /** An edit of another file, where what one place says another one says too. */
  readonly also?: Edit;
}

/** A source file as a mutant has it, in JavaScript. */
export interface Compiled {
  readonly file: string;
  readonly text: string;
}

/** The project's root. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Compiles the files of a mutant, each on its own, as the build does.
 *
 * @throws Error if a snippet is not there once, or what comes out is no TypeScript
 */
export function compileMutant(mutant: CodeMutant): readonly Compiled[] {
  const edits = mutant.also === undefined ? [mutant] : [mutant, mutant.also];
  return edits.map((edit) => compileEdit(mutant.name, edit));
}

function compileEdit(name: string, edit: Edit): Compiled {
  const { outputText, diagnostics = [] } = ts.transpileModule(editedSource(name, edit), {
    fileName: edit.file,
    reportDiagnostics: true,
    compilerOptions: {
      target: ts.ScriptTarget.ES2023,
      // A single file does not know its package: NodeNext would take it for CommonJS.
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
      strict: true,
    },
  });
  if (diagnostics.length > 0) {
    const text = ts.flattenDiagnosticMessageText(diagnostics[0].messageText, ' ');
    throw new Error(`mutant ${name} does not compile: ${text}`);
  }
  return { file: edit.file, text: outputText };
}

/** The source of a file with an edit: an error unless its snippet occurs once, as it then does not fit. */
function editedSource(name: string, { file, find, replace }: Edit): string {
  const parts = readFileSync(join(ROOT, file), 'utf8').split(find);
  if (parts.length !== 2) {
    const times = parts.length - 1;
    throw new Error(`mutant ${name}: its snippet occurs ${times} times in ${file}, not once`);
  }
  return parts.join(replace);
}
