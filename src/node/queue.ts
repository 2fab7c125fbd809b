/** What is to be done by workers, of which some have a solver. */
export interface Queue {
  /**
   * Begins a task as soon as a worker is free for it, and ends as the task does; `solves`: whether it will
   * need a solver.
   */
  add<T>(solves: boolean, task: () => Promise<T>): Promise<T>;
}

/**
 * Lets so many tasks run at a time. They begin in order, except that those which need a solver and those
 * which do not may overtake each other where there are several workers: solvers take long to start, and need
 * not all run for a few tasks.
 *
 * @param prefersSolving which kind the worker that is free now is better for
 */
export function createQueue(atATime: number, prefersSolving: () => boolean): Queue {
  const waiting: { readonly solves: boolean; readonly begin: () => void }[] = [];
  let running = 0;
  const next = (): void => {
    if (running === atATime || waiting.length === 0) return;
    const solving = prefersSolving();
    const better = atATime > 1 ? waiting.findIndex(({ solves }) => solves === solving) : 0;
    const [{ begin }] = waiting.splice(Math.max(0, better), 1);
    running += 1;
    begin();
  };
  return {
    async add(solves, task) {
      await new Promise<void>((begin) => {
        waiting.push({ solves, begin });
        next();
      });
      try {
        return await task();
      } finally {
        running -= 1;
        next();
      }
    },
  };
}
