import { parseLitmusFile } from '../parse/litmus.js';
import type { Diagnostic, Parsed, Result, SourceFile } from '../parse/diagnostics/index.js';
import { whole } from '../parse/diagnostics/index.js';
import type { InstructionSet } from '../model/instructions/set.js';
import type { LitmusFile } from '../parse/litmus-ast.js';
import type { Test } from './program.js';
import type { Client } from './client.js';
import { resolve } from './resolve.js';

/** The context in which a litmus file is resolved. */
export interface ReadContext {
  /** The operations of plain programs. */
  readonly instructions: InstructionSet;
  /** The names of all models that expectations of plain programs may name. */
  readonly models: readonly string[];
  /** How a client of libraries is resolved, which most files are not. */
  readonly client: (file: LitmusFile) => Client;
  /** What its text says, where it has been parsed before. */
  readonly parsed?: Parsed<LitmusFile>;
}

/** A program, and what else is to be said of it. */
type Said = Parsed<LitmusFile> & { readonly warnings?: readonly Diagnostic[] };

let readC: ((source: SourceFile) => Said) | undefined;

/** Says how C files are read. Most runs have none, and do without that code. */
export function setCReader(one: typeof readC): void {
  readC = one;
}

/** Whether C files can be read. */
export const hasCReader = (): boolean => readC !== undefined;

/** How the names of files of C and of C++ end. */
export const C_ENDINGS: readonly string[] = ['.c', '.cc', '.cpp', '.cxx', '.hpp'];

/** Is a file read as C? */
export const isC = (path: string): boolean => C_ENDINGS.some((one) => path.endsWith(one));

/** A litmus file, or a C file whose head makes it one. */
function parseProgram(source: SourceFile): Said {
  if (!isC(source.path)) return parseLitmusFile(source);
  if (readC === undefined) throw new Error('C is read before its reader is there');
  return readC(source);
}

/**
 * Parses and resolves a plain litmus file. Errors: those of the parser, or else those of `resolve`.
 *
 * @param models the names of all models that its expectations may name
 */
export function readTest(
  source: SourceFile,
  instructions: InstructionSet,
  models: readonly string[],
): Result<Test> {
  const parsed = whole(parseProgram(source));
  return parsed.ok ? resolve(parsed.value, instructions, models) : parsed;
}

/** The same for a litmus file that may be a client. The errors of a client include those of its libraries. */
export function readTestOrClient(source: SourceFile, context: ReadContext): Client {
  const sources = new Map([[source.path, source]]);
  const { warnings = [], ...read }: Said = context.parsed ?? parseProgram(source);
  const parsed = whole(read);
  if (!parsed.ok) return { test: parsed, sources };
  if (parsed.value.uses.length === 0) {
    const test = resolve(parsed.value, context.instructions, context.models);
    if (!test.ok || warnings.length === 0) return { test, sources };
    const all = [...warnings, ...test.value.warnings];
    return { test: { ok: true, value: { ...test.value, warnings: all } }, sources };
  }
  const client = context.client(parsed.value);
  return { ...client, sources: new Map([...client.sources, ...sources]) };
}
