import type { Program, Test } from '../../program/program.js';
import { isStateQuery } from '../../program/program.js';
import type { Costs } from '../../rdma/additions.js';
import type { Retag } from '../../rdma/retags.js';
import type { ThroughCard } from '../../rdma/own-card.js';
import { throughOwnCards } from '../../rdma/own-card.js';
import type { RunLimits } from '../../explore/answer.js';
import { decideRuns } from '../../explore/decide.js';
import { findBad } from '../../explore/near.js';
import { isSafety } from '../../explore/safety.js';
import { stuckThreads } from '../../explore/stuck.js';
import { readLayers } from '../../machine/layers.js';
import type { Model } from '../../model/term.js';
import type { Circumstances } from '../circumstances.js';
import { tryExploring } from './explored.js';
import type { Fix } from './fix.js';
import type { Acceptance, Goal, Repair, RepairOptions } from './goal.js';
import { printRepair } from './print.js';
import { repair } from './repair.js';
import { repairOrRetag } from './retag.js';

/** Queries about runs that are to hold. */
export interface FixRunsInput {
  /** The test, its program as it is for the model. */
  readonly test: Test;
  /** Indices of the queries. Of those that ask for progress, none is mended: what is added only makes threads wait. */
  readonly queries: readonly number[];
  readonly costs: Costs;
  /** How many calls of a thread can be unfinished on one queue pair. */
  readonly room?: number;
  /** How many states are remembered. */
  readonly limit?: number;
}

const ONLY_WAITS =
  'what can be added only makes threads wait: it can mend exclusive, never and assertions';

/**
 * The cheapest additions with which queries about runs hold, and atomics by the own card: `exclusive`, `never` and `assertions`. No thread may be stuck
 * then that could not be before, and `progress` that held must hold.
 *
 * Runs in a worker: `pool.analyse` with the analysis `fix-runs` and one model.
 */
export function fixRuns(input: FixRunsInput, { models, deadline }: Circumstances): Fix {
  const { test, costs, room, limit } = input;
  const [model] = models;
  const undecided = (reason: string): Fix => ({ kind: 'undecided', model: model.name, reason });
  const layers = readLayers(model);
  if ('message' in layers) return undecided(`${model.name} is no machine: ${layers.message}`);
  const queries = input.queries.flatMap((q) => {
    const query = test.queries[q];
    return !isStateQuery(query) && isSafety(query) ? [query] : [];
  });
  if (queries.length === 0) return undecided(ONLY_WAITS);
  const limits = { room, limit, deadline };
  const found = findBad(test.program, model, queries, limits);
  if (found.kind === 'unknown') return undecided(found.reason);
  if (found.kind === 'none') return { kind: 'right', model: model.name };
  const goal: Goal = {
    model,
    try: (offer, until) => tryExploring(offer, model, queries, { ...limits, deadline: until }),
    accept: acceptance(test, model, limits),
  };
  const { repaired, from, replaced, retags } = cheapest(
    test.program,
    goal,
    { costs, deadline },
    (program) => findBad(program, model, queries, limits).kind,
  );
  const saysNoMore = (program: Program): boolean =>
    program.symmetric !== undefined && findBad(program, model, queries, limits).kind === 'unknown';
  const told =
    repaired.kind === 'found' && saysNoMore(repaired.program)
      ? { ...repaired, program: { ...repaired.program, symmetric: undefined } }
      : repaired;
  return {
    kind: 'additions',
    model: model.name,
    repair: printRepair(test, told, { from, replaced, retags }),
  };
}

/** The share of the time for additions alone. */
const ALONE = 0.5;

interface Candidate {
  readonly repaired: Repair;
  /** The program that has the additions. */
  readonly from: Program;
  /** In what it is another than the program as written. */
  readonly replaced: readonly ThroughCard[];
  readonly retags: readonly Retag[];
}

/**
 * The cheaper of two: additions to the program as written and other tags, and additions to the program that has cards in the place of CPUs
 * on words that both do atomics on. Each such exchange costs what a polled remote atomic does.
 */
function cheapest(
  program: Program,
  goal: Goal,
  { costs, deadline }: RepairOptions,
  bad: (program: Program) => ReturnType<typeof findBad>['kind'],
): Candidate {
  const { program: from, replaced } = throughOwnCards(program);
  const now = performance.now();
  const until = replaced.length === 0 ? deadline : now + (deadline - now) * ALONE;
  const { repaired, retags } = repairOrRetag(program, goal, { costs, deadline: until }, (changed) =>
    bad(changed) === 'none' ? goal.accept(changed) : { kind: 'missed' },
  );
  const alone: Candidate = { repaired, from: program, replaced: [], retags };
  const price = costs['rfaa-and-poll'] * replaced.length;
  const most = repaired.kind === 'found' ? repaired.cost : Infinity;
  if (replaced.length === 0 || price >= most) return alone;
  // Where nothing bad happens and some thread is stuck, no addition is of use: each makes threads wait.
  const isStuck = bad(from) !== 'found' && goal.accept(from).kind !== 'met';
  if (isStuck) return alone;
  const found = repair(from, goal, { costs, deadline });
  if (found.kind !== 'found' || price + found.cost >= most) return alone;
  const perhapsDear = found.perhapsDear ?? (repaired.kind === 'unknown' || undefined);
  return {
    repaired: { ...found, cost: price + found.cost, perhapsDear },
    from,
    replaced,
    retags: [],
  };
}

/** Tells whether a program with additions, in which nothing bad happens, goes on where it did without them. */
function acceptance(test: Test, model: Model, limits: RunLimits): (program: Program) => Acceptance {
  let stuckBefore: ReturnType<typeof stuckThreads> | undefined;
  let held: readonly number[] | undefined;
  const progress = [...test.queries.keys()].filter(
    (q) => test.queries[q].quantifier === 'progress',
  );
  const answers = (program: Program, queries: readonly number[]) =>
    queries.length === 0 ? [] : decideRuns({ ...test, program }, model, queries, limits);
  return (program) => {
    const stuck = stuckThreads(program, model, limits);
    if ('reason' in stuck) return { kind: 'unknown', ...stuck };
    if (stuck.deadlock || stuck.threads.includes(true)) {
      stuckBefore ??= stuckThreads(test.program, model, limits);
      if ('reason' in stuckBefore) return { kind: 'unknown', ...stuckBefore };
      const { threads, deadlock } = stuckBefore;
      const isWorse = stuck.threads.some((is, t) => is && !threads[t]);
      if (isWorse || (stuck.deadlock && !deadlock)) return { kind: 'vacuous' };
    }
    held ??= answers(test.program, progress)
      .filter(({ verdict }) => verdict === 'holds')
      .map(({ query }) => query);
    for (const { verdict, reason = 'undecided' } of answers(program, held)) {
      if (verdict === 'unknown') return { kind: 'unknown', reason };
      if (verdict !== 'holds') return { kind: 'vacuous' };
    }
    const { full: calls, room } = stuck;
    return { kind: 'met', full: calls && { room, calls } };
  };
}
