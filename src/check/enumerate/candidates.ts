import { computeBounds } from '../../encode/bounds/bounds.js';
import { guessingOver, modelOver } from '../../program/events/narrow.js';
import type { EventStructure } from '../../program/events/structure.js';
import { dependenceOf } from '../../encode/exclusion/dependence.js';
import { overOneTable } from '../../model/one-table.js';
import type { Model } from '../../model/term.js';
import { BEYOND_EXACT } from '../../program/arithmetic.js';
import type { Subject } from '../../program/program.js';
import type { Verified } from '../witness/verify.js';
import { witnessVerifier } from '../witness/verify.js';
import type { Witness } from '../witness/witness.js';
import { combinations, pathsOf } from './paths.js';
import { searchExecutions } from './search.js';
import { spaceOf } from './space.js';

export interface CandidateLimits {
  /** Candidates judged at most, partial ones and paths of threads included. */
  readonly limit: number;
  /** When to give up, as `performance.now()` counts. */
  readonly deadline?: number | undefined;
}

export interface EnumerationOptions extends CandidateLimits {
  /** Find only one execution for each combination of final values of these subjects. */
  readonly states?: readonly Subject[] | undefined;
}

export interface Enumeration {
  /** Candidates judged, partial ones and paths of threads included. */
  readonly judged: number;
  /** Why the enumeration is not complete. */
  readonly incomplete?: string;
}

/**
 * Enumerates the consistent executions of an unrolled program under a model as herd does, without a solver: a path
 * through each thread, then reads-from, modification order and NIC flush order, decision by decision. A partial
 * candidate is given up when an axiom fails however the candidate is completed, and a decision with only one
 * alternative that the axioms allow is made at once (search.ts). Every execution that is visited is verified from first
 * principles.
 *
 * Executions differ only in what the model can see: if no axiom or flag depends on `nfo`, its pairs have only one
 * direction, that of program order.
 *
 * @param visit is given each consistent execution once; it may return true to stop
 */
export function enumerateCandidates(
  structure: EventStructure,
  model: Model,
  visit: (verified: Verified) => boolean | void,
  options: EnumerationOptions,
): Enumeration {
  const verify = witnessVerifier(structure, model);
  return enumerate(structure, [model], options, (witness) => {
    const verified = verify(witness());
    if ('wrong' in verified) throw new Error(`enumeration made no execution: ${verified.wrong}`);
    if (!verified.judgement.consistent) throw new Error('enumeration made a forbidden execution');
    return visit(verified);
  });
}

/** By model: final states, each as the values of the subjects in their order; and what the enumeration of them was. */
export interface StatesFound extends Enumeration {
  readonly states: readonly ReadonlySet<string>[];
}

/**
 * The final states of a program under models that differ in their axioms alone, for those who go through many programs and
 * ask other engines about the few that matter: the executions are not verified, which takes a third of the time. One search is
 * for all of the models, as most executions are consistent under all or none.
 */
export function enumerateStates(
  structure: EventStructure,
  models: readonly Model[],
  subjects: readonly Subject[],
  limits: CandidateLimits,
): StatesFound {
  const states = models.map(() => new Set<string>());
  const found: Visit = (_, state, under) => {
    for (const model of under) states[model].add(state!);
  };
  return { ...enumerate(structure, models, { ...limits, states: subjects }, found), states };
}

/** Hears of an execution, its final state if these are asked for, and the models that allow it, as indices. */
type Visit = (
  witness: () => Witness,
  state: string | undefined,
  under: readonly number[],
) => boolean | void;

function enumerate(
  structure: EventStructure,
  models: readonly Model[],
  { limit, deadline = Infinity, states }: EnumerationOptions,
  visit: Visit,
): Enumeration {
  const needed = models.map((model) => modelOver(structure, model));
  const judged = needed.length === 1 ? needed : overOneTable(needed);
  const effort = new Effort(limit, deadline);
  const ended = models.map(() => new Set<string>());
  let readable: ReadonlyMap<number, readonly number[]> | undefined;
  const task = {
    structure,
    models: judged,
    dependences: judged.map((model) => dependenceOf(model, guessingOver(structure))),
    goOn: () => !effort.stopped,
    judge: () => effort.judge(),
    numbers(event: number) {
      readable ??= numbersRead(structure, (reason) => effort.stop(reason));
      return readable.get(event) ?? [];
    },
    // Some execution may be missing.
    overflow: () => effort.miss(BEYOND_EXACT),
    states: states && {
      subjects: states,
      isFound: (state: string, model: number) => ended[model].has(state),
    },
    found(witness: () => Witness, state: string | undefined, under: readonly number[]) {
      if (effort.stopped) return;
      const isLast = visit(witness, state, under) === true;
      if (state !== undefined) for (const model of under) ended[model].add(state);
      if (isLast) effort.stop();
    },
  };
  const paths = structure.program.threads.map((_, t) =>
    pathsOf(structure, t, (isCut) => (isCut ? task.goOn() : task.judge())),
  );
  for (const chosen of combinations(paths)) {
    const space = spaceOf(structure, chosen, judged);
    if (space !== undefined) searchExecutions(space, task);
    if (effort.stopped) break;
  }
  const { incomplete } = effort;
  return { judged: effort.judged, ...(incomplete !== undefined && { incomplete }) };
}

/** The effort spent on an enumeration, and why it is not complete. */
class Effort {
  judged = 0;
  stopped = false;
  incomplete: string | undefined;

  constructor(
    private readonly limit: number,
    private readonly deadline: number,
  ) {}

  /** The first reason counts. */
  miss(reason: string | undefined): void {
    this.incomplete ??= reason;
  }

  stop(reason?: string): void {
    this.stopped = true;
    this.miss(reason);
  }

  /** Counts one more candidate. Returns whether there is time for it. */
  judge(): boolean {
    if (this.judged >= this.limit) this.stop(`limit of ${this.limit} candidates reached`);
    else if (performance.now() > this.deadline) this.stop('time limit reached');
    else this.judged += 1;
    return !this.stopped;
  }
}

/** The possible numbers of each read. */
function numbersRead(
  structure: EventStructure,
  stop: (reason: string) => void,
): ReadonlyMap<number, readonly number[]> {
  const result = computeBounds(structure, undefined);
  if (!result.ok) {
    stop(result.reason);
    return new Map();
  }
  return new Map(
    structure.values.flatMap((v, id) =>
      v.op === 'read' ? [[v.event, result.bounds.values[id]] as const] : [],
    ),
  );
}
