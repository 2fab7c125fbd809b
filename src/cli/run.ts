import type { SingleBar } from 'cli-progress';
import type { Engine } from '../check/engine.js';
import { needsBuiltIn } from '../check/engine.js';
import { createPool } from '../workers/pool.js';
import type { Pool } from '../workers/pool.js';
import { V8_FLAGS } from './v8.js';

export interface RunOptions {
  readonly jobs?: number;
  readonly timeLimit?: number;
  /** The command of a solver, for the engine `native`. */
  readonly solver?: string;
  readonly engine: Engine;
}

/** Workers for one command, and Ctrl-C in good hands from the start. */
export interface Run {
  /**
   * Runs tasks, with a progress bar where people watch, and ends the workers. Ctrl-C ends them
   * too; every task then ends as it would at its time limit, so that all results so far are
   * reported. The results come in the order of the tasks.
   */
  all<T>(
    tasks: readonly ((pool: Pool) => Promise<T>)[],
  ): Promise<{ readonly results: readonly T[]; readonly interrupted: boolean }>;
}

/** `many`: whether there will be work for all workers, so that all are started at once. */
export function startRun({ jobs, timeLimit, solver, engine }: RunOptions, many: boolean): Run {
  const pool = createPool({
    preload: needsBuiltIn(engine),
    flags: V8_FLAGS,
    ...(solver !== undefined && { solver }),
    ...(many && { eager: Infinity }),
    ...(jobs !== undefined && { jobs }),
    ...(timeLimit !== undefined && { timeLimit }),
  });
  let interrupted = false;
  const interrupt = (): void => {
    interrupted = true;
    void pool.close();
  };
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  process.once('SIGHUP', interrupt);
  return {
    async all(tasks) {
      const bar = await progressBar(tasks.length);
      try {
        const results = await Promise.all(
          tasks.map(async (task) => {
            const result = await task(pool);
            bar?.increment();
            return result;
          }),
        );
        return { results, interrupted };
      } finally {
        bar?.stop();
        process.removeListener('SIGINT', interrupt);
        process.removeListener('SIGTERM', interrupt);
        process.removeListener('SIGHUP', interrupt);
        await pool.close();
      }
    },
  };
}

/** A bar on the terminal; none when standard error is a file or a pipe, or there is little to do. */
export async function progressBar(total: number): Promise<SingleBar | undefined> {
  if (process.stderr.isTTY !== true || total < 4) return undefined;
  const { SingleBar } = await import('cli-progress');
  const bar = new SingleBar({
    format: '{bar} {value}/{total}',
    stream: process.stderr,
    clearOnComplete: true,
    hideCursor: true,
  });
  bar.start(total, 0);
  return bar;
}
