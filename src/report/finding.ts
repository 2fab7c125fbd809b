import { departs, expectedOf } from '../check/expectation.js';
import { INTERRUPTION } from '../check/result.js';
import type { Span } from '../parse/diagnostics/index.js';
import { loopBound } from './outcome.js';
import type { VerdictRecord } from './record.js';

/** What a reader has to know of one query of a record: a departure, or that there is no verdict. */
export interface VerdictFinding {
  readonly record: VerdictRecord;
  /** Index of the query. */
  readonly query: number;
  readonly kind: 'departs' | 'unknown' | 'vacuous' | 'interrupted';
  /** In words: `allowed, published as forbidden`. */
  readonly text: string;
  /** Where the file says otherwise, or else the query. */
  readonly span: Span;
}

/** The findings of a record, in the order of its queries. */
export function findingsOf(record: VerdictRecord): readonly VerdictFinding[] {
  const { test, model, answers, untranslatable } = record;
  if (untranslatable !== undefined) {
    return test.queries.flatMap((query, index): readonly VerdictFinding[] => {
      const expected = expectedOf(query, model);
      if (expected === undefined) return [];
      const text = `no meaning under the model, expected ${expected.verdict} (${untranslatable})`;
      return [{ record, query: index, kind: 'departs', text, span: expected.span }];
    });
  }
  return answers.flatMap((answer): readonly VerdictFinding[] => {
    const query = test.queries[answer.query];
    const { verdict, reason, upTo } = answer;
    const head = { record, query: answer.query };
    if (departs(query, model, answer)) {
      const expected = expectedOf(query, model)!;
      const authority = expected.authority === 'published' ? 'published as' : 'expected';
      const why = reason === undefined ? '' : ` (${reason})`;
      const runs = upTo === undefined ? '' : ` for runs with ${loopBound(upTo)}`;
      const text = `${verdict}${runs}${why}, ${authority} ${expected.verdict}`;
      return [{ ...head, kind: 'departs', text, span: expected.span }];
    }
    if (verdict !== 'unknown' && verdict !== 'vacuous') return [];
    const kind = reason === INTERRUPTION ? 'interrupted' : verdict;
    return [{ ...head, kind, text: `${verdict}: ${reason}`, span: query.span }];
  });
}

/** A record with only the answers that depart or are unknown; undefined if there are none. */
export function onlyFindings(record: VerdictRecord): VerdictRecord | undefined {
  const found = findingsOf(record).filter(({ kind }) => kind === 'departs' || kind === 'unknown');
  const queries = new Set(found.map(({ query }) => query));
  if (queries.size === 0) return undefined;
  return { ...record, answers: record.answers.filter(({ query }) => queries.has(query)) };
}
