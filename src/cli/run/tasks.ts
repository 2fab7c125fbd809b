import type { Engine } from '../../rdma/engines.js';
import { needsBuiltIn, shortStages } from '../../rdma/engines.js';
import { createWorkers } from '../../node/pool.js';
import type { Pool } from '../../analyses/workers.js';
import type { Workers } from '../../node/pool.js';
import { startProgress } from '../print/progress.js';
import type { Progress } from '../print/progress.js';
import { V8_FLAGS } from './v8.js';

export interface RunOptions {
  readonly jobs?: number;
  readonly timeLimit?: number;
  /** MiB. */
  readonly memory?: number;
  /** The command of a solver, for the engine `native`. */
  readonly solver?: string;
  readonly engine: Engine;
}

/** A piece of work, and its name for people. */
export interface CommandTask<T, Means extends Pool = Pool> {
  readonly name: string;
  do(pool: Means): Promise<T>;
}

/** Workers for one command. From the start, Ctrl-C ends them in order. */
export interface TaskRunner {
  /**
   * Runs tasks, shows progress on a terminal, and ends the workers. Ctrl-C ends them, too; every task then ends as at
   * its time limit, so that all results so far are reported. The results come in the order of the tasks.
   *
   * @param last whether a result is the last one to report: later tasks are ended as soon as all earlier ones are
   * done, and their results are left out
   * @param atOnce how many tasks are under way at once, in their order. Tasks that have not begun at the end or an
   * interruption have no result
   */
  all<T>(
    tasks: readonly CommandTask<T, Workers>[],
    last?: (result: T) => boolean,
    atOnce?: number,
  ): Promise<{ readonly results: readonly T[]; readonly interrupted: boolean }>;
}

/** Workers that are not closed. */
const open = new Set<Workers>();

/** Closes all workers: after an internal error, nobody else does. */
export async function closeAll(): Promise<void> {
  await Promise.all([...open].map((pool) => pool.close()));
}

/**
 * Workers as commands have them. They must be closed.
 *
 * @param many whether there will be work for all workers, so that all are started at once
 * @param explored is called with the number of states that an exploration has found so far
 */
export function poolFor(
  { jobs, timeLimit, memory, solver, engine }: RunOptions,
  many: boolean,
  explored?: (states: number) => void,
): Workers {
  const atOnce = shortStages(engine).length > 0;
  const pool = createWorkers({
    preload: needsBuiltIn(engine),
    flags: V8_FLAGS,
    solver,
    atOnce,
    eager: many ? Infinity : atOnce ? 0 : 1,
    jobs,
    timeLimit,
    memory,
    explored,
  });
  const own: Workers = {
    ...pool,
    get problem() {
      return pool.problem;
    },
    close: () => {
      open.delete(own);
      return pool.close();
    },
  };
  open.add(own);
  return own;
}

/** `many`: whether there will be work for all workers, so that all are started at once. */
export function startRun(options: RunOptions, many: boolean): TaskRunner {
  const pool = poolFor(options, many, (states) => progress?.explored(states));
  let progress: Progress | undefined;
  let interrupted = false;
  const interrupt = (): void => {
    interrupted = true;
    void pool.close();
  };
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  process.once('SIGHUP', interrupt);
  return {
    async all<T>(
      tasks: readonly CommandTask<T, Workers>[],
      last: (result: T) => boolean = () => false,
      atOnce = Infinity,
    ) {
      progress = await startProgress(tasks.length, (i) => tasks[i].name);
      const done = new Set<number>();
      let [reached, end, next] = [0, tasks.length, 0];
      const results: T[] = [];
      const lanes = Math.min(atOnce, tasks.length);
      const one = async (i: number): Promise<void> => {
        results[i] = await tasks[i].do(pool);
        progress?.done(i);
        done.add(i);
        if (last(results[i])) end = Math.min(end, i + 1);
        while (done.has(reached)) reached += 1;
        if (reached >= end && end < tasks.length) void pool.close();
      };
      const lane = async (): Promise<void> => {
        while (next < end && !(interrupted && lanes < tasks.length)) await one(next++);
      };
      try {
        await Promise.all(Array.from({ length: lanes }, lane));
        return { results: results.slice(0, end), interrupted };
      } finally {
        progress?.stop();
        process.removeListener('SIGINT', interrupt);
        process.removeListener('SIGTERM', interrupt);
        process.removeListener('SIGHUP', interrupt);
        await pool.close();
      }
    },
  };
}
