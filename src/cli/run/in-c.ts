import type { Fix } from '../../analyses/repair/fix.js';
import type { PrintedRepair } from '../../analyses/repair/print.js';
import type { Verdict } from '../../check/result.js';
import type { Pool } from '../../analyses/workers.js';
import { check } from '../../index.js';
import type { Model } from '../../model/term.js';
import { readLitmus } from '../../node/tests.js';
import type { Result, SourceFile } from '../../parse/diagnostics/index.js';
import { ok } from '../../parse/diagnostics/index.js';
import type { Program, Test } from '../../program/program.js';
import { isC } from '../../program/read.js';

/** A test that is to be mended under a model, and its text. */
interface Mended {
  readonly test: Test;
  readonly source: SourceFile;
  readonly model: Model;
}

/** Is a test as it was to be? */
type Check = (test: Test) => Promise<boolean>;

/** A fix with a patch of the C file that it is of. */
export const fixInC = async (fix: Fix, of: Mended, isRight: Check): Promise<Fix> =>
  fix.kind === 'additions' ? { ...fix, repair: await repairInC(fix.repair, of, isRight) } : fix;

/** Reads other texts of a file as programs. */
export const programIn =
  ({ path }: SourceFile, models: readonly Model[]) =>
  (text: string): Result<Program> => {
    const { test } = readLitmus(text, path, models);
    return test.ok ? ok(test.value.program) : test;
  };

/** The same of a repair. The file with the patch is read again, and asked again. */
export async function repairInC(
  repair: PrintedRepair,
  { test, source, model }: Mended,
  isRight: Check,
): Promise<PrintedRepair> {
  if (repair.kind !== 'found' || !isC(source.path)) return repair;
  const { triedInC } = await import('../../analyses/in-c/tried.js');
  const { program } = test;
  const read = (text: string): Result<Test> => readLitmus(text, source.path, [model]).test;
  return triedInC(repair, { source, program, read, isRight });
}

/** A test whose threads know the lines of their instructions, if it was read from C: then explanations have them. */
export async function withLines(
  test: Test,
  source: SourceFile,
  models: readonly Model[],
): Promise<Test> {
  if (!isC(source.path)) return test;
  const { programWithLines } = await import('../../analyses/in-c/lines.js');
  return { ...test, program: programWithLines(source, test.program, programIn(source, models)) };
}

/** Is what queries ask ruled out, or does what they claim hold? */
export const ruledOut =
  (
    pool: Pool,
    model: Model,
    queries: readonly number[],
    limits: { readonly bound?: number } = {},
  ): Check =>
  async (test) => {
    const answers = await check(test, model, { pool, engine: 'auto', ...limits });
    return (
      answers.ok &&
      queries.every((query) => {
        const answer = answers.value.find((one) => one.query === query);
        return answer !== undefined && RIGHT.includes(answer.verdict);
      })
    );
  };

const RIGHT: readonly Verdict[] = ['forbidden', 'holds'];
