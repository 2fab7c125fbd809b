import { outcomesInStages } from '../check/stages.js';
import type { Backend, Means } from '../check/stages.js';
import { decideAll } from '../rdma/answers.js';
import { solverOf, stagesOf } from '../rdma/engines.js';
import { ClauseSearch } from '../solve/search/search.js';
import type { SolverFactory } from '../solve/solver.js';
import type { Circumstances } from './circumstances.js';
import { ANALYSES } from './registry.js';
import type { Pool } from './workers.js';

export interface InProcessOptions {
  /** Loads a solver; without it there is none, and engines that ask one fail. */
  readonly solver?: (backend: Backend) => Promise<SolverFactory>;
  /** Seconds for one job where an engine watches the time itself; by default 60. */
  readonly timeLimit?: number;
}

/**
 * A pool that does all work in the calling thread, for places without worker threads, such as a page of a browser.
 * Nothing ends a job that takes too long: the caller should do larger jobs in a worker of its own.
 */
export function inProcess({ solver = noSolver, timeLimit = 60 }: InProcessOptions = {}): Pool {
  const means: Means = { solver, started: () => {}, timeLimit: timeLimit * 1000 };
  return {
    decide: (job) => decideAll(job.engine, job, means),
    outcomes: ({ models, ...job }) =>
      outcomesInStages(stagesOf(job.engine), { ...job, model: models[0] }, means, () => {}),
    async analyse({ analysis, engine, models, input, bound }) {
      const perform = await ANALYSES[analysis]();
      const deadline = performance.now() + means.timeLimit;
      const asked = await solverFor(engine, means);
      return { output: await perform(input, { models, deadline, bound, ...asked }) };
    },
    async close() {},
  };
}

/** The solver that an analysis asks: that of the engine's last stage. */
export async function solverFor(
  engine: Parameters<typeof solverOf>[0],
  { solver }: Pick<Means, 'solver'>,
): Promise<Pick<Circumstances, 'newSolver' | 'acyclicity'>> {
  const stage = solverOf(engine);
  if (stage === undefined) throw new Error(`an analysis needs a solver, and ${engine} asks none`);
  if (stage.kind === 'solve') {
    return { newSolver: await solver(stage.backend), acyclicity: stage.acyclicity };
  }
  return { newSolver: () => new ClauseSearch(stage.effort), acyclicity: 'difference' };
}

const noSolver = (): Promise<SolverFactory> =>
  Promise.reject(new Error('there is no solver here: ask the engine search'));
