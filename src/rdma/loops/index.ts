/**
 * Robustness of finite-state programs, loops included, by the decidability paper's reduction to
 * reachability under SC (docs/robust.md): does every prefix-closed execution that RDMA^SC admits
 * satisfy SC?
 */
import type { Result } from '../../parse/diagnostics/index.js';
import { fail, ok } from '../../parse/diagnostics/index.js';
import type { Model } from '../../model/term.js';
import { BEYOND_EXACT } from '../../program/arithmetic.js';
import type { Program } from '../../program/program.js';
import type { Counters } from './counting.js';
import { notInstrumented } from './covered.js';
import type { Cycle } from './cycles.js';
import { cyclesOf, rotations } from './cycles.js';
import type { Domains } from './domains.js';
import { domainsOf, unknownDomains } from './domains.js';
import type { SystemSearch } from './explore.js';
import { exploreSystem } from './explore.js';
import { instrument } from './instrument.js';
import { judge } from './judge.js';
import type { Needs } from './needs.js';
import { needsOf } from './needs.js';
import type { ViolatingRun } from './run.js';
import { runOf } from './run.js';

export type { ViolatingRun } from './run.js';
export { judge } from './judge.js';
export { notInstrumented } from './covered.js';
export { promelaScript } from './script.js';

/** The bound of counters where polls are in loops; the exploration raises it where it leaves out runs. */
export const DEFAULT_COUNTER_BOUND = 3;
export const DEFAULT_ROBUSTNESS_STATE_LIMIT = 1_000_000;

export interface ExploreRobustnessOptions {
  /**
   * The bound of counters: how many NIC writes of a queue pair may be left to be polled, where polls are in loops.
   * Without it the bound is raised, again and again, as long as it leaves out runs that may matter.
   */
  readonly counterBound?: number;
  /** The search gives up after so many states. */
  readonly limit?: number;
  /** When to give up, as `performance.now()` counts. */
  readonly deadline?: number;
  /** False: also explores what cannot change the answer. This is for tests, and takes longer. */
  readonly reduce?: boolean;
  /** False: guesses the memory between the parts, as in the paper. This is for comparison, and mostly takes longer. */
  readonly ordered?: boolean;
}

export type ExploredRobustness = ExploredVerdict & {
  /** How many states of the instrumented program were explored, and how many cycles were looked for. */
  readonly states: number;
  readonly cycles: number;
  /** The last bound of the counters, if a counter came to its bound. */
  readonly countedTo?: number;
  readonly milliseconds: number;
};

type ExploredVerdict =
  | { readonly verdict: 'robust' }
  | {
      readonly verdict: 'not robust';
      readonly run: ViolatingRun;
    }
  | {
      readonly verdict: 'unknown';
      readonly reason: string;
      /** All runs are SC that have at most so many NIC writes of a queue pair left to be polled; others may not be. */
      readonly counterBound?: number;
    };

/** The models that judge a violation. */
export interface Judges {
  /** RDMA^SC, which must admit it. */
  readonly admits: Model;
  /** SC, which must not. */
  readonly reference: Model;
}

/**
 * Decides whether a program is robust. Loops are explored without unrolling, so that their bounds do not matter. A
 * violation is judged by the models before it is reported.
 *
 * @returns the verdict, or the instructions that are not covered
 * @throws Error if a run that was found is no violation: a mistake of this library
 */
export function exploreRobustness(
  program: Program,
  models: Judges,
  options: ExploreRobustnessOptions = {},
): Result<ExploredRobustness> {
  const errors = notInstrumented(program);
  if (errors.length > 0) return fail(errors);
  const started = performance.now();
  const { verdict, ...counts } = decide(program, models, options);
  return ok({ ...verdict, ...counts, milliseconds: performance.now() - started });
}

interface ExploredCycles {
  readonly verdict: ExploredVerdict;
  readonly states: number;
  readonly cycles: number;
  readonly countedTo?: number;
}

