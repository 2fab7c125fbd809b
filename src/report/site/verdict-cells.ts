import type { Expected } from '../../check/expectation.js';
import { departs, expectedOf } from '../../check/expectation.js';
import type { Answer } from '../../check/result.js';
import type { Query, Test } from '../../program/program.js';
import { unanswered } from '../finding.js';
import type { Outcome } from '../outcome.js';
import type { VerdictRecord } from '../record.js';

/** The outcome of a query under a model, and what the file of the test says about it. */
export interface VerdictCell {
  readonly model: string;
  readonly outcome: Outcome;
  /** The answer, if there is one. */
  readonly answer?: Answer;
  /** In words, which instructions were translated for the model, or why that is impossible. */
  readonly note?: string;
  readonly expected?: Pick<Expected, 'verdict' | 'authority'> & { readonly where?: string };
  readonly departs: boolean;
}

/** The cells of a query, one for each model. */
export function verdictCells(
  test: Test,
  records: readonly VerdictRecord[],
  models: readonly string[],
  index: number,
): readonly VerdictCell[] {
  return models.map((model) => cellOf(test.queries[index], model, index, records));
}

function cellOf(
  query: Query,
  model: string,
  index: number,
  records: readonly VerdictRecord[],
): VerdictCell {
  const record = records.find((r) => r.model === model);
  if (record === undefined) return { model, outcome: 'not asked', departs: false };
  const stated = expectedOf(query, model);
  const where = stated && whereStated(query, model, stated);
  const expected = stated && { ...stated, where };
  const answer = record.answers.find((a) => a.query === index);
  if (answer === undefined) {
    const note = record.untranslatable ?? unanswered(record).get(index);
    if (note === undefined) return { model, outcome: 'not asked', departs: false };
    const lost = expected !== undefined && expected.authority !== 'claim';
    return { model, outcome: 'untranslatable', note, expected, departs: lost };
  }
  return {
    model,
    outcome: answer.verdict,
    answer,
    note: record.note,
    expected,
    departs: departs(query, model, answer),
  };
}

/** The remark of the file on where the expected verdict is stated: a figure of a paper, for instance. */
function whereStated(query: Query, model: string, { authority }: Expected): string | undefined {
  if (authority === 'claim') return undefined;
  const published = authority === 'published';
  const about = query.expectations.filter((e) => e.models.some((m) => m.text === model));
  return about.find((e) => e.published === published)?.where;
}

/** The outcomes that count when models are compared: a missing verdict is no difference. */
const DECIDED: ReadonlySet<Outcome> = new Set<Outcome>([
  'allowed',
  'forbidden',
  'holds',
  'fails',
  'vacuous',
]);

/** Do models decide a query differently? */
export function modelsDiffer(cells: readonly VerdictCell[]): boolean {
  return new Set(cells.map((c) => c.outcome).filter((o) => DECIDED.has(o))).size > 1;
}

/** Was a verdict published, and is the computed one the same? */
export function asPublished({ expected, departs: wrong, outcome }: VerdictCell): boolean {
  return expected?.authority === 'published' && !wrong && DECIDED.has(outcome);
}
