import type { Acyclicity } from '../encode/acyclicity/choice.js';
import { ClauseSearch } from '../solve/search/search.js';
import type { Model } from '../model/term.js';
import type { FinalState } from '../program/final.js';
import { compareStates } from '../program/final.js';
import type { Subject, Test } from '../program/program.js';
import type { Solver, SolverFactory } from '../solve/solver.js';
import { decide, enumerate } from './decide.js';
import type { Explorer, SearchLimits } from './explorer.js';
import { filtered } from './filter.js';
import type { Answer, Outcomes } from './result.js';
import { askedBothWays } from './unclear.js';
import { askedInRounds } from './rounds.js';
import { decideIfTiny, outcomesIfTiny } from './tiny.js';

/** The Z3 that comes with Remora, or the process of a solver that the user names. */
export type Backend = 'built-in' | 'native';

/**
 * A stage of an engine. What one leaves open, the next is asked:
 * - `search`: the clause search of Remora; leaves open what takes more than its effort
 * - `solve`: a solver, which has the last word; where it would be given more than `most` clauses, the search has it, for as
 *   long as there is time
 * - `explore`: executions or states one by one, which have the last word
 * - `tiny`: the executions of programs that have few. It is asked about what stages before it did not decide, too: they
 *   need an encoding, which some programs do not have
 */
export type Stage =
  | { readonly kind: 'tiny' }
  | { readonly kind: 'search'; readonly effort: number }
  | {
      readonly kind: 'solve';
      readonly backend: Backend;
      readonly acyclicity: Acyclicity;
      readonly most?: number;
    }
  /** Explorers are loaded when they are asked: a page that asks none is smaller without. */
  | { readonly kind: 'explore'; readonly explorer: () => Promise<Explorer> };

/** What stages need from their caller. */
export interface StageMeans {
  /** Loads a solver, or takes one that was loaded before; undefined if there is none here. */
  solver(backend: Backend): Promise<SolverFactory | undefined>;
  /** Called when work begins that may take long, after a solver has been loaded for it. */
  started(): void;
  /** Called now and then with the number of states of a machine that were reached. */
  explored?(states: number): void;
  /** Milliseconds for each model, for an explorer. */
  readonly timeLimit: number;
  /** Bytes that the states of a machine may take. */
  readonly memory?: number | undefined;
}

/** One test under several models: `tests[i]` is the test in the instructions of `models[i]`. */
export interface Questions {
  readonly tests: readonly Test[];
  readonly models: readonly Model[];
  /** The indices of the queries to decide. */
  readonly queries: readonly number[];
  /** Overrides the files' loop bounds. */
  readonly bound?: number;
  /** How many candidates or states an explorer tries. */
  readonly limit?: number;
  /** How many calls of a thread can be unfinished on one queue pair, in an exploration without a bound of loops. */
  readonly room?: number;
}

/** The reason of an answer that stays open: the search gave up, and there is no solver. */
export const GAVE_UP = 'the search gave up';

/** The answers to the queries, by model, in their order. */
export const decideInStages = (
  stages: readonly Stage[],
  questions: Questions,
  means: StageMeans,
): Promise<readonly (readonly Answer[])[]> =>
  askedBothWays(questions, (clear) =>
    askedInRounds(clear, (asked) => throughStages(stages, asked, means)),
  );

async function throughStages(
  stages: readonly Stage[],
  { tests, models, queries, bound, limit }: Questions,
  means: StageMeans,
): Promise<readonly (readonly Answer[])[]> {
  const found = tests.map(() => new Map<number, Answer>());
  const open = (i: number, { kind }: Stage): readonly number[] =>
    queries.filter((query) => {
      const answer = found[i].get(query);
      return answer === undefined || (kind === 'tiny' && answer.verdict === 'unknown');
    });
  for (const stage of stages) {
    const left = [...tests.keys()].filter((i) => open(i, stage).length > 0);
    if (left.length === 0) continue;
    const answer = await decider(stage, means);
    for (const i of left) {
      const question = { test: tests[i], model: models[i], queries: open(i, stage), bound, limit };
      answer(question, (a) => found[i].set(a.query, a));
    }
  }
  const left = { verdict: 'unknown', reason: GAVE_UP, flags: [], milliseconds: 0 } as const;
  return found.map((answers) => queries.map((query) => answers.get(query) ?? { ...left, query }));
}