function decide(
  program: Program,
  models: Judges,
  options: ExploreRobustnessOptions,
): ExploredCycles {
  const { reduce = true, ordered = true } = options;
  const needs = needsOf(program, reduce);
  const cycles = cyclesOf(needs, reduce);
  if ('reason' in cycles) return unknown(cycles.reason);
  if (cycles.length === 0) return { verdict: { verdict: 'robust' }, states: 0, cycles: 0 };
  // If nothing is guessed, the domains need not be known.
  const domains = ordered ? unknownDomains(needs) : domainsOf(needs);
  if ('reason' in domains) return unknown(domains.reason);

  let states = 0;
  let countedTo: number | undefined;
  const answer = (verdict: ExploredVerdict): ExploredCycles => ({
    verdict,
    states,
    cycles: cycles.length,
    ...(countedTo !== undefined && { countedTo }),
  });
  const all = (counters: Counters) => {
    const found = exploreAll(needs, domains, cycles, counters, options);
    states += found.states;
    return found;
  };
  /** Undecided; some bound of the counters may have left out runs before. */
  const open = (reason: string, cutAt: number | undefined): ExploredCycles =>
    answer(
      cutAt === undefined
        ? { verdict: 'unknown', reason }
        : { verdict: 'unknown', reason: `${leftOut(cutAt)}: ${reason}`, counterBound: cutAt },
    );
  const { counterBound, limit = DEFAULT_ROBUSTNESS_STATE_LIMIT } = options;
  let cutAt: number | undefined;
  for (let bound = counterBound ?? DEFAULT_COUNTER_BOUND; ; bound *= 2) {
    const found = all({ bound, widened: false });
    if (found.cut || cutAt !== undefined) countedTo = bound;
    if (found.run !== undefined) {
      const run = runOf(program, needs.flows, found.run);
      judged(program, run, models);
      return answer({ verdict: 'not robust', run });
    }
    if (found.incomplete === 'time')
      return open(`time limit reached after ${states} states`, cutAt);
    if (found.incomplete === 'states') {
      // If values may grow without end, the reason says so: a higher limit would not help.
      const why = domainsOf(needs);
      const values = 'reason' in why ? `: ${why.reason}` : '';
      return open(`limit of ${limit} states reached${values}`, cutAt);
    }
    if (found.inexact) return open(BEYOND_EXACT, cutAt);
    if (found.undefined) return open('some run divides by zero', cutAt);
    // If nothing is found even with widened counters, which allow too much, the bound has left out no violation.
    if (!found.cut || isRobust(all({ bound, widened: true }))) return answer({ verdict: 'robust' });
    cutAt = bound;
    if (counterBound !== undefined) return open('a higher counter bound is needed', cutAt);
    if (states > limit) return open(`limit of ${limit} states reached`, cutAt);
  }
}

const unknown = (reason: string): ExploredCycles => ({
  verdict: { verdict: 'unknown', reason },
  states: 0,
  cycles: 0,
});

const leftOut = (bound: number): string =>
  `runs with more than ${bound} completions of a queue pair to be polled are left open`;

/** @throws Error if a run is no violation */
function judged(program: Program, run: ViolatingRun, models: Judges): void {
  for (const [model, consistent] of [
    [models.admits, true],
    [models.reference, false],
  ] as const) {
    const { verified } = judge(program, run, model);
    if (verified.judgement.consistent !== consistent) {
      throw new Error(`the run is no violation: ${model.name} says otherwise`);
    }
  }
}

const isRobust = ({ run, incomplete }: SystemSearch): boolean =>
  run === undefined && incomplete === undefined;

/** Looks for one cycle after the other, so that states need to remember one cycle only. Stops at the first violation. */
function exploreAll(
  needs: Needs,
  domains: Domains,
  cycles: readonly Cycle[],
  counters: Counters,
  options: ExploreRobustnessOptions,
): SystemSearch {
  const { limit = DEFAULT_ROBUSTNESS_STATE_LIMIT, deadline = Infinity } = options;
  const { reduce = true, ordered = true } = options;
  let sum: SystemSearch = { states: 0, cut: false, undefined: false, inexact: false };
  for (const cycle of ordered ? cycles.flatMap(rotations) : cycles) {
    const system = instrument(needs, domains, [cycle], { counters, reduce, ordered });
    const found = exploreSystem(system, { limit: limit - sum.states, deadline });
    const { run, incomplete } = found;
    sum = {
      states: sum.states + found.states,
      cut: sum.cut || found.cut,
      undefined: sum.undefined || found.undefined,
      inexact: sum.inexact || found.inexact,
      run,
      incomplete,
    };
    if (run !== undefined || incomplete !== undefined) break;
  }
  return sum;
}
