import { check, parseLitmus } from '../../../index.js';
import type { InstructionSet } from '../../../model/instructions/set.js';
import type { Model } from '../../../model/term.js';
import type { Result } from '../../../parse/diagnostics/index.js';
import { whole } from '../../../parse/diagnostics/index.js';
import { parseLitmusFile } from '../../../parse/litmus.js';
import type { Test } from '../../../program/program.js';
import { resolve } from '../../../program/resolve.js';
import type { Fix } from '../../../analyses/repair/fix.js';
import type { Elsewhere, Said } from '../../../report/elsewhere.js';
import type { Pool } from '../../../analyses/workers.js';

/**
 * Asks other models about a query, and about the program with the fix that was found for it: both may depend on a
 * guarantee that a model lacks. For a model that does not take the program, the result says why.
 */
export async function askOthers(
  pool: Pool,
  test: Test,
  models: readonly Model[],
  query: number,
  fix: Fix | undefined,
  bounds: { readonly bound?: number },
): Promise<readonly Elsewhere[]> {
  const answerTo = async (asked: Test, model: Model): Promise<Said> => {
    const answers = await check(asked, model, { pool, engine: 'auto', ...bounds });
    if (!answers.ok) return { refusal: answers.errors[0].message };
    const answer = answers.value.find((a) => a.query === query);
    return answer ?? { refusal: `${model.name} has no machine` };
  };
  const fixed = fix && fixedProgram(test, fix);
  return Promise.all(
    models.map(async (model): Promise<Elsewhere> => {
      const answer = await answerTo(test, model);
      const withFix = fixed && (await answerTo(fixed, model));
      return {
        model,
        answer,
        withFix,
      };
    }),
  );
}

/** The program with the additions. It is read from the printed text, so that the answers are about this text. */
function fixedProgram({ file, program }: Test, fix: Fix): Test | undefined {
  if (fix.kind !== 'additions' || fix.repair.kind !== 'found') return undefined;
  const { inC, litmus } = fix.repair;
  // Without a patch, the fix of a C file is a litmus file.
  const parsed =
    inC?.kind === 'patch'
      ? parseLitmus(inC.text, file)
      : resolved(litmus, `${file}.litmus`, program.instructions);
  if (!parsed.ok) throw new Error(`a fix does not parse: ${parsed.errors[0].message}`);
  return parsed.value;
}

function resolved(text: string, path: string, instructions: InstructionSet): Result<Test> {
  const file = whole(parseLitmusFile({ path, text }));
  return file.ok ? resolve(file.value, instructions, []) : file;
}
