import type { Span } from '../parse/diagnostics/index.js';
import { bodiesOf, instructionsOf } from '../program/instructions.js';
import type {
  Call,
  DeclaredQueuePair,
  Expression,
  Instruction,
  Location,
  LocationId,
  Program,
} from '../program/program.js';
import type { Towards } from './instructions.js';
import { callFor, queuePairKey } from './instructions.js';
import { knownPosting, pollFor } from './postings.js';
import type { Update } from './update.js';

/** An operation that is only there to be polled: after the poll, the earlier operations of its queue pair are done. */
export const FLUSHES = ['get', 'rfaa'] as const;
export type FlushKind = (typeof FLUSHES)[number];

/** The locations of a flush: one at the other end, and one for the value that comes back. */
export interface Flush extends Towards {
  readonly from: LocationId;
  readonly to: LocationId;
  /** The tag of the memory that it reads; undefined: that of the host. */
  readonly memory?: string;
  /** Its work identifier, under a model with waits. */
  readonly work: string;
}

/** The flushes of a thread. */
export interface Flushes {
  /** By queue pair. */
  readonly gets: ReadonlyMap<string, readonly Flush[]>;
  /** Of other memories of the own node, by NICs that write to it, on queue pairs that are there for that. */
  readonly own: readonly Flush[];
}

/**
 * Makes the locations for flushes: a pair for each thread, each of its queue pairs, and each memory of the other node.
 *
 * @param memories the tags of locations that say in which memory these are
 */
export function makeRoom(
  program: Program,
  wanted: boolean,
  memories: readonly string[],
): { readonly program: Program; readonly threads: readonly Flushes[] } {
  const room = new Room(program, memories);
  const threads = program.threads.map((thread, owner): Flushes => {
    if (!wanted) return { gets: new Map(), own: [] };
    const pairs = new Map(thread.body.flatMap((i) => [...targetsOf(program, i)]));
    const gets = [...pairs].map(([key, on]) => [key, room.flushes(owner, on)] as const);
    return { gets: new Map(gets), own: room.byNics(owner) };
  });
  return { program: room.program, threads };
}

/** A program that gets locations and queue pairs for flushes. */
class Room {
  private readonly locations: Location[];
  private readonly queuePairs: DeclaredQueuePair[][];
  private readonly taken: Set<string>;
  /** By node and memory: the locations that flushes read. */
  private readonly remote = new Map<string, LocationId>();

  constructor(
    private readonly given: Program,
    private readonly memories: readonly string[],
  ) {
    const { threads } = given;
    const works = threads.flatMap(({ body }) =>
      [...instructionsOf(body)].flatMap((i) => (i.kind === 'call' ? (i.work ?? []) : [])),
    );
    this.locations = [...given.locations];
    this.queuePairs = threads.map(({ queuePairs = [] }) => [...queuePairs]);
    this.taken = new Set([
      ...this.locations.map(({ name }) => name),
      ...threads.flatMap(({ registers }) => registers),
      ...works,
      ...this.queuePairs.flat().map(({ name }) => name),
    ]);
  }

  get program(): Program {
    const { given, locations, queuePairs } = this;
    const threads = given.threads.map((t, i) =>
      queuePairs[i].length === 0 ? t : { ...t, queuePairs: queuePairs[i] },
    );
    return { ...given, locations, threads };
  }

  /** One for each memory of the other node. */
  flushes(owner: number, on: Towards): readonly Flush[] {
    return [undefined, ...this.memoriesOf(on.node)].map((memory) => this.flush(owner, on, memory));
  }

  byNics(owner: number): readonly Flush[] {
    const { node } = this.given.threads[owner];
    return this.memoriesOf(node).flatMap((memory) =>
      this.nicsOf(node).map((nic) => {
        const on = { node, queuePair: this.pairThrough(owner, node, nic) };
        return this.flush(owner, on, memory);
      }),
    );
  }

