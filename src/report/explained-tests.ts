import type { Explanation } from '../analyses/explain/explanation.js';
import type { Fix } from '../analyses/repair/fix.js';
import type { Test } from '../program/program.js';
import type { Elsewhere } from './elsewhere.js';

/** A query that is explained under one model; with what would change its answer, and what other models say. */
export interface ExplainedQuery {
  readonly query: number;
  readonly explanation: Explanation;
  /** What would change the answer: one fix if the user wants it, otherwise none. */
  readonly fixes: readonly Fix[];
  readonly elsewhere: readonly Elsewhere[];
}

/** A test, and the explanations of its queries. */
export interface ExplainedTest {
  readonly test: Test;
  readonly told: readonly ExplainedQuery[];
}
