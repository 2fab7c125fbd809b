import type { Model } from '../model/term.js';
import type { Subject, Test } from '../program/program.js';
import { decideByCandidates, outcomesByCandidates } from './by-candidates.js';
import type { Answer, Outcomes } from './result.js';
import { isSmall } from './size.js';

/** A tiny test has at most so many candidates: going through them takes less than a second. */
const CANDIDATES = 300;

const limits = (bound?: number) => ({
  limit: CANDIDATES,
  deadline: Infinity,
  bound,
});

/**
 * The answers to queries of a tiny test, by enumeration; undefined if the test is not tiny, or an answer needs a
 * qualification (a loop bound, `vacuous`).
 */
export function decideIfTiny(
  test: Test,
  model: Model,
  queries: readonly number[],
  bound?: number,
): readonly Answer[] | undefined {
  if (!isSmall(test, model, bound)) return undefined;
  const answers = decideByCandidates(test, model, queries, false, limits(bound));
  const plain = answers.every((a) => a.reason === undefined && a.upTo === undefined);
  return plain ? answers : undefined;
}

/** All final states of a tiny test; undefined if it is not tiny, or the list needs a qualification. */
export function outcomesIfTiny(
  test: Test,
  model: Model,
  subjects: readonly Subject[],
  bound?: number,
): Outcomes | undefined {
  if (!isSmall(test, model, bound)) return undefined;
  const outcomes = outcomesByCandidates(test, model, subjects, false, limits(bound));
  const { states, incomplete, upTo } = outcomes;
  const plain = states.length > 0 && incomplete === undefined && upTo === undefined;
  return plain ? outcomes : undefined;
}
