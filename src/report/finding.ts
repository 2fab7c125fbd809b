import { departs, expectedOf } from '../check/expectation.js';
import { INTERRUPTION } from '../check/result.js';
import type { Span } from '../parse/diagnostics/index.js';
import { isStateQuery } from '../program/program.js';
import { loopBound } from './outcome.js';
import type { VerdictRecord } from './record.js';
import { byTest } from './record.js';

/** Something about a query that a user must not miss: its verdict departs from the file, or there is none. */
export interface VerdictFinding {
  readonly record: VerdictRecord;
  /** The index of the query in its test. */
  readonly query: number;
  readonly kind: 'departs' | 'unknown' | 'vacuous' | 'interrupted';
  /** In words: `allowed, published as forbidden`. */
  readonly text: string;
  /** The line of the file that says otherwise; or the query, if no line does. */
  readonly span: Span;
}

/** The queries of a record without an answer, by index, and the reason for each. */
export function unanswered({
  test,
  model,
  asked,
  answers,
  untranslatable,
}: VerdictRecord): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  test.queries.forEach((query, index) => {
    if (asked?.includes(index) === false || answers.some((a) => a.query === index)) return;
    if (untranslatable !== undefined) {
      found.set(index, `no meaning under the model (${untranslatable})`);
    } else if (!isStateQuery(query)) {
      const isClient = test.models !== undefined;
      found.set(
        index,
        isClient
          ? '`remora explore` decides it'
          : `${model} has no machine for questions about runs`,
      );
    }
  });
  return found;
}

/**
 * The findings of a record, in the order of its queries. If a query has no answer, it departs if the file expects a
 * verdict under this very model. Otherwise it is only unknown.
 */
export function findingsOf(record: VerdictRecord): readonly VerdictFinding[] {
  const lacking = [...unanswered(record)].map(([index, why]): VerdictFinding => {
    const query = record.test.queries[index];
    const expected = expectedOf(query, record.model);
    if (expected === undefined || expected.authority === 'claim') {
      return {
        record,
        query: index,
        kind: 'unknown',
        text: `no verdict: ${why}`,
        span: query.span,
      };
    }
    const text = `${why}, expected ${expected.verdict}`;
    return { record, query: index, kind: 'departs', text, span: expected.span };
  });
  return [...lacking, ...findingsOfAnswers(record)].sort((a, b) => a.query - b.query);
}

/**
 * The findings of many records, in the order of these.
 *
 * @param each whether every model has to answer every query. Otherwise one model is enough: of many models, some give
 *   no meaning to a program
 */
export function findingsIn(
  records: readonly VerdictRecord[],
  each: boolean,
): readonly VerdictFinding[] {
  if (each) return records.flatMap(findingsOf);
  const answered = new Map(
    byTest(records).map((group) => [
      group[0].test,
      new Set(group.flatMap(({ answers }) => answers.map(({ query }) => query))),
    ]),
  );
  return records.flatMap((record) => {
    const lacking = unanswered(record);
    return findingsOf(record).filter(
      ({ query, kind }) =>
        kind !== 'unknown' || !lacking.has(query) || answered.get(record.test)?.has(query) !== true,
    );
  });
}

function findingsOfAnswers(record: VerdictRecord): readonly VerdictFinding[] {
  const { test, model, answers } = record;
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

/** The record with only those queries that depart or are unknown. Undefined if there are none. */
export function onlyFindings(record: VerdictRecord): VerdictRecord | undefined {
  const found = findingsOf(record).filter(({ kind }) => kind === 'departs' || kind === 'unknown');
  const queries = new Set(found.map(({ query }) => query));
  if (queries.size === 0) return undefined;
  const answers = record.answers.filter(({ query }) => queries.has(query));
  return { ...record, asked: [...queries], answers };
}
