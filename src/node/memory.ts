/** How much memory jobs may take. */
import { totalmem } from 'node:os';

/** Milliseconds from one look at the memory to the next. Solvers and explorers take some 100 MiB in this time. */
const EVERY = 100;

/** The part of the memory of the machine or the container that jobs may take by default. Other programs need the rest. */
const PART = 0.9;

const MIB = 2 ** 20;

/** A job that is under way. */
export interface Running {
  end(reason: string): void;
}

/** In MiB: nine tenths of what the container may take, or else of what the machine has. */
export function defaultMemory(): number {
  const [machine, container] = [totalmem(), process.constrainedMemory()];
  // Without a limit, it is 0 or more than any machine has.
  const most = container > 0 ? Math.min(machine, container) : machine;
  return Math.floor((PART * most) / MIB);
}

/**
 * Looks at the memory of this process while jobs are under way. Where it is more than `limit` MiB, the job that has run for the longest is
 * ended: which one takes the memory is not known, as all threads share it.
 *
 * @returns what a pool calls when a job has begun or ended
 */
export function watchMemory(
  limit: number,
  running: () => Iterable<Running>,
): { readonly look: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    const [first] = running();
    if (first === undefined) {
      clearInterval(timer);
      timer = undefined;
      return;
    }
    timer ??= setInterval(look, EVERY).unref();
    if (process.memoryUsage.rss() > limit * MIB) first.end(outOfMemory(limit));
  };
  return { look };
}

/** Why there is no answer, for people. */
export const outOfMemory = (limit: number): string => `memory limit of ${limit} MiB reached`;
