import type { SessionOptions } from '../../check/session.js';
import type { Model } from '../../model/term.js';
import { instructionsOf } from '../../program/instructions.js';
import { DEFAULT_BOUND } from '../../program/events/unroll.js';
import type { Program } from '../../program/program.js';
import type { SolverFactory } from '../../solve/solver.js';
import type { RobustFinding } from './exact.js';
import { compareExecutions } from './exact.js';
import type { Exploration } from './explored.js';
import { exploreExecutions, exploredModel } from './explored.js';
import { compareFinalStates } from './final-states.js';
import type { Comparison, Robustness } from './result.js';
import { roundByRound } from './rounds.js';

/** How an answer is found. Default: by the solver, and by exploration too if a loop bound leaves the answer open. */
export interface Approach extends Exploration {
  /** By exploration alone. Then the model must be the explored one, and the comparison `prefixes`. */
  readonly explore?: boolean;
}

/** A program, in the instructions of its model, and what to compare. */
export interface RobustInput extends Approach {
  readonly program: Program;
  readonly comparisons: readonly Comparison[];
}

/** What workers are given beside; of the models, the second one is the reference. */
export interface RobustGiven extends Pick<SessionOptions, 'bound' | 'acyclicity'> {
  readonly models: readonly Model[];
  readonly newSolver: SolverFactory;
  readonly deadline: number;
}

/** Compares a program's executions under a model with those of a reference, in one way or several. */
export function analyse(
  { comparisons, ...input }: RobustInput,
  given: RobustGiven,
): readonly Robustness[] {
  const found: Robustness[] = [];
  for (const comparison of comparisons) {
    const started = performance.now();
    const earlier = found.find((f) => f.comparison === 'complete' && f.verdict === 'not robust');
    // An execution that runs to the end is also one in which threads stop somewhere: at the end.
    if (earlier !== undefined && comparison === 'prefixes') {
      found.push({ ...earlier, comparison, milliseconds: 0 });
    } else if (started > given.deadline) {
      const reason = 'time limit reached';
      found.push({ comparison, verdict: 'unknown', reason, milliseconds: 0 });
    } else {
      const finding = compare(comparison, input, given);
      found.push({ comparison, ...finding, milliseconds: performance.now() - started });
    }
  }
  return found;
}

function compare(
  comparison: Comparison,
  { program, explore = false, ...exploration }: Omit<RobustInput, 'comparisons'>,
  { models: [model, reference], newSolver, deadline, bound, acyclicity }: RobustGiven,
): RobustFinding {
  const byExploration = (): RobustFinding =>
    exploreExecutions(program, model, reference, { ...exploration, deadline });
  if (explore) return byExploration();
  if (comparison === 'outcomes') {
    return compareFinalStates(program, model, reference, newSolver, { bound, acyclicity });
  }
  const prefixes = comparison === 'prefixes';
  const within = (most: number | undefined, solver: SolverFactory): RobustFinding => {
    const options = { bound: most, acyclicity, prefixes, everyIteration: true };
    return compareExecutions(program, model, reference, solver, options);
  };
  const given = bound ?? program.bound;
  const solved = hasLoops(program)
    ? roundByRound(given ?? DEFAULT_BOUND, given !== undefined, newSolver, within)
    : within(bound, newSolver);
  // If the user gives a bound, the question is about that bound: no exploration.
  const isIt = bound !== undefined || !hasLoops(program) || solved.verdict === 'not robust';
  if (isIt || (solved.verdict === 'robust' && solved.upTo === undefined)) return solved;
  if (!exploredModel(model).ok) return solved;
  const all = byExploration();
  // An exploration that left runs out says nothing about all runs. Then the answer within the loop bound is given.
  if (all.verdict === 'unknown' && all.explored?.counterBound === undefined) return solved;
  // If all prefixes are SC, so are all complete executions. The converse need not hold.
  if (prefixes || all.verdict !== 'not robust') return all;
  return { ...solved, hint: 'some execution in which threads stop is not SC: see --prefixes' };
}

const hasLoops = ({ threads }: Program): boolean =>
  threads.some((t) => [...instructionsOf(t.body)].some((i) => i.kind === 'loop'));
