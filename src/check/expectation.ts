import type { Span } from '../parse/diagnostics/index.js';
import type { ExpectedVerdict } from '../parse/litmus-ast.js';
import { isStateQuery } from '../program/program.js';
import type { Query } from '../program/program.js';
import type { Answer } from './result.js';

/** The verdict that a litmus file expects of a query under a model, and its authority. */
export interface Expected {
  readonly verdict: ExpectedVerdict;
  /**
   * `published`: by `expect`, in a file that names its source. `claim`: the file has no line for the model, but
   * `~exists` and `forall` are claims, and so are queries about runs without a line for any model.
   */
  readonly authority: 'published' | 'computed' | 'claim';
  /** The line with the expectation, or the query that claims it. */
  readonly span: Span;
}

export function expectedOf(query: Query, model: string): Expected | undefined {
  const about = query.expectations.filter((e) => e.models.some((m) => m.text === model));
  const stated = about.find((e) => !e.computed) ?? about[0];
  if (stated !== undefined) {
    const { verdict, published, span } = stated;
    return { verdict, authority: published ? 'published' : 'computed', span };
  }
  if (query.quantifier === 'exists') return undefined;
  // If a file has expectations for some models, the query is no claim for the others.
  if (!isStateQuery(query) && query.expectations.length > 0) return undefined;
  const verdict = query.quantifier === '~exists' ? 'forbidden' : 'holds';
  return { verdict, authority: 'claim', span: query.span };
}

/** Does an answer contradict the expectation? An `unknown` never does. */
export function departs(query: Query, model: string, answer: Answer): boolean {
  const expected = expectedOf(query, model);
  if (expected === undefined || answer.verdict === 'unknown') return false;
  return answer.verdict !== expected.verdict;
}
