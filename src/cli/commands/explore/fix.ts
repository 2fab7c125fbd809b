/** `remora explore --fix`: what would make queries about bad states hold. */
import { askRunsFix } from '../../../analyses/ask/fix.js';
import type { Fix } from '../../../analyses/repair/fix.js';
import type { Pool } from '../../../analyses/workers.js';
import type { Model } from '../../../model/term.js';
import { isStateQuery } from '../../../program/program.js';
import type { Costs } from '../../../rdma/additions.js';
import { DEFAULT_COSTS } from '../../../rdma/additions.js';
import { isSafety } from '../../../explore/safety.js';
import { fixJson, fixLines, fixPatchLines } from '../../../report/fix.js';
import { jsonLine } from '../../../report/json.js';
import type { Reporters } from '../../print/formats.js';
import type { CorpusTest } from '../../inputs/corpus.js';
import { lines } from '../../print/print.js';
import { fixInC, ruledOut } from '../../run/in-c.js';
import type { CommandTask } from '../../run/tasks.js';
import type { VerdictRow } from '../../run/decide.js';

export type ExploreFormat = 'text' | 'json';

type Item = CorpusTest;
type Rows = readonly VerdictRow[];

export interface FixCommandOptions {
  readonly cost?: Costs;
  readonly room?: number;
  readonly limit?: number;
}

/** The verdicts of a test, and, if asked for, the fix under each model. */
export interface VerdictsAndFixes {
  readonly rows: Rows;
  readonly fixes: readonly FixedTest[];
}

interface FixedTest {
  readonly item: Item;
  readonly fix: Fix;
}

export const withoutFix = ({
  name,
  do: decide,
}: CommandTask<Rows>): CommandTask<VerdictsAndFixes> => ({
  name,
  do: async (pool) => ({ rows: await decide(pool), fixes: [] }),
});

/** Makes the task that decides a test, and finds what would make its queries about bad states hold. */
export const thenFix = (
  { name, do: decide }: CommandTask<Rows>,
  item: Item,
  models: readonly Model[],
  options: FixCommandOptions,
): CommandTask<VerdictsAndFixes> => ({
  name,
  async do(pool) {
    const rows = await decide(pool);
    const fixes: FixedTest[] = [];
    for (const row of rows) {
      const model = models.find((m) => m.name === row.record.model)!;
      const fix = await findFix(pool, item, row, model, options);
      if (fix !== undefined) fixes.push({ item, fix });
    }
    return { rows, fixes };
  },
});

async function findFix(
  pool: Pool,
  { source }: Item,
  { record: { test, answers } }: VerdictRow,
  model: Model,
  { cost: costs = DEFAULT_COSTS, room, limit }: FixCommandOptions,
): Promise<Fix | undefined> {
  const asked = answers.filter((answer) => {
    const query = test.queries[answer.query];
    return !isStateQuery(query) && isSafety(query);
  });
  if (asked.length === 0) return undefined;
  const queries = asked.map(({ query }) => query);
  if (asked.some(({ verdict }) => verdict === 'fails')) {
    const found = await askRunsFix(pool, model, { test, queries, costs, room, limit });
    return fixInC(found, { test, source, model }, ruledOut(pool, model, queries));
  }
  const open = asked.find(({ verdict }) => verdict === 'unknown');
  if (open === undefined) return { kind: 'right', model: model.name };
  return { kind: 'undecided', model: model.name, reason: open.reason ?? open.verdict };
}

export const isFixDecided = ({ fix }: FixedTest): boolean =>
  fix.kind !== 'undecided' && !(fix.kind === 'additions' && fix.repair.kind === 'unknown');

function patchesOf(fix: Fix): readonly string[] {
  const patch = fixPatchLines(fix);
  return patch.length === 0 ? [] : [...patch, ''];
}

export const FIX_REPORTERS: Reporters<ExploreFormat, FixedTest> = {
  text: ({ item: { test, source }, fix }) =>
    lines([
      `To change ${test.name} under ${fix.model}:`,
      ...fixLines(fix, source).map((line) => (line === '' ? '' : `  ${line}`)),
      '',
      ...patchesOf(fix),
    ]),
  json: ({ item: { test, source }, fix }) =>
    lines([jsonLine({ file: test.file, test: test.name, fix: fixJson(fix, source) })]),
};
