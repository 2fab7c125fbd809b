import { computeBounds } from '../encode/bounds/bounds.js';
import { enumerateCandidates } from './enumerate/candidates.js';
import type { EventStructure } from '../program/events/structure.js';
import type { Model } from '../model/term.js';
import { compareStates, finalState } from '../program/final.js';
import type { FinalState } from '../program/final.js';
import type { Subject, Test } from '../program/program.js';
import { observedSubjects } from '../program/subjects.js';
import type { Verified } from './witness/verify.js';
import { holds } from './witness/witness.js';
import type { Explorer, SearchLimits } from './explorer.js';
import type { Answer, Outcomes } from './result.js';
import { structureFor } from './structure.js';
import { assumedBy } from './unknowns.js';
import { beyondBound } from './vacuity.js';
import { stateQuery } from '../program/program.js';

/** The default limit of candidates: more than the time limit has time for. */
const CANDIDATE_LIMIT = 10_000_000;

/**
 * Decides queries of a test by going through its executions: with `counted`, through all of them, to count them;
 * otherwise through one for each final state, until all queries are answered.
 */
export function decideByCandidates(
  test: Test,
  model: Model,
  queries: readonly number[],
  counted: boolean,
  options: SearchLimits,
): readonly Answer[] {
  const started = performance.now();
  const subjects = observedSubjects(test);
  const tallies = queries.map((index) => ({ index, query: stateQuery(test, index), positive: 0 }));
  const shown = new Map<number, Pick<Answer, 'state' | 'witness' | 'assuming' | 'flags'>>();
  let total = 0;
  const only = counted ? undefined : subjects;
  const ending = survey(test, model, options, only, ({ run, judgement, witness }) => {
    const { final } = run;
    total += 1;
    for (const tally of tallies) {
      const met = holds(tally.query.condition, final);
      if (met) tally.positive += 1;
      if (met === (tally.query.quantifier === 'forall') || shown.has(tally.index)) continue;
      const state = finalState(test.program, subjects, final);
      const flags = judgement.flags.map((f) => f.name);
      shown.set(tally.index, { state, witness, ...assumedBy(run), flags });
    }
    return !counted && shown.size === tallies.length;
  });
  const milliseconds = (performance.now() - started) / queries.length;
  return tallies.map(({ index, query, positive }): Answer => {
    const universal = query.quantifier === 'forall';
    const executions = counted && { executions: { positive, negative: total - positive } };
    const head = { query: index, flags: [], milliseconds };
    const example = shown.get(index);
    const complete = ending.incomplete === undefined;
    if (example !== undefined) {
      const verdict = universal ? 'fails' : 'allowed';
      return { ...head, ...example, verdict, ...(complete && executions) };
    }
    if (ending.incomplete !== undefined) {
      return { ...head, verdict: 'unknown', reason: ending.incomplete };
    }
    const { upTo } = ending;
    if (total > 0) {
      const verdict = universal ? 'holds' : 'forbidden';
      return { ...head, verdict, ...executions, upTo };
    }
    const none =
      upTo === undefined
        ? ({ verdict: 'vacuous', reason: 'no candidate is consistent' } as const)
        : beyondBound(test.program, upTo, model);
    return { ...head, ...none, ...(none.verdict === 'vacuous' && executions) };
  });
}

/**
 * All final states of a test. `counted`: with the number of executions that end in each, which takes
 * longer, since one execution for each state is not enough.
 */
export function outcomesByCandidates(
  test: Test,
  model: Model,
  subjects: readonly Subject[],
  counted: boolean,
  options: SearchLimits,
): Outcomes {
  const started = performance.now();
  const found = new Map<string, { readonly state: FinalState; count: number }>();
  const flags = new Set<string>();
  const only = counted ? undefined : subjects;
  const ending = survey(test, model, options, only, ({ run, judgement }) => {
    const state = finalState(test.program, subjects, run.final);
    const key = Object.values(state).join();
    const known = found.get(key);
    if (known === undefined) found.set(key, { state, count: 1 });
    else known.count += 1;
    for (const flag of judgement.flags) flags.add(flag.name);
  });
  const sorted = [...found.values()].sort((a, b) => compareStates(a.state, b.state));
  return {
    states: sorted.map((s) => s.state),
    ...(counted && { executions: sorted.map((s) => s.count) }),
    flags: [...flags].sort(),
    milliseconds: performance.now() - started,
    ...ending,
  };
}

/** Goes through all executions, and counts them. */
export const byCandidates: Explorer = {
  decide: (test, model, queries, limits) => decideByCandidates(test, model, queries, true, limits),
  outcomes: outcomesByCandidates,
};

type Ending = Pick<Outcomes, 'incomplete' | 'upTo'>;

/** Goes through consistent executions, or one for each final state. Returns what they leave open. */
function survey(
  { program }: Test,
  model: Model,
  { bound, limit = CANDIDATE_LIMIT, deadline }: SearchLimits,
  states: readonly Subject[] | undefined,
  visit: (verified: Verified) => boolean | void,
): Ending {
  const structure = structureFor(program, model, bound);
  if ('reason' in structure) return { incomplete: structure.reason };
  const { incomplete } = enumerateCandidates(structure, model, visit, { limit, deadline, states });
  return incomplete === undefined ? openEnds(structure) : { incomplete };
}

/**
 * Whether some run may get beyond the loop bound or divide by zero. Values are judged one by one: each possible value
 * is assumed to occur in some run, and if the values cannot be computed, all are possible.
 */
export function openEnds(structure: EventStructure): Ending {
  const { cuts, divisions } = structure;
  if (cuts.length === 0 && divisions.length === 0) return {};
  const result = computeBounds(structure, undefined);
  const values = result.ok ? result.bounds.values : undefined;
  const reachable = cuts.filter((cut) =>
    cut.path.every((b) => values?.[b.condition].some((v) => (v !== 0) === b.taken) ?? true),
  );
  const zero = divisions.some((d) => values?.[d.condition].includes(0) ?? true);
  return {
    ...(zero && { incomplete: 'some run may divide by zero' }),
    ...(reachable.length > 0 && { upTo: Math.min(...reachable.map((cut) => cut.bound)) }),
  };
}
