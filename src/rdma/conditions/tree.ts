import type { LocationId, Program } from '../../program/program.js';
import type { RemedyCell } from './remedies.js';
import { remedyCellOf } from './remedies.js';
import type { PathGraph } from './paths.js';
import { ABOUT } from './paths.js';
import type { ThreadAccess, UsedQueuePair } from './topology.js';
import { neighbours, queuePairs, route } from './topology.js';

/** A reason why a program is not tree-fenced, by the number of the property in Def. 9 or 14. */
export type TreeFailure =
  /** An operation's own location is public. */
  | { readonly property: '1'; readonly access: ThreadAccess }
  /** A get may be overtaken by a later operation on its queue pair. */
  | {
      readonly property: '2';
      readonly earlier: ThreadAccess;
      readonly later: ThreadAccess;
      readonly cell: RemedyCell;
    }
  /** Nodes that communicate in a circle. */
  | { readonly property: '3a'; readonly nodes: readonly string[] }
  /** Two nodes with queue pairs towards each other. */
  | { readonly property: '3b'; readonly first: ThreadAccess; readonly second: ThreadAccess }
  /**
   * Two threads of a node with queue pairs towards the same node, or one thread with two. In the paper a thread has one
   * for each node, and the proof orders its operations on a node by it.
   */
  | { readonly property: '3c'; readonly first: ThreadAccess; readonly second: ThreadAccess }
  /** Under TSO, a public CPU write, then a public CPU read, with no fence between. */
  | {
      readonly property: 'tso';
      readonly earlier: ThreadAccess;
      readonly later: ThreadAccess;
      readonly cell: RemedyCell;
    };

/**
 * Why a program is not tree-fenced (robustness paper, Def. 9; under TSO Def. 14).
 *
 * @param reordered pairs of accesses of one thread that are not in `gb`
 */
export function treeFailures(
  program: Program,
  flows: readonly PathGraph[],
  accesses: readonly ThreadAccess[],
  isPublic: ReadonlySet<LocationId>,
  reordered: readonly (readonly [ThreadAccess, ThreadAccess])[],
  tso: boolean,
): readonly TreeFailure[] {
  const own = accesses.filter(
    ({ label, location }) => ABOUT[label].memory === 'own' && isPublic.has(location),
  );
  // `gb` leads from the remote read of a get to a later operation only by way of a remote fence or of its poll.
  const overtaken = reordered.filter(
    ([a, b]) =>
      a.label === 'nrR' && ABOUT[b.label].memory === 'remote' && a.queuePair === b.queuePair,
  );
  const stored = tso ? flows.flatMap((flow, thread) => unfenced(flow, thread, isPublic)) : [];
  return [
    ...own.map((access) => ({ property: '1', access }) as const),
    ...overtaken.map(
      ([earlier, later]) =>
        ({ property: '2', earlier, later, cell: remedyCellOf(earlier, later) }) as const,
    ),
    ...topology(queuePairs(program, accesses)),
    ...stored.map(
      ([earlier, later]) =>
        ({ property: 'tso', earlier, later, cell: remedyCellOf(earlier, later) }) as const,
    ),
  ];
}

/** The failures of property 3, which is about all queue pairs. */
function topology(pairs: readonly UsedQueuePair[]): readonly TreeFailure[] {
  const failures: TreeFailure[] = [];
  const circle = circleOf(pairs);
  if (circle !== undefined) failures.push({ property: '3a', nodes: circle });
  const two = (
    property: '3b' | '3c',
    related: (a: UsedQueuePair, b: UsedQueuePair) => boolean,
  ): void => {
    for (const [i, a] of pairs.entries()) {
      for (const b of pairs.slice(i + 1)) {
        if (related(a, b)) failures.push({ property, first: a.access, second: b.access });
      }
    }
  };
  two('3b', (a, b) => a.to === b.from && b.to === a.from);
  two('3c', (a, b) => a.to === b.to && a.from === b.from);
  return failures;
}

/** Three nodes or more that communicate in a circle: two neighbours that are also connected in another way. */
function circleOf(pairs: readonly UsedQueuePair[]): readonly string[] | undefined {
  for (const { from, to } of pairs) {
    const others = pairs.filter(
      (p) => !(p.from === from && p.to === to) && !(p.from === to && p.to === from),
    );
    const way = route(neighbours(others), from, to);
    if (way !== undefined) return way;
  }
  return undefined;
}

/** The pairs of a public CPU write and a later public CPU read on some path, with no fence between them. */
function unfenced(
  { points, ways }: PathGraph,
  thread: number,
  isPublic: ReadonlySet<LocationId>,
): readonly (readonly [ThreadAccess, ThreadAccess])[] {
  const access = (at: number): ThreadAccess => ({
    ...points[at],
    location: points[at].location!,
    thread,
  });
  const isOf = (at: number, label: string): boolean =>
    points[at].label === label && isPublic.has(points[at].location!);
  return points.flatMap((_, write) => {
    if (!isOf(write, 'lW')) return [];
    const reached = new Set(
      ways.flatMap((list) => list.flatMap(({ point, to }) => (point === write ? [to] : []))),
    );
    const reads = new Set<number>();
    for (const state of reached) {
      for (const { point, to } of ways[state]) {
        if (point !== undefined && isOf(point, 'lR')) reads.add(point);
        if (point === undefined || !FENCES.has(points[point].label)) reached.add(to);
      }
    }
    return [...reads].sort((a, b) => a - b).map((read) => [access(write), access(read)] as const);
  });
}

const FENCES: ReadonlySet<string> = new Set(['F', 'CAS', 'FAA', 'XCHG']);
