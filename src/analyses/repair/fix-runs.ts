import type { Program, Test } from '../../program/program.js';
import { isStateQuery } from '../../program/program.js';
import type { Costs } from '../../rdma/additions.js';
import type { RunLimits } from '../../rdma/explore/answer.js';
import { findBad, isSafety } from '../../rdma/explore/bad.js';
import { decideRuns } from '../../rdma/explore/decide.js';
import type { Hardware } from '../../rdma/explore/hardware.js';
import { hardwareOf } from '../../rdma/explore/hardware.js';
import { stuckThreads } from '../../rdma/explore/stuck.js';
import type { Circumstances } from '../circumstances.js';
import { tryExploring } from './explored.js';
import type { Fix } from './fix.js';
import type { Acceptance, Goal } from './goal.js';
import { printRepair } from './print.js';
import { repair } from './repair.js';

/** Queries about runs that are to hold. */
export interface FixRunsInput {
  /** The test, its program as it is for the model. */
  readonly test: Test;
  /** Indices of the queries. Of those that ask for progress, none is mended: what is added only makes threads wait. */
  readonly queries: readonly number[];
  readonly costs: Costs;
  /** How many entries a buffer of the machine can hold. */
  readonly room?: number;
  /** How many states are remembered. */
  readonly limit?: number;
}

const ONLY_WAITS =
  'what can be added only makes threads wait: it can mend exclusive, never and assertions';

/**
 * The cheapest additions with which queries about runs hold: `exclusive`, `never` and `assertions`. No thread may be stuck
 * then that could not be before, and `progress` that held must hold.
 *
 * Runs in a worker: `pool.analyse` with the analysis `fix-runs` and one model.
 */
export function fixRuns(input: FixRunsInput, { models, deadline }: Circumstances): Fix {
  const { test, costs, room, limit } = input;
  const [model] = models;
  const undecided = (reason: string): Fix => ({ kind: 'undecided', model: model.name, reason });
  const hardware = hardwareOf(model);
  if (hardware === undefined) return undecided(`there is no machine for the model ${model.name}`);
  const queries = input.queries.flatMap((q) => {
    const query = test.queries[q];
    return !isStateQuery(query) && isSafety(query) ? [query] : [];
  });
  if (queries.length === 0) return undecided(ONLY_WAITS);
  const limits = { room, limit, deadline };
  const found = findBad(test.program, hardware, queries, limits);
  if (found.kind === 'unknown') return undecided(found.reason);
  if (found.kind === 'none') return { kind: 'right', model: model.name };
  const goal: Goal = {
    model,
    try: (offer, until) => tryExploring(offer, hardware, queries, { ...limits, deadline: until }),
    accept: acceptance(test, hardware, limits),
  };
  const repaired = repair(test.program, goal, { costs, deadline });
  const saysNoMore = (program: Program): boolean =>
    program.symmetric !== undefined &&
    findBad(program, hardware, queries, limits).kind === 'unknown';
  const told =
    repaired.kind === 'found' && saysNoMore(repaired.program)
      ? { ...repaired, program: { ...repaired.program, symmetric: undefined } }
      : repaired;
  return { kind: 'additions', model: model.name, repair: printRepair(test, told) };
}

/** Tells whether a program with additions, in which nothing bad happens, goes on where it did without them. */
function acceptance(
  test: Test,
  hardware: Hardware,
  limits: RunLimits,
): (program: Program) => Acceptance {
  let stuckBefore: ReturnType<typeof stuckThreads> | undefined;
  let held: readonly number[] | undefined;
  const progress = [...test.queries.keys()].filter(
    (q) => test.queries[q].quantifier === 'progress',
  );
  const answers = (program: Program, queries: readonly number[]) =>
    queries.length === 0 ? [] : decideRuns({ ...test, program }, hardware, queries, limits);
  return (program) => {
    const stuck = stuckThreads(program, hardware, limits);
    if ('reason' in stuck) return { kind: 'unknown', ...stuck };
    if (stuck.deadlock || stuck.threads.includes(true)) {
      stuckBefore ??= stuckThreads(test.program, hardware, limits);
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
    const { full: buffers, room } = stuck;
    return { kind: 'met', full: buffers && { room, buffers } };
  };
}
