import type { Answer, Outcomes, Verdict } from '../../check/result.js';
import { holds } from '../../check/witness/witness.js';
import type { FinalState } from '../../program/final.js';
import { finalsOf } from '../../program/final.js';
import type { StateQuery, Subject, Test } from '../../program/program.js';
import { isStateQuery } from '../../program/program.js';
import type { Asked, View } from './view.js';

/** What has to stay as it is: the answers to the queries, or also every outcome. */
export const KEPT = ['outcomes', 'answers'] as const;
export type Kept = (typeof KEPT)[number];

/** What is different where something is left out of a program, under a model. */
export type Difference =
  | { readonly kind: 'same' }
  | ({ readonly kind: 'differs' } & Change)
  | { readonly kind: 'unknown'; readonly reason: string };

export interface Change {
  /** The query whose answer is another one, and that answer. None: all answers that are known stay. */
  readonly query?: number;
  readonly verdict?: Verdict;
  /** A final state that is possible then, or one that is not any more. */
  readonly state?: FinalState;
  readonly isPossible?: boolean;
  /** This is known of runs with at most so many iterations of each loop. */
  readonly upTo?: number;
}

const SAME: Difference = { kind: 'same' };

/** What is different between two programs of a test, by what is seen of them. */
export function differenceOf(
  test: Test,
  { subjects, runs }: Asked,
  kept: Kept,
  before: View,
  after: View,
): Difference {
  const all = runs.map((query) => inRuns(query, before.answers, after.answers));
  if (before.outcomes !== undefined && after.outcomes !== undefined) {
    all.push(inOutcomes(test, subjects, kept, before.outcomes, after.outcomes));
  }
  return (
    all.find(({ kind }) => kind === 'differs') ?? all.find(({ kind }) => kind === 'unknown') ?? SAME
  );
}

/** The same of the answer to a query about runs. */
function inRuns(query: number, before: readonly Answer[], after: readonly Answer[]): Difference {
  const [was, is] = [before, after].map((all) => all.find((one) => one.query === query));
  const reason = openBecause(was) ?? openBecause(is);
  if (reason !== undefined) return { kind: 'unknown', reason };
  if (was!.verdict === is!.verdict) return SAME;
  return { kind: 'differs', query, verdict: is!.verdict };
}

/** Why an answer about runs does not say all. */
function openBecause(answer: Answer | undefined): string | undefined {
  if (answer === undefined) return 'the model has no machine, which queries about runs need';
  const { verdict, reason = 'undecided', full } = answer;
  if (verdict === 'unknown') return reason;
  if (verdict === 'fails' || full === undefined) return undefined;
  return `there was no room for more unfinished calls of ${full.join(', ')}`;
}

function inOutcomes(
  test: Test,
  subjects: readonly Subject[],
  kept: Kept,
  before: Outcomes,
  after: Outcomes,
): Difference {
  if (before.states.length === 0) {
    return { kind: 'unknown', reason: before.incomplete ?? 'the program has no final state' };
  }
  const change =
    answerChanged(test, subjects, before, after) ??
    (kept === 'outcomes' ? stateChanged(before, after) : undefined);
  if (change !== undefined) return { kind: 'differs', ...change };
  const isSure = (query: StateQuery): boolean =>
    [before, after].every(({ states }) => states.some(showing(test, subjects, query)));
  if (kept === 'answers' && test.queries.filter(isStateQuery).every(isSure)) return SAME;
  const reason = before.incomplete ?? after.incomplete ?? boundedAt(before, after);
  return reason === undefined ? SAME : { kind: 'unknown', reason };
}

/** Where nothing was found to be different up to the bound of loops: why that does not say that all is the same. */
function boundedAt(before: Outcomes, after: Outcomes): string | undefined {
  const bounds = [before, after].flatMap(({ upTo }) => upTo ?? []);
  if (bounds.length === 0) return undefined;
  return `only runs with at most ${Math.min(...bounds)} iterations of each loop were tried`;
}

/** The first query whose answer is another one, with a state that shows it. */
function answerChanged(
  test: Test,
  subjects: readonly Subject[],
  before: Outcomes,
  after: Outcomes,
): Change | undefined {
  for (const [index, query] of test.queries.entries()) {
    if (!isStateQuery(query)) continue;
    const shows = showing(test, subjects, query);
    const [was, is] = [before, after].map((all) => verdictOf(query, all, shows));
    if (was === undefined || is === undefined || was === is) continue;
    const gained = after.states.find(shows);
    const lost = before.states.find(shows) ?? before.states[0];
    const change = gained === undefined ? onlyIn(lost, false, after) : onlyIn(gained, true, before);
    return { query: index, verdict: is, ...change };
  }
  return undefined;
}

function stateChanged(before: Outcomes, after: Outcomes): Change | undefined {
  const [gained] = missingIn(before, after);
  if (gained !== undefined) return onlyIn(gained, true, before);
  const [lost] = missingIn(after, before);
  return lost && onlyIn(lost, false, after);
}

/** A state that one program has and the other one does not, which is known up to the bound of its loops. */
const onlyIn = (state: FinalState, isPossible: boolean, { upTo }: Outcomes): Change => ({
  state,
  isPossible,
  ...(upTo !== undefined && { upTo }),
});

/** The states of a list that another one certainly does not have. */
function missingIn(all: Outcomes, some: Outcomes): readonly FinalState[] {
  if (all.incomplete !== undefined) return [];
  const known = new Set(all.states.map(textOf));
  return some.states.filter((state) => !known.has(textOf(state)));
}

const textOf = (state: FinalState): string => Object.values(state).join();

/** Tells the states that a query asks about: those that satisfy it, and for `forall` those that do not. */
function showing(
  { program }: Test,
  subjects: readonly Subject[],
  { condition, quantifier }: StateQuery,
): (state: FinalState) => boolean {
  return (state) =>
    holds(condition, finalsOf(program, subjects, state)) === (quantifier !== 'forall');
}

/** The answer to a query, as far as a list of states tells. */
function verdictOf(
  { quantifier }: StateQuery,
  { states, incomplete }: Outcomes,
  shows: (state: FinalState) => boolean,
): Verdict | undefined {
  if (states.some(shows)) return quantifier === 'forall' ? 'fails' : 'allowed';
  if (incomplete !== undefined) return undefined;
  if (states.length === 0) return 'vacuous';
  return quantifier === 'forall' ? 'holds' : 'forbidden';
}
