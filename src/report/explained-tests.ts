import type { Explanation } from '../analyses/explain/explanation.js';
import type { Fix } from '../analyses/repair/fix.js';
import type { Test } from '../program/program.js';
import type { Elsewhere } from './elsewhere.js';

/** A query of a test, explained under one model, what would change its answer, and what others say. */
export interface ExplainedQuery {
  readonly query: number;
  readonly explanation: Explanation;
  /** One, if it was asked for. */
  readonly fixes: readonly Fix[];
  readonly elsewhere: readonly Elsewhere[];
}

/** The answers to queries of a test. */
export interface ExplainedTest {
  readonly test: Test;
  readonly told: readonly ExplainedQuery[];
}
