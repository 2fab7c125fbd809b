import type { LocationId, Program } from '../../src/program/program.js';
import type { Instruction } from '../../src/rdma/instructions.js';
import { isUnknown, viewed } from '../../src/rdma/instructions.js';
import type { Op, Small, Work } from './programs.js';

/**
 * A test's program in the search's terms, as far as they go: undefined if it has branches or loops,
 * queue pairs with names, or calls that the search does not know.
 * Values and initial values are not kept; the search gives every write a value of its own.
 */
export function smallOf(program: Program): Small | undefined {
  const nodes = [...program.nodes].sort(
    (a, b) => Number(hasThread(program, b)) - Number(hasThread(program, a)),
  );
  const numberOf = (node: string): number => nodes.indexOf(node) + 1;
  const at = (location: LocationId): number => {
    const { node, owner } = program.locations[location];
    const public_ = program.locations.filter((l) => l.node === node && l.owner === owner);
    return public_.indexOf(program.locations[location]);
  };
  const isOwn = (location: LocationId): boolean => program.locations[location].owner === undefined;
  const works = new Map<string, Work>();
  const workOf = (work: string): Work => {
    if (!works.has(work)) works.set(work, works.size === 0 ? 'd' : 'e');
    return works.get(work)!;
  };
  const opsOf = (i: Instruction): readonly Op[] | undefined => {
    switch (i.kind) {
      case 'assign': {
        const reads: Op[] =
          i.value.kind === 'location' ? [{ op: 'read', at: at(i.value.location) }] : [];
        return i.target.kind === 'register'
          ? reads
          : [...reads, { op: 'write', at: at(i.target.location) }];
      }
      case 'get':
      case 'put': {
        const [own, remote] = i.kind === 'get' ? [i.to, i.from] : [i.from, i.to];
        return [
          {
            op: i.kind,
            towards: numberOf(i.node),
            remote: at(remote),
            own: isOwn(own) ? at(own) : undefined,
            work: i.work === undefined ? undefined : workOf(i.work),
          },
        ];
      }
      case 'remote-atomic':
        if (i.update.kind === 'xchg') return undefined;
        return [
          {
            op: i.update.kind === 'cas' ? 'rcas' : 'rfaa',
            towards: numberOf(i.node),
            remote: at(i.location),
            own: isOwn(i.into) ? at(i.into) : undefined,
            work: i.work === undefined ? undefined : workOf(i.work),
          },
        ];
      case 'cas':
        return [{ op: 'cas', at: at(i.location), old: 0 }];
      case 'mfence':
        return [{ op: 'fence' }];
      case 'poll':
      case 'rfence':
        return [{ op: i.kind, towards: numberOf(i.node) }];
      case 'wait':
        return [{ op: 'wait', work: workOf(i.work) }];
      case 'if':
      case 'loop':
      case 'choose':
      case 'assume':
        return undefined;
    }
  };
  const bodies = program.threads.map((t) =>
    t.body.map((i) => (isUnknown(i) || named(viewed(i)) ? undefined : opsOf(viewed(i)))),
  );
  if (bodies.flat().some((ops) => ops === undefined) || works.size > 2) return undefined;
  const threads = program.threads.map((t, i) => ({
    node: numberOf(t.node),
    body: bodies[i].flatMap((ops) => ops!),
  }));
  return { threads: threads.filter(({ body }) => body.length > 0) };
}

const hasThread = ({ threads }: Program, node: string): boolean =>
  threads.some((t) => t.node === node);

/** The search has one queue pair of a thread for each node. */
const named = (i: Instruction): boolean => 'queuePair' in i && i.queuePair !== undefined;
