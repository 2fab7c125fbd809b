import { createWorkers } from '../../node/pool.js';
import type { Pool } from '../../analyses/workers.js';

/** Seconds for one question. An editor should not wait longer. */
export const TIME_LIMIT = 10;

/** Work that runs or waits. */
interface Task {
  readonly key: string;
  begin(): Promise<void>;
  cancel(): void;
}

/**
 * Does work in a worker, one piece after the other. Cancelled work stops at once: its worker is ended, and the next
 * piece gets another.
 */
export class Background {
  private pool: Pool | undefined;
  private readonly waiting: Task[] = [];
  private running: Task | undefined;

  /**
   * Does some work when its turn comes.
   *
   * @param key the name by which it is cancelled
   * @returns what it finds; undefined if it was cancelled
   */
  do<T>(key: string, work: (pool: Pool) => Promise<T>): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      let cancelled = false;
      this.waiting.push({
        key,
        begin: () =>
          work(this.open()).then(
            (value) => resolve(cancelled ? undefined : value),
            (error: unknown) => (cancelled ? resolve(undefined) : reject(error as Error)),
          ),
        cancel: () => {
          cancelled = true;
          resolve(undefined);
        },
      });
      this.next();
    });
  }

  /** Cancels all work whose key satisfies a condition. */
  cancel(isMeant: (key: string) => boolean): void {
    for (const task of this.waiting.filter(({ key }) => isMeant(key))) {
      this.waiting.splice(this.waiting.indexOf(task), 1);
      task.cancel();
    }
    if (this.running === undefined || !isMeant(this.running.key)) return;
    this.running.cancel();
    void this.close();
  }

  /** Ends the worker. Work that runs is answered as interrupted. */
  async close(): Promise<void> {
    const { pool } = this;
    this.pool = undefined;
    await pool?.close();
  }

  private open(): Pool {
    return (this.pool ??= createWorkers({
      jobs: 1,
      eager: 0,
      preload: false,
      timeLimit: TIME_LIMIT,
    }));
  }

  private next(): void {
    if (this.running !== undefined) return;
    const task = this.waiting.shift();
    if (task === undefined) return;
    this.running = task;
    void task.begin().finally(() => {
      this.running = undefined;
      this.next();
    });
  }
}
