import type { SessionOptions } from '../check/session.js';
import type { Model } from '../model/term.js';
import type { Program } from '../program/program.js';
import type { SolverFactory } from '../solve/solver.js';
import type { Finding } from './exact.js';
import { compareExecutions } from './exact.js';
import { compareFinalStates } from './final-states.js';
import type { Comparison, Robustness } from './result.js';

/** What is asked about a program: it must be in the instructions of its model. */
export interface RobustInput {
  readonly program: Program;
  readonly comparisons: readonly Comparison[];
}

/** What workers are given beside; of the models, the second one is the reference. */
interface Given extends Pick<SessionOptions, 'bound' | 'acyclicity'> {
  readonly models: readonly Model[];
  readonly newSolver: SolverFactory;
  readonly deadline: number;
}

/** Compares a program's executions under a model with those of a reference, in one way or several. */
export function analyse(
  { program, comparisons }: RobustInput,
  { models: [model, reference], newSolver, deadline, bound, acyclicity }: Given,
): readonly Robustness[] {
  const options = {
    ...(bound !== undefined && { bound }),
    ...(acyclicity !== undefined && { acyclicity }),
  };
  const compare = (comparison: Comparison): Finding =>
    comparison === 'outcomes'
      ? compareFinalStates(program, model, reference, newSolver, options)
      : compareExecutions(program, model, reference, newSolver, {
          ...options,
          prefixes: comparison === 'prefixes',
        });
  const found: Robustness[] = [];
  for (const comparison of comparisons) {
    const started = performance.now();
    const earlier = found.find((f) => f.comparison === 'complete' && f.verdict === 'not robust');
    // An execution to the end is one in which all threads stop there.
    if (earlier !== undefined && comparison === 'prefixes') {
      found.push({ ...earlier, comparison, milliseconds: 0 });
    } else if (started > deadline) {
      const reason = 'time limit reached';
      found.push({ comparison, verdict: 'unknown', reason, milliseconds: 0 });
    } else {
      const finding = compare(comparison);
      found.push({ comparison, ...finding, milliseconds: performance.now() - started });
    }
  }
  return found;
}