/** Queries of one test under one model. */
interface Question {
  readonly test: Test;
  readonly model: Model;
  readonly queries: readonly number[];
  readonly bound: number | undefined;
  readonly limit: number | undefined;
}

type Decider = (question: Question, report: (answer: Answer) => void) => void;

async function decider(stage: Stage, means: StageMeans): Promise<Decider> {
  switch (stage.kind) {
    case 'tiny':
      return ({ test, model, queries, bound }, report) =>
        decideIfTiny(test, model, queries, bound)?.forEach(report);
    case 'search': {
      means.started();
      const newSolver = () => new LimitedSearch(stage.effort);
      return (question, report) =>
        unlessSpent(() => solve(question, newSolver, 'difference', report));
    }
    case 'solve': {
      const newSolver = await means.solver(stage.backend);
      if (newSolver === undefined) return () => {};
      means.started();
      return (question, report) =>
        unlessTooMany(stage, newSolver, (by, acyclicity) =>
          solve(question, by, acyclicity, report),
        );
    }
    case 'explore': {
      const explorer = await stage.explorer();
      means.started();
      return ({ test, model, queries, bound, limit }, report) =>
        explorer.decide(test, model, queries, limitsOf({ bound, limit }, means)).forEach(report);
    }
  }
}

function solve(
  { test, model, ...options }: Question,
  newSolver: SolverFactory,
  acyclicity: Acyclicity,
  report: (answer: Answer) => void,
): void {
  decide(test, model, newSolver, { ...options, acyclicity }, report);
}

/** All final states of a test, over some subjects, under a model. */
export interface Listing {
  readonly test: Test;
  readonly model: Model;
  readonly subjects: readonly Subject[];
  /** Whether an explorer that goes through executions tries all of them and counts them. */
  readonly counted: boolean;
  readonly bound?: number;
  readonly limit?: number;
}

/**
 * All final states, without those that the test's `filter` leaves out.
 *
 * @param onState called with states as they are found. Several stages may report the same state
 */
export async function outcomesInStages(
  stages: readonly Stage[],
  listing: Listing,
  means: StageMeans,
  onState: (state: FinalState) => void,
): Promise<Outcomes> {
  const told = new Map<string, FinalState>();
  const tell = (state: FinalState): void => {
    told.set(JSON.stringify(state), state);
    onState(state);
  };
  let found: Outcomes | undefined;
  for (const stage of stages) {
    const isUndecided = found?.incomplete !== undefined && told.size === 0;
    if (found !== undefined && !(isUndecided && stage.kind === 'tiny')) continue;
    found = (await list(stage, listing, means, tell)) ?? found;
  }
  const states = [...told.values()].sort(compareStates);
  found ??= { states, flags: [], incomplete: GAVE_UP, milliseconds: 0 };
  return filtered(listing.test, listing.subjects, found);
}

async function list(
  stage: Stage,
  { test, model, subjects, counted, bound, limit }: Listing,
  means: StageMeans,
  onState: (state: FinalState) => void,
): Promise<Outcomes | undefined> {
  switch (stage.kind) {
    case 'tiny':
      return outcomesIfTiny(test, model, subjects, bound);
    case 'search': {
      means.started();
      const newSolver = () => new LimitedSearch(stage.effort);
      const options = { acyclicity: 'difference', isSearch: true, onState } as const;
      return unlessSpent(() => enumerate(test, model, newSolver, subjects, bound, options));
    }
    case 'solve': {
      const newSolver = await means.solver(stage.backend);
      if (newSolver === undefined) return undefined;
      means.started();
      return unlessTooMany(stage, newSolver, (by, acyclicity, isSearch) =>
        enumerate(test, model, by, subjects, bound, { acyclicity, isSearch, onState }),
      );
    }
    case 'explore': {
      const explorer = await stage.explorer();
      means.started();
      const limits = limitsOf({ bound, limit }, means);
      return explorer.outcomes(test, model, subjects, counted, limits);
    }
  }
}

