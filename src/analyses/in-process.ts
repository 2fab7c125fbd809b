import { EffortSpent, outcomesInStages, withSolver } from '../check/stages.js';
import type { StageMeans } from '../check/stages.js';
import { decideAll } from '../rdma/answers.js';
import { stagesOf } from '../rdma/engines.js';
import type { SolverFactory } from '../solve/solver.js';
import { ANALYSES } from './registry.js';
import type { Pool } from './workers.js';

export interface InProcessOptions {
  /**
   * Loads a solver; without it there is none, and engines that ask one fail. Where it gives undefined, what would be
   * asked of a solver stays open.
   */
  readonly solver?: StageMeans['solver'];
  /** Seconds for one job where an engine watches the time itself; by default 60. */
  readonly timeLimit?: number;
}

/**
 * A pool that does all work in the calling thread, for places without worker threads, such as a page of a browser.
 * Nothing ends a job that takes too long: the caller should do larger jobs in a worker of its own.
 */
export function inProcess({ solver = noSolver, timeLimit = 60 }: InProcessOptions = {}): Pool {
  const means: StageMeans = { solver, started: () => {}, timeLimit: timeLimit * 1000 };
  return {
    decide: (job) => decideAll(job.engine, job, means),
    outcomes: ({ models, ...job }) =>
      outcomesInStages(stagesOf(job.engine), { ...job, model: models[0] }, means, () => {}),
    async analyse({ analysis, engine, models, input, bound }) {
      const perform = await ANALYSES[analysis]();
      const deadline = performance.now() + means.timeLimit;
      try {
        const output = await withSolver(stagesOf(engine), means, (newSolver, acyclicity) =>
          perform(input, { models, deadline, bound, newSolver, acyclicity }),
        );
        return { output };
      } catch (error) {
        if (!(error instanceof EffortSpent)) throw error;
        return { unfinished: error.message };
      }
    },
    async close() {},
  };
}

const noSolver = (): Promise<SolverFactory> =>
  Promise.reject(new Error('there is no solver here: ask the engine search'));
