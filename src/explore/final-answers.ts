import type { Answer, Verdict } from '../check/result.js';
import { beyondBound } from '../check/vacuity.js';
import { holds } from '../check/witness/witness.js';
import type { FinalState } from '../program/final.js';
import { finalState } from '../program/final.js';
import type { Subject, Test } from '../program/program.js';
import { stateQuery } from '../program/program.js';
import { observedSubjects } from '../program/subjects.js';
import type { Found } from './answer.js';
import type { SearchEnd } from './finals.js';

/** What a run to a final state shows. */
export interface Claim {
  readonly verdict: Verdict;
  readonly state: FinalState;
}

/** Hears of a final state, and how a run to it is shown once the search has ended; true ends the search. */
export type FinalVisit = (
  final: (subject: Subject) => number,
  show: (claim: Claim) => Found,
) => boolean;

/** Answers all queries about final states in one search, which ends when each has a run that answers it. */
export function answersByFinals(
  test: Test,
  queries: readonly number[],
  search: (visit: FinalVisit) => SearchEnd,
): readonly Found[] {
  const { program } = test;
  const subjects = observedSubjects(test);
  const shown = new Map<number, { readonly state: FinalState; show(claim: Claim): Found }>();
  let ends = 0;
  const { incomplete: reason, upTo } = search((final, show) => {
    ends += 1;
    for (const query of queries) {
      const { quantifier, condition } = stateQuery(test, query);
      const isShown = holds(condition, final) !== (quantifier === 'forall');
      if (!isShown || shown.has(query)) continue;
      shown.set(query, { state: finalState(program, subjects, final), show });
    }
    return shown.size === queries.length;
  });
  return queries.map((query): Found => {
    const isUniversal = stateQuery(test, query).quantifier === 'forall';
    const example = shown.get(query);
    if (example !== undefined) {
      return example.show({ verdict: isUniversal ? 'fails' : 'allowed', state: example.state });
    }
    if (reason !== undefined) return { verdict: 'unknown', reason };
    if (ends > 0) return { verdict: isUniversal ? 'holds' : 'forbidden', upTo };
    return upTo === undefined
      ? { verdict: 'vacuous', reason: 'no run of the machine comes to an end' }
      : beyondBound(program, upTo);
  });
}

/** The answers with what each took. */
export function timed(
  queries: readonly number[],
  decide: () => readonly Found[],
): readonly Answer[] {
  const started = performance.now();
  const found = decide();
  const milliseconds = (performance.now() - started) / queries.length;
  return queries.map((query, i) => ({ query, flags: [], milliseconds, ...found[i] }));
}
