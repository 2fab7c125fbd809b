import type { Program } from '../../program/program.js';
import type { RemedyCell } from './remedies.js';
import { remedyCellOf } from './remedies.js';
import type { PathGraph } from './paths.js';
import { ABOUT, pathGraphOf } from './paths.js';
import type { ThreadAccess } from './topology.js';
import { accessesOnPaths, neighbours, publicLocations, queuePairs, route } from './topology.js';
import type { TreeFailure } from './tree.js';
import { treeFailures } from './tree.js';
import { unordered } from './walk.js';

/** The models for which the robustness paper has conditions: RDMA^SC, and RDMA^TSO in App. B. */
export type ConditionModel = 'rdma-sc' | 'rdma-tso';

/** Two accesses of a thread, one after the other on some path, that may be reordered there. */
export interface Unordered {
  readonly earlier: ThreadAccess;
  readonly later: ThreadAccess;
  readonly cell: RemedyCell;
  /** For `fenced`: the nodes by which the two locations are connected without this thread. */
  readonly route?: readonly string[];
}

/** For each condition, the reasons why it fails on some path. Without a reason it holds on all paths. */
export interface Conditions {
  /** Locally data-race free: Def. 7, for both models, read through `gb`. */
  readonly ldrf: readonly Unordered[];
  /** Fenced: Def. 8, under TSO Def. 13. */
  readonly fenced: readonly Unordered[];
  /** Tree-fenced: Def. 9, under TSO Def. 14. */
  readonly treeFenced: readonly TreeFailure[];
}

/**
 * Do the conditions imply that a program is robust? (Theorem 5 or Corollary 1 of the robustness paper; under TSO,
 * Theorem 17 or Corollary 3.)
 */
export const proves = ({ ldrf, fenced, treeFenced }: Conditions): boolean =>
  ldrf.length === 0 && (fenced.length === 0 || treeFenced.length === 0);

/**
 * Checks the conditions on all paths of a program, in which `notUnderConditions` must have found nothing. Every branch counts as possible, and every number of
 * iterations of a loop. So a condition that is said to hold does hold, but one that is said to fail may fail only
 * on a path that no execution takes, or only with accesses of other threads that no execution has together.
 *
 * Initial writes are left out, as in the proofs: nothing comes before them.
 *
 * @returns undefined: because of loops there are too many situations to look at
 */
export function conditionsOf(program: Program, model: ConditionModel): Conditions | undefined {
  const flows = program.threads.map((thread) => pathGraphOf(thread, program.instructions));
  const accesses = accessesOnPaths(flows);
  const isPublic = publicLocations(accesses);
  const all = flows.map((flow) => unordered(flow, 'gb'));
  const under = model === 'rdma-sc' ? all : flows.map((flow) => unordered(flow, 'gb-tso'));

  const ldrf: Unordered[] = [];
  const fenced: Unordered[] = [];
  for (const [thread, flow] of flows.entries()) {
    const [plain, ordered] = [all[thread], under[thread]];
    if (plain === undefined || ordered === undefined) return undefined;
    for (const [earlier, later] of pairsOf(flow, thread, plain)) {
      if (earlier.location === later.location && (writes(earlier) || writes(later))) {
        ldrf.push({ earlier, later, cell: remedyCellOf(earlier, later) });
      }
    }
    const others = accesses.filter((a) => a.thread !== thread && isPublic.has(a.location));
    const graph = neighbours(queuePairs(program, others));
    const nodeOf = ({ location }: ThreadAccess): string => program.locations[location].node;
    for (const [earlier, later] of pairsOf(flow, thread, ordered)) {
      if (!isPublic.has(earlier.location) || !isPublic.has(later.location)) continue;
      const way = route(graph, nodeOf(earlier), nodeOf(later));
      if (way !== undefined) {
        fenced.push({ earlier, later, cell: remedyCellOf(earlier, later), route: way });
      }
    }
  }
  const gets = all.map((found, t) => pairsOf(flows[t], t, found!)).flat();
  const treeFenced = treeFailures(program, flows, accesses, isPublic, gets, model === 'rdma-tso');
  return { ldrf, fenced, treeFenced };
}

const writes = ({ label }: ThreadAccess): boolean => ABOUT[label].writes;

/** The pairs of accesses of a thread that may be reordered. */
function pairsOf(
  { points }: PathGraph,
  thread: number,
  found: readonly ReadonlySet<number>[],
): readonly (readonly [ThreadAccess, ThreadAccess])[] {
  const access = (at: number): ThreadAccess => ({
    ...points[at],
    location: points[at].location!,
    thread,
  });
  return found.flatMap((later, earlier) =>
    points[earlier].location === undefined
      ? []
      : [...later].sort((a, b) => a - b).map((at) => [access(earlier), access(at)] as const),
  );
}
