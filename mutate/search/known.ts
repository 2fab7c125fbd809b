import type { LocationId, Program } from '../../src/program/program.js';
import type { RdmaInstruction } from '../../src/rdma/instructions.js';
import { isUnknown, viewed } from '../../src/rdma/instructions.js';
import type { Op, Small, Work } from './programs.js';

/**
 * A test's program in the search's terms, as far as they go: undefined if it has branches or loops,
 * queue pairs with names, or calls that the search does not know.
 * Values and initial values are not kept; the search gives every write a value of its own.
 */
export function smallOf(program: Program): Small | undefined {
  const numbers = new Numbers(program);
  const bodies = program.threads.map((t) =>
    t.body.map((i) => (isUnknown(i) || named(viewed(i)) ? undefined : opsOf(viewed(i), numbers))),
  );
  if (bodies.flat().some((ops) => ops === undefined) || numbers.works > 2) return undefined;
  const threads = program.threads.map((t, i) => ({
    node: numbers.node(t.node),
    body: bodies[i].flatMap((ops) => ops!),
  }));
  return { threads: threads.filter(({ body }) => body.length > 0) };
}

/** What the search calls the nodes, locations and work identifiers of a program. */
class Numbers {
  private readonly nodes: readonly string[];
  private readonly known = new Map<string, Work>();

  constructor(private readonly program: Program) {
    this.nodes = [...program.nodes].sort(
      (a, b) => Number(hasThread(program, b)) - Number(hasThread(program, a)),
    );
  }

  node(name: string): number {
    return this.nodes.indexOf(name) + 1;
  }

  location(location: LocationId): number {
    const { locations } = this.program;
    const { node, owner } = locations[location];
    return locations
      .filter((l) => l.node === node && l.owner === owner)
      .indexOf(locations[location]);
  }

  /** Of a private location, nothing. */
  public(location: LocationId): number | undefined {
    return this.program.locations[location].owner === undefined
      ? this.location(location)
      : undefined;
  }

  work(work: string | undefined): Work | undefined {
    if (work === undefined) return undefined;
    if (!this.known.has(work)) this.known.set(work, this.works === 0 ? 'd' : 'e');
    return this.known.get(work);
  }

  /** How many work identifiers there are so far. */
  get works(): number {
    return this.known.size;
  }
}

function opsOf(i: RdmaInstruction, numbers: Numbers): readonly Op[] | undefined {
  switch (i.kind) {
    case 'assign': {
      const { value, target } = i;
      const reads: Op[] =
        value.kind === 'location' ? [{ op: 'read', at: numbers.location(value.location) }] : [];
      if (target.kind === 'register') return reads;
      return [...reads, { op: 'write', at: numbers.location(target.location) }];
    }
    case 'get':
    case 'put': {
      const [own, remote] = i.kind === 'get' ? [i.to, i.from] : [i.from, i.to];
      return [{ op: i.kind, ...remoteOf(i, own, remote, numbers) }];
    }
    case 'remote-atomic': {
      const { update, into, location } = i;
      if (update.kind === 'xchg') return undefined;
      const op = update.kind === 'cas' ? 'rcas' : 'rfaa';
      return [{ op, ...remoteOf(i, into, location, numbers) }];
    }
    case 'cas':
      return [{ op: 'cas', at: numbers.location(i.location), old: 0 }];
    case 'mfence':
      return [{ op: 'fence' }];
    case 'poll':
    case 'rfence':
      return [{ op: i.kind, towards: numbers.node(i.node) }];
    case 'wait':
      return [{ op: 'wait', work: numbers.work(i.work)! }];
    case 'if':
    case 'loop':
    case 'choose':
    case 'assume':
      return undefined;
  }
}

/** What all operations on another node have. */
const remoteOf = (
  { node, work }: { readonly node: string; readonly work?: string },
  own: LocationId,
  remote: LocationId,
  numbers: Numbers,
) => ({
  towards: numbers.node(node),
  remote: numbers.location(remote),
  own: numbers.public(own),
  work: numbers.work(work),
});

const hasThread = ({ threads }: Program, node: string): boolean =>
  threads.some((t) => t.node === node);

/** The search has one queue pair of a thread for each node. */
const named = (i: RdmaInstruction): boolean => 'queuePair' in i && i.queuePair !== undefined;
