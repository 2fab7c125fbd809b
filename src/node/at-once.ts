import { isSmall } from '../check/size.js';
import type { Answer, Outcomes } from '../check/result.js';
import type { StageMeans } from '../check/stages.js';
import { isStateQuery } from '../program/program.js';
import { decideInStages, GAVE_UP, outcomesInStages } from '../check/stages.js';
import type { DecideJob, OutcomesJob } from '../analyses/workers.js';
import type { Test } from '../program/program.js';
import { shortStages } from '../rdma/engines.js';
import { setFlags } from './flags.js';

/** So many queries are tried at most: each may take all the effort, and meanwhile the thread hears of nothing else. */
const QUERIES = 8;

/** Jobs after which a run is long enough for flags to pay. */
const LONG_RUN = 16;

/** So many final states are listed at most: to list them takes half a second. */
const STATES = 1000;

/** There is no solver here: what the search gives up is left to a worker. */
const SHORT: StageMeans = {
  solver: () => Promise.resolve(undefined),
  started: () => {},
  timeLimit: 0,
};

/** The calling thread, which does jobs that take less time than to start a worker. It does one at a time. */
export interface CallingThread {
  /** Ends when it is free; undefined if it is. */
  readonly busy: Promise<unknown> | undefined;
  /** The answers by model; undefined where one of them takes longer. */
  decide(job: DecideJob): Promise<readonly (readonly Answer[])[] | undefined>;
  /** All final states; undefined where that may take longer. */
  outcomes(job: OutcomesJob): Promise<Outcomes | undefined>;
}

/** @param flags flags of V8 that are set in a long run: there may be no worker that sets them */
export function callingThread(flags: readonly string[]): CallingThread {
  let busy: Promise<unknown> | undefined;
  let jobs = 0;

  /** Works once workers and signals have been heard. Where this fails, a worker will fail as well, and say why. */
  const work = <T>(job: () => Promise<T | undefined>): Promise<T | undefined> => {
    jobs += 1;
    if (jobs === LONG_RUN) setFlags(flags);
    const working = new Promise((resolve) => setImmediate(resolve))
      .then(job)
      .catch(() => undefined)
      .finally(() => (busy = undefined));
    busy = working;
    return working;
  };

  return {
    get busy() {
      return busy;
    },
    async decide({ tests, queries, engine, bound, ...job }) {
      const stages = shortStages(engine);
      // What is asked of runs takes the states of a machine.
      const isShort = (test: Test, i: number) =>
        queries.every((query) => isStateQuery(test.queries[query])) &&
        isSmall(test, job.models[i], bound);
      const short = queries.length <= QUERIES && tests.every(isShort);
      if (stages.length === 0 || !short) return undefined;
      return work(async () => {
        const answers = await decideInStages(stages, { ...job, tests, queries, bound }, SHORT);
        return answers.flat().some(({ reason }) => reason === GAVE_UP) ? undefined : answers;
      });
    },
    async outcomes({ models: [model], engine, ...job }) {
      const stages = shortStages(engine);
      if (stages.length === 0 || !isSmall(job.test, model, job.bound)) return undefined;
      let states = 0;
      const count = () => {
        if (++states > STATES) throw new Error('there are too many final states');
      };
      return work(async () => {
        const outcomes = await outcomesInStages(stages, { ...job, model }, SHORT, count);
        return outcomes.incomplete === GAVE_UP ? undefined : outcomes;
      });
    },
  };
}