  private memoriesOf(node: string): readonly string[] {
    const there = this.given.locations.filter((one) => one.node === node);
    return this.memories.filter((tag) => there.some(({ tags }) => tags?.includes(tag) === true));
  }

  /** The NICs of a node that write to its memory, by what follows `near` or `far` in the tags of queue pairs. */
  private nicsOf(node: string): readonly string[] {
    const pairs = this.given.threads.flatMap(({ node: home, queuePairs = [] }) =>
      queuePairs.flatMap(({ node: other, tags = [] }) => [
        ...(other === node ? nicsIn(tags, 'far') : []),
        ...(home === node ? nicsIn(tags, 'near') : []),
      ]),
    );
    return [...new Set(pairs)];
  }

  /** The queue pair of a thread to its own node through a NIC, with both of its ends there. */
  private pairThrough(owner: number, node: string, nic: string): string {
    const ends = [`near${nic}`, `far${nic}`];
    const own = this.queuePairs[owner];
    const known = own.find(
      ({ node: other, tags = [], joint }) =>
        other === node && joint !== true && ends.every((tag) => tags.includes(tag)),
    );
    if (known !== undefined) return known.name;
    const name = this.fresh(`nic${nic}`);
    this.taken.add(name);
    own.push({ name, node, tags: ends });
    return name;
  }

  private flush(owner: number, on: Towards, memory: string | undefined): Flush {
    const { node, queuePair } = on;
    const suffix = memory === undefined ? '' : `_${memory}`;
    const place = `${node}${suffix}`;
    if (!this.remote.has(place)) {
      this.remote.set(place, this.locations.length);
      const tags = memory === undefined ? {} : { tags: [memory] };
      this.locations.push({ name: this.fresh(`flush${place}`), node, initial: 0, ...tags });
    }
    const from = this.remote.get(place)!;
    const to = this.locations.length;
    const pair = queuePair === undefined ? '' : `_${queuePair}`;
    const name = this.fresh(`flushed${node}${pair}${suffix}`);
    this.locations.push({ name, node: this.given.threads[owner].node, initial: 0, owner });
    // Flushes of different queue pairs need different identifiers.
    const own = this.locations[from].name;
    const work = queuePair === undefined ? own : this.fresh(`${own}_${queuePair}`);
    return { from, to, node, queuePair, memory, work };
  }

  private fresh(name: string): string {
    return this.taken.has(name) ? this.fresh(`${name}_`) : name;
  }
}

const nicsIn = (tags: readonly string[], end: string): readonly string[] =>
  tags.flatMap((tag) => (tag.startsWith(end) ? [tag.slice(end.length)] : []));

const ADD_NOTHING: Update<Expression> = { kind: 'faa', value: { kind: 'int', value: 0 } };

/** A flush, and the poll or wait for it. */
export function flush(
  program: Program,
  kind: FlushKind,
  { from, to, node, queuePair, work: known }: Flush,
  completion: 'poll' | 'wait',
  span: Span,
): readonly Call[] {
  const work = completion === 'wait' ? known : undefined;
  const on = { node, queuePair, work, span };
  return [
    kind === 'get'
      ? callFor({ kind, from, to, ...on })
      : callFor({ kind: 'remote-atomic', update: ADD_NOTHING, location: from, into: to, ...on }),
    work === undefined
      ? pollFor(program, { node, queuePair }, span)
      : callFor({ kind: 'wait', work, span }),
  ];
}

/** The queue pairs that an instruction's remote operations are on, by key; those inside it included. */
export function targetsOf(program: Program, i: Instruction): ReadonlyMap<string, Towards> {
  const posting = knownPosting(program, i);
  if (posting.kind === 'posted') return new Map([[queuePairKey(posting.on), posting.on]]);
  return new Map(bodiesOf(i).flatMap((body) => body.flatMap((j) => [...targetsOf(program, j)])));
}
