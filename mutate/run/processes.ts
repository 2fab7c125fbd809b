import { fork } from 'node:child_process';
import type { Outcome, Task } from './task.js';
import { createRunner } from './task.js';

/** Runs tasks in processes of their own, each taking the next one when it is free. */

/** The argument that makes the main script a process for tasks. */
export const WORKER = '--worker';

export function runTasks(
  script: string,
  tasks: readonly Task[],
  processes: number,
  report: (outcomes: readonly Outcome[]) => void,
): Promise<void> {
  const left = [...tasks];
  const run = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const child = fork(script, [WORKER]);
      const next = (): void => {
        const task = left.shift();
        if (task === undefined) child.disconnect();
        else child.send(task);
      };
      child.on('message', (outcomes: readonly Outcome[]) => {
        report(outcomes);
        next();
      });
      child.on('error', reject);
      child.on('exit', (code) => {
        if (code === 0) resolve();
        else reject(new Error(`a process for mutants ended with code ${code}`));
      });
      next();
    });
  return Promise.all(Array.from({ length: processes }, run)).then(() => undefined);
}

/** What such a process does. */
export async function work(): Promise<void> {
  const run = await createRunner();
  process.on('message', (task: Task) => process.send!(run(task)));
}
