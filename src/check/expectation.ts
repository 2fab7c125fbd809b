import type { ExpectedVerdict } from '../parse/litmus-ast.js';
import type { Query } from '../program/program.js';
import type { Answer } from './result.js';

/** What a litmus file expects of a query under a model, and on what authority. */
export interface Expected {
  readonly verdict: ExpectedVerdict;
  /** `claim`: the file says nothing of the model, but `~exists` and `forall` are claims. */
  readonly authority: 'published' | 'computed' | 'claim';
}

export function expectedOf(query: Query, model: string): Expected | undefined {
  const about = query.expectations.filter((e) => e.models.some((m) => m.text === model));
  const stated = about.find((e) => e.published) ?? about[0];
  if (stated !== undefined) {
    return { verdict: stated.verdict, authority: stated.published ? 'published' : 'computed' };
  }
  if (query.quantifier === 'exists') return undefined;
  return { verdict: query.quantifier === 'forall' ? 'holds' : 'forbidden', authority: 'claim' };
}

/** The queries of a test that expect something of a model for which the test has no translation. */
export function lostQueries(queries: readonly Query[], model: string): readonly Query[] {
  return queries.filter((query) => expectedOf(query, model) !== undefined);
}

/** Does an answer contradict what is expected? An `unknown` does not: it says nothing. */
export function departs(query: Query, model: string, answer: Answer): boolean {
  const expected = expectedOf(query, model);
  if (expected === undefined || answer.verdict === 'unknown') return false;
  return answer.verdict !== expected.verdict;
}
