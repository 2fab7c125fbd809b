import type { LocationId } from '../../program/program.js';
import type { FlowLabel, OpId, ReadLabel, WriteLabel } from './flow.js';
import { onSame } from './flow.js';
import { reachableAfter } from './graph.js';
import type { AccessOp, Needs } from './needs.js';
import { isAccess, mayWrite } from './needs.js';

/**
 * One link of a cycle of SC (decidability paper, §6.5): from the event at which the cycle leaves a thread to the event
 * at which it enters the next one. Both access the same location, and at least one of them writes. It is enough to
 * look for cycles that visit each thread at most once.
 */
export interface Link {
  readonly from: number;
  readonly to: number;
  readonly location: LocationId;
}

/** A cycle: a ring of links. With one thread, it is a link from the thread to itself. */
export type Cycle = readonly Link[];

/** The search gives up after so many rings. */
const CYCLE_LIMIT = 10_000;

/**
 * All rings that some execution may have, the shortest first.
 *
 * In a violation, the ring goes backwards in the run in at least one thread (§6.4). It enters this thread by an event of
 * the NIC in the second part of the run. It leaves it by an event in the first part that is later in program order, and
 * that `oppo` does not keep behind the other. Rings without such a thread are left out, unless `reduce` is false.
 */
export function cyclesOf(
  needs: Needs,
  reduce = true,
): readonly Cycle[] | { readonly reason: string } {
  const threads = needs.flows.map((flow) => {
    const after = reachableAfter(flow);
    const accesses = flow.ops.flatMap((op, id): AccessSite[] =>
      isAccess(op) && needs.kinds[op.location] === 'shared' ? [{ op, id }] : [],
    );
    return { accesses, after };
  });
  const at = (thread: number, location: LocationId): readonly AccessSite[] =>
    threads[thread].accesses.filter(({ op }) => op.location === location);
  const passages = passagesOf(threads, reduce);
  const passage = (thread: number, enters: LocationId, leaves: LocationId) =>
    passages[thread].get(`${enters} ${leaves}`);

  const links: Link[] = threads.flatMap(({ accesses }, from) => {
    const locations = [...new Set(accesses.map(({ op }) => op.location))];
    return locations.flatMap((location) =>
      threads.flatMap((_, to) =>
        conflict(at(from, location), at(to, location)) ? [{ from, to, location }] : [],
      ),
    );
  });

  const found: Cycle[] = [];
  let tooMany = false;
  const extend = (ring: Cycle, late: boolean): void => {
    const last = ring[ring.length - 1];
    const [first] = ring;
    if (last.to === first.from) {
      const through = passage(first.from, last.location, first.location);
      if (through === undefined || !(late || through.late)) return;
      tooMany ||= found.length === CYCLE_LIMIT;
      if (!tooMany) found.push(ring);
      return;
    }
    for (const next of links) {
      if (tooMany) return;
      if (next.from !== last.to || next.to < first.from) continue;
      if (next.to !== first.from && ring.some(({ from }) => from === next.to)) continue;
      if (next.to === next.from) continue;
      const through = passage(next.from, last.location, next.location);
      if (through !== undefined) extend([...ring, next], late || through.late);
    }
  };
  for (const link of links) if (link.to >= link.from) extend([link], false);
  if (tooMany) return { reason: `there are more than ${CYCLE_LIMIT} candidates for a cycle` };
  return found.toSorted((a, b) => a.length - b.length);
}

/** The same ring, beginning with each of its links in turn. */
export const rotations = (cycle: Cycle): readonly Cycle[] =>
  cycle.map((_, i) => [...cycle.slice(i), ...cycle.slice(0, i)]);

interface AccessSite {
  readonly op: AccessOp;
  readonly id: OpId;
}

/** How a cycle can go through a thread. `late`: it can go backwards in the run there (see `cyclesOf`). */
interface Passage {
  readonly late: boolean;
}

/** By thread, and by the locations at which a cycle enters and leaves it. */
function passagesOf(
  threads: readonly {
    readonly accesses: readonly AccessSite[];
    readonly after: readonly ReadonlySet<OpId>[];
  }[],
  reduce: boolean,
): readonly ReadonlyMap<string, Passage>[] {
  return threads.map(({ accesses, after }) => {
    const passages = new Map<string, Passage>();
    for (const a of accesses) {
      for (const b of accesses) {
        const follows = after[a.id].has(b.id);
        if (!follows && a !== b) continue;
        const late = follows && (!reduce || canBeLate(a.op, b.op));
        const key = `${a.op.location} ${b.op.location}`;
        passages.set(key, { late: late || passages.get(key)?.late === true });
      }
    }
    return passages;
  });
}

/** Are there accesses in both lists, and a write in one of them? */
function conflict(a: readonly AccessSite[], b: readonly AccessSite[]): boolean {
  const writes = (sites: readonly AccessSite[]) => sites.some(({ op }) => mayWrite(op));
  return a.length > 0 && b.length > 0 && (writes(a) || writes(b));
}

/**
 * The columns of `oppo` that the row of an access has (decidability paper, Fig. 4): of a NIC event, those on
 * its queue pair.
 */
const KEPT_BEHIND: Readonly<Record<ReadLabel | WriteLabel, readonly FlowLabel[] | 'all'>> = {
  lR: 'all',
  lW: 'all',
  nlR: ['nlR', 'nrW', 'nrR', 'nlW'],
  nrW: ['nrW', 'nrR', 'nlW'],
  nrR: ['nlW'],
  nlW: ['nlW'],
};

/** May an access come in the second part of a run and a later one of its thread in the first? */
function canBeLate(a: AccessOp, b: AccessOp): boolean {
  if (a.kind === 'cas') return false;
  const kept = KEPT_BEHIND[a.label];
  if (kept === 'all') return false;
  const together = b.kind !== 'cas' && onSame(a, b);
  return !(together && kept.includes(b.label));
}
