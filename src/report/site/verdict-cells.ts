import type { Expected } from '../../check/expectation.js';
import { departs, expectedOf } from '../../check/expectation.js';
import type { Answer } from '../../check/result.js';
import type { Query, Test } from '../../program/program.js';
import { unanswered } from '../finding.js';
import type { Outcome } from '../outcome.js';
import type { VerdictRecord } from '../record.js';

/** What became of one query under one model, and what its file says of it. */
export interface VerdictCell {
  readonly model: string;
  readonly outcome: Outcome;
  /** The answer, where there is one. */
  readonly answer?: Answer;
  /** What was translated for the model, or why nothing could be. */
  readonly note?: string;
  readonly expected?: Pick<Expected, 'verdict' | 'authority'> & { readonly where?: string };
  readonly departs: boolean;
}

/** The cells of a query, one for each of the models. */
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

/** Where the verdict is stated that a file expects under a model. */
function whereStated(query: Query, model: string, { authority }: Expected): string | undefined {
  if (authority === 'claim') return undefined;
  const published = authority === 'published';
  const about = query.expectations.filter((e) => e.models.some((m) => m.text === model));
  return about.find((e) => e.published === published)?.where;
}

/** The outcomes that are decided: what models can differ in. */
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

/** Is a verdict published, and was the same computed? */
export function asPublished({ expected, departs: wrong, outcome }: VerdictCell): boolean {
  return expected?.authority === 'published' && !wrong && DECIDED.has(outcome);
}
