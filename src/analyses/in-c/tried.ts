import type { Result, SourceFile } from '../../parse/diagnostics/index.js';
import { ok } from '../../parse/diagnostics/index.js';
import type { Program, Test } from '../../program/program.js';
import type { Patch, PrintedRepair } from '../repair/print.js';
import { patchOf } from './patch.js';

/** A C file, and how other texts of it are read and judged. */
export interface Tried {
  readonly source: SourceFile;
  readonly program: Program;
  readonly read: (text: string) => Result<Test>;
  /** Is a test as it was to be? */
  readonly isRight: (test: Test) => Promise<boolean>;
}

/** A repair with a patch of the C file that it is of. The file with the patch is read again, and asked again. */
export async function triedInC(
  repair: PrintedRepair,
  { source, program, read, isRight }: Tried,
): Promise<PrintedRepair> {
  if (repair.kind !== 'found') return repair;
  const inC = patchOf(source, program, repair, programOf(read));
  if (inC.kind === 'none') return { ...repair, inC };
  const patched = read(inC.text);
  const isMended = patched.ok && (await isRight(patched.value));
  return { ...repair, inC: isMended ? inC : NOT_RIGHT };
}

const NOT_RIGHT: Patch = {
  kind: 'none',
  reason: 'the lines that were found do not change the answer',
};

/** Reads other texts of a file as programs. */
export const programOf =
  (read: Tried['read']) =>
  (text: string): Result<Program> => {
    const test = read(text);
    return test.ok ? ok(test.value.program) : test;
  };
