import { finalState } from '../../program/final.js';
import type { Subject, Test } from '../../program/program.js';
import { observedSubjects } from '../../program/subjects.js';
import { holds } from '../../check/witness/witness.js';
import type { SearchLimits } from '../../check/explorer.js';
import type { Answer, Outcomes } from '../../check/result.js';
import { beyondBound } from '../../check/vacuity.js';
import { describeRun } from './describe.js';
import { exploreOutcomes, findRun } from './explore.js';
import type { Hardware } from './hardware.js';
import { finalValue } from './machine.js';
import type { ExploreOptions } from './search.js';
import { stateQuery } from '../../program/program.js';

/** Decides queries of a test by exploring the states of a machine. */
export function decideByMachine(
  test: Test,
  hardware: Hardware,
  queries: readonly number[],
  limits: SearchLimits,
): readonly Answer[] {
  const subjects = observedSubjects(test);
  return queries.map((index): Answer => {
    const started = performance.now();
    const answer = (rest: Omit<Answer, 'query' | 'flags' | 'milliseconds'>): Answer => ({
      flags: [],
      ...rest,
      query: index,
      milliseconds: performance.now() - started,
    });
    const { quantifier, condition } = stateQuery(test, index);
    const universal = quantifier === 'forall';
    const search = (wanted: Parameters<typeof findRun>[2]) =>
      findRun(test.program, hardware, wanted, options(limits));
    const found = search((final) => holds(condition, final) !== universal);
    if (found.kind === 'unknown') return answer({ verdict: 'unknown', reason: found.reason });
    if (found.kind === 'found') {
      const { steps, start } = found.run;
      const end = steps.at(-1)?.state ?? start;
      const state = finalState(test.program, subjects, (s) => finalValue(end, s));
      const run = describeRun(found.run);
      return answer({ verdict: universal ? 'fails' : 'allowed', state, run });
    }
    // If no run ends at all, it means nothing that none ends in such a state.
    const any = search(() => true);
    if (any.kind === 'unknown') return answer({ verdict: 'unknown', reason: any.reason });
    if (any.kind === 'none') {
      return any.upTo === undefined
        ? answer({ verdict: 'vacuous', reason: 'no run of the machine comes to an end' })
        : answer(beyondBound(test.program, any.upTo));
    }
    return answer({ verdict: universal ? 'holds' : 'forbidden', upTo: found.upTo });
  });
}

/** All final states of a test on a machine; machines raise no flags. */
export function outcomesByMachine(
  test: Test,
  hardware: Hardware,
  subjects: readonly Subject[],
  limits: SearchLimits,
): Outcomes {
  return {
    ...exploreOutcomes(test.program, hardware, { ...options(limits), subjects }),
    flags: [],
  };
}

function options({ limit, ...rest }: SearchLimits): ExploreOptions {
  return { ...rest, stateLimit: limit };
}
