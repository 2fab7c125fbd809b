import type { Program, QueuePair } from './program.js';

/** What a program declares of a queue pair. */
export interface QueuePairFacts {
  readonly tags: readonly string[];
  /** Do several threads use it? Then no other queue pair of their node has its name. */
  readonly joint: boolean;
  /** The completion queue of its completions, if that is declared. */
  readonly completions?: string | undefined;
}

const NONE: readonly string[] = [];

/** What a program declares of the queue pairs of one of its threads. */
export function queuePairsOf(
  { threads, completionQueues = [] }: Pick<Program, 'threads' | 'completionQueues'>,
  thread: number,
): (pair: QueuePair) => QueuePairFacts {
  const { node: home, queuePairs = [] } = threads[thread];
  return ({ node, name }) => {
    const declared = queuePairs.find((one) => one.name === name && one.node === node);
    const queue = completionQueues.find(({ of }) => name !== undefined && of.includes(name));
    return {
      tags: declared?.tags ?? NONE,
      joint: declared?.joint === true,
      completions: queue && completionQueueOn(home, queue.name),
    };
  };
}

/** One name for the completion queue of a node: each node has its own. */
export const completionQueueOn = (node: string, name: string): string => `${name} on ${node}`;
