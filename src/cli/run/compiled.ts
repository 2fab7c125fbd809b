import type { Pool } from '../../analyses/workers.js';
import type { Answer, Verdict } from '../../check/result.js';
import { UNCLEAR } from '../../check/structure.js';
import type { Model } from '../../model/term.js';
import type { Test } from '../../program/program.js';
import { needsBarriers } from '../../rdma/hosts.js';

/** What rules something out. */
const RULES_OUT: readonly Verdict[] = ['forbidden', 'holds'];

/** What an answer takes for granted that hangs on dependencies of C. */
const KEPT = 'compilers keep what this hangs on: a branch, or a value that is written or posted';

/**
 * Answers about a program of C that say what they take for granted, where they hang on dependencies: without these, the same question has
 * another answer. Only models ask that order by dependencies.
 */
export async function asCompiled(
  pool: Pool,
  test: Test,
  model: Model,
  answers: readonly Answer[],
  limits: { readonly bound?: number; readonly limit?: number },
): Promise<readonly Answer[]> {
  const told = answers.map((answer) =>
    answer.reason?.startsWith(UNCLEAR) === true
      ? { ...answer, reason: `${answer.reason}; compilers of C may remove it` }
      : answer,
  );
  const ruledOut = answers.filter(({ verdict }) => RULES_OUT.includes(verdict));
  if (!needsBarriers(model) || ruledOut.length === 0) return told;
  const program = { ...test.program, dependencies: 'none' } as const;
  const [others] = await pool.decide({
    kind: 'decide',
    models: [model],
    tests: [{ ...test, program }],
    queries: ruledOut.map(({ query }) => query),
    ...limits,
    engine: 'auto',
  });
  const verdicts = new Map(others.map(({ query, verdict }) => [query, verdict]));
  return told.map((answer) => {
    const other = verdicts.get(answer.query);
    const isSame = other === undefined || other === 'unknown' || other === answer.verdict;
    return isSame || !RULES_OUT.includes(answer.verdict)
      ? answer
      : { ...answer, assuming: [...(answer.assuming ?? []), KEPT] };
  });
}
