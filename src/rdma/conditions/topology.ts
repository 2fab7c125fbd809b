import type { LocationId, Program } from '../../program/program.js';
import type { PathGraph, EventPoint } from './paths.js';
import { ABOUT } from './paths.js';

/** An access of memory by a thread. */
export interface ThreadAccess extends EventPoint {
  readonly thread: number;
  readonly location: LocationId;
}

/** Every access of every thread on all its paths, in textual order. */
export function accessesOnPaths(flows: readonly PathGraph[]): readonly ThreadAccess[] {
  return flows.flatMap(({ points }, thread) =>
    points.flatMap((p) =>
      p.location === undefined ? [] : [{ ...p, location: p.location, thread }],
    ),
  );
}

/** The locations that several threads access (robustness paper, §4.2). */
export function publicLocations(accesses: readonly ThreadAccess[]): ReadonlySet<LocationId> {
  const threads = new Map<LocationId, Set<number>>();
  for (const { location, thread } of accesses) {
    threads.set(location, (threads.get(location) ?? new Set()).add(thread));
  }
  return new Set([...threads].filter(([, by]) => by.size > 1).map(([location]) => location));
}

/** A queue pair of a thread towards a node, and an access that shows it (`hasQP`, §4.2). */
export interface UsedQueuePair {
  readonly thread: number;
  /** The node of the thread. */
  readonly from: string;
  /** The node at the other end. */
  readonly to: string;
  readonly access: ThreadAccess;
}

/** The queue pairs that some accesses use, each once. */
export function queuePairs(
  program: Program,
  accesses: readonly ThreadAccess[],
): readonly UsedQueuePair[] {
  const found = new Map<string, UsedQueuePair>();
  for (const access of accesses) {
    const { thread, label, node, queuePair } = access;
    if (ABOUT[label].memory !== 'remote' || node === undefined) continue;
    const key = `${thread} ${queuePair}`;
    if (found.has(key)) continue;
    found.set(key, { thread, from: program.threads[thread].node, to: node, access });
  }
  return [...found.values()];
}

/** For each node, the nodes that it communicates with. It does not matter which of two has the queue pair. */
export function neighbours(
  pairs: readonly UsedQueuePair[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const { from, to } of pairs) {
    found.set(from, (found.get(from) ?? new Set()).add(to));
    found.set(to, (found.get(to) ?? new Set()).add(from));
  }
  return found;
}

/** A shortest way from node to node, both included; undefined: they do not communicate. */
export function route(
  graph: ReadonlyMap<string, ReadonlySet<string>>,
  from: string,
  to: string,
): readonly string[] | undefined {
  const before = new Map<string, string | undefined>([[from, undefined]]);
  for (const node of before.keys()) {
    if (node === to) {
      const way: string[] = [];
      for (let at: string | undefined = to; at !== undefined; at = before.get(at)) way.unshift(at);
      return way;
    }
    for (const next of graph.get(node) ?? []) if (!before.has(next)) before.set(next, node);
  }
  return undefined;
}
