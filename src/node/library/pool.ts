import * as workers from '../pool.js';
import type { Pool } from '../../analyses/workers.js';
import { optionProblems } from './arguments.js';

export interface PoolOptions {
  /** Number of worker threads; by default the number of cores. */
  readonly jobs?: number;
  /** Seconds for one query, or one list of states; 60 by default. */
  readonly timeLimit?: number;
  /** MiB that this process may take while it decides; by default nine tenths of what the container, or the machine, has. */
  readonly memory?: number;
  /** The command of an SMT-LIB 2 solver, for the engine `native`. */
  readonly solver?: string;
}

/** The options that pools have. */
export const POOL = ['jobs', 'timeLimit', 'memory', 'solver'] as const;

/**
 * Makes a pool of worker threads, each with a solver of its own. It must be closed, or the process does not
 * end. Where an option cannot be, the pool has no workers, and calls that are given it fail for that reason.
 */
export function createPool(options: PoolOptions = {}): Pool {
  const problems = optionProblems(options, POOL).filter((problem) => problem !== undefined);
  if (problems.length > 0) return brokenPool(problems.join(' '));
  const { jobs, timeLimit, memory, solver } = options;
  return workers.createWorkers({
    jobs,
    timeLimit,
    memory,
    solver,
  });
}

/** A pool that answers nothing, for a reason. */
function brokenPool(problem: string): Pool {
  const unknown = { verdict: 'unknown', reason: problem, flags: [], milliseconds: 0 } as const;
  return {
    problem,
    decide: ({ models, queries }) =>
      Promise.resolve(models.map(() => queries.map((query) => ({ query, ...unknown })))),
    outcomes: () =>
      Promise.resolve({ states: [], flags: [], incomplete: problem, milliseconds: 0 }),
    analyse: () => Promise.resolve({ unfinished: problem }),
    close: () => Promise.resolve(),
  };
}