function limitsOf(
  { bound, limit }: Pick<Question, 'bound' | 'limit'>,
  { timeLimit }: StageMeans,
): SearchLimits {
  return { bound, limit, deadline: performance.now() + timeLimit };
}

/**
 * Does work that needs a solver, with one stage after the other: if the search gives up, the next stage does all of it
 * again.
 *
 * @throws Error if no stage is one of a solver
 * @throws EffortSpent if the search gives up and there is no solver here, or if `work` asks for a part of the effort,
 * gives up, and does not catch it
 */
export async function withSolver<T>(
  stages: readonly Stage[],
  { solver }: Pick<StageMeans, 'solver'>,
  work: (newSolver: SolverFactory, acyclicity: Acyclicity) => T | Promise<T>,
): Promise<T> {
  let searched = false;
  for (const stage of stages) {
    if (stage.kind === 'solve') {
      const newSolver = await solver(stage.backend);
      if (newSolver === undefined) throw new EffortSpent(GAVE_UP);
      const worthIt = searched ? forWhatIsWorthIt : (all: SolverFactory) => all;
      return unlessTooMany(stage, newSolver, (by, acyclicity) => work(worthIt(by), acyclicity));
    }
    if (stage.kind !== 'search') continue;
    searched = true;
    const newSearch: SolverFactory = ({ effort = 1 } = {}) =>
      new LimitedSearch(stage.effort * effort);
    try {
      return await work(newSearch, 'difference');
    } catch (error) {
      if (!(error instanceof EffortSpent)) throw error;
    }
  }
  throw new Error('no stage has the last word on what needs a solver');
}

/** A clause search that throws when it gives up. */
class LimitedSearch extends ClauseSearch {
  override check(assumptions: readonly number[]) {
    const answer = super.check(assumptions);
    if (answer.kind === 'unknown') throw new EffortSpent(answer.reason);
    return answer;
  }
}

/** Thrown by a solver that gives up. All of the work is then left open. */
export class EffortSpent extends Error {}

/** A solver that refuses questions which are worth only a part of a search's effort. */
const forWhatIsWorthIt =
  (newSolver: SolverFactory): SolverFactory =>
  (options) => {
    if (options?.effort !== undefined) throw new EffortSpent('it is worth a search only');
    return newSolver(options);
  };

type Solve = Extract<Stage, { kind: 'solve' }>;

/** Does work with a solver, or, if this has too many clauses for it, with the search without a limit. */
function unlessTooMany<T>(
  { acyclicity, most = Infinity }: Solve,
  newSolver: SolverFactory,
  work: (newSolver: SolverFactory, acyclicity: Acyclicity, isSearch: boolean) => T,
): T {
  const endless = (): T => work(() => new ClauseSearch(Infinity), 'difference', true);
  const elsewhere = (error: unknown): T => {
    if (error instanceof TooManyClauses) return endless();
    throw error;
  };
  try {
    const done = work((options) => counting(newSolver(options), most), acyclicity, false);
    return done instanceof Promise ? (done.catch(elsewhere) as T) : done;
  } catch (error) {
    return elsewhere(error);
  }
}

/** Thrown before a solver gets more clauses than it can handle in memory and time. */
class TooManyClauses extends Error {}

/** A solver that takes so many clauses. */
function counting(solver: Solver, most: number): Solver {
  if (most === Infinity) return solver;
  let clauses = 0;
  let disposed = false;
  const dispose = (): void => {
    if (!disposed) solver.dispose();
    disposed = true;
  };
  return {
    addClause(clause) {
      if (++clauses > most) {
        dispose();
        throw new TooManyClauses(`more than ${most} clauses`);
      }
      solver.addClause(clause);
    },
    addLess: (...less) => solver.addLess(...less),
    check: (assumptions) => solver.check(assumptions),
    value: (variable) => solver.value(variable),
    dispose,
  };
}

function unlessSpent<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof EffortSpent) return undefined;
    throw error;
  }
}
