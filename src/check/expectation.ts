import type { Span } from '../parse/diagnostics/index.js';
import type { ExpectedVerdict } from '../parse/litmus-ast.js';
import { isStateQuery } from '../program/program.js';
import type { Query } from '../program/program.js';
import type { Answer } from './result.js';

/** What a litmus file expects of a query under a model, and on what authority. */
export interface Expected {
  readonly verdict: ExpectedVerdict;
  /**
   * `published`: by `expect`, in a file that names its source. `claim`: the file says nothing of the model, but `~exists` and `forall` are claims, and so are queries about runs for which
   * it says nothing of any model.
   */
  readonly authority: 'published' | 'computed' | 'claim';
  /** Where: the line that says so, or the query that claims it. */
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
  // What a file says of some models, it does not claim of the others.
  if (!isStateQuery(query) && query.expectations.length > 0) return undefined;
  const verdict = query.quantifier === '~exists' ? 'forbidden' : 'holds';
  return { verdict, authority: 'claim', span: query.span };
}

/** Does an answer contradict what is expected? An `unknown` does not: it says nothing. */
export function departs(query: Query, model: string, answer: Answer): boolean {
  const expected = expectedOf(query, model);
  if (expected === undefined || answer.verdict === 'unknown') return false;
  return answer.verdict !== expected.verdict;
}
