import type { LocationId, Program } from '../../src/program/program.js';
import type { Machine } from '../../src/rdma/machines/machine.js';
import type { MachineState, Packet, Request } from '../../src/rdma/machines/state.js';
import type { ThreadLabel } from '../../src/rdma/machines/thread.js';
import { offerOf, threadStart } from '../../src/rdma/machines/thread.js';
import { updated } from '../../src/rdma/update.js';

/**
 * The annotated semantics (TSO paper, App. D.1): what memory and buffers hold are events, and each step has a label with the events that it is
 * about. Programs take the steps of `src/rdma/machines`, hardware those written here. Buffers have the oldest entry first, and paths the
 * earliest label; the paper writes both the other way round.
 */

/** An event, or a put, a get or a notification, which the paper counts among its extended events. */
export interface AnnotatedEvent {
  readonly id: number;
  readonly kind:
    | ('lR' | 'lW' | 'CAS' | 'F' | 'P' | 'nlR' | 'nlW' | 'nrR' | 'nrW' | 'nF')
    | ('put' | 'get' | 'nlEX' | 'nrEX');
  /** Of an initial write: -1. */
  readonly thread: number;
  /** Of all that belong to one: its index. */
  readonly queuePair?: number;
  readonly location?: LocationId;
  readonly reads?: number;
  readonly writes?: number;
  /** Of a put or get: where to. */
  readonly to?: LocationId;
}

type Kind = AnnotatedEvent['kind'];

/** A label (Fig. 25): `lR⟨r, w⟩` is of type `lR`, and of r and w. A write is `B⟨w⟩` when it comes into memory. */
export interface AnnotatedLabel {
  readonly type:
    | ('lR' | 'lW' | 'CAS' | 'F' | 'Push' | 'NIC' | 'nlR' | 'nrR' | 'nlW' | 'nrW')
    | ('CN' | 'P' | 'nF' | 'B');
  readonly of: readonly AnnotatedEvent[];
}

interface QueuePair {
  readonly pipe: readonly AnnotatedEvent[];
  readonly wbR: readonly AnnotatedEvent[];
  readonly wbL: readonly AnnotatedEvent[];
}

export interface Buffers {
  /** By location, the last write. */
  readonly memory: readonly AnnotatedEvent[];
  /** By thread. */
  readonly store: readonly (readonly AnnotatedEvent[])[];
  readonly pairs: readonly QueuePair[];
}

export interface Configuration extends Buffers {
  readonly threads: MachineState['threads'];
  readonly path: readonly AnnotatedLabel[];
}

export const initialWrites = ({ locations }: Program): readonly AnnotatedEvent[] =>
  locations.map(({ initial }, location) => ({
    ...{ id: -1 - location, kind: 'lW', thread: -1, location, writes: initial },
  }));

export const annotatedStart = ({ program, codes, queuePairs }: Machine): Configuration => ({
  memory: initialWrites(program),
  store: codes.map(() => []),
  pairs: queuePairs.map(() => ({ pipe: [], wbR: [], wbL: [] })),
  threads: codes.map(threadStart),
  path: [],
});

/** What a thread finds at a location: its own youngest write that waits, or what is in memory. */
const foundBy = ({ memory, store }: Buffers, thread: number, location: LocationId) =>
  store[thread].findLast((e) => e.kind === 'lW' && e.location === location) ?? memory[location];

const isOneOf = (kinds: readonly Kind[]) => (e: AnnotatedEvent) => kinds.includes(e.kind);
const isNotification = isOneOf(['nlEX', 'nrEX']);
/** What may be before an entry of a pipe that moves. */
const BEFORE_PUT = isOneOf(['nrW', 'get', 'nlW', 'nrEX']);
const BEFORE = isOneOf(['get', 'nlW', 'nrEX']);

/** The hardware's step with a label (Figs. 27 and 28); undefined where a premise fails. */
export function hardwareStep(buffers: Buffers, { type, of }: AnnotatedLabel): Buffers | undefined {
  const [event, second] = of;
  const { memory, store } = buffers;
  const own = store[event.thread];
  const stored = (entries: typeof own) => ({ store: store.with(event.thread, entries) });
  const reads = (found: AnnotatedEvent) =>
    found.id === second.id && found.location === event.location && found.writes === event.reads;
  switch (type) {
    case 'lW':
    case 'Push':
      return { ...buffers, ...stored([...own, event]) };
    case 'lR':
      return reads(foundBy(buffers, event.thread, event.location!)) ? buffers : undefined;
    case 'CAS':
      if (own.length > 0 || !reads(memory[event.location!])) return undefined;
      return { ...buffers, memory: memory.with(event.location!, event) };
    case 'F':
      return own.length > 0 ? undefined : buffers;
    case 'B':
      if (event.kind !== 'lW') return pairStep(buffers, { type, of });
      if (own[0] !== event) return undefined;
      return { ...buffers, ...stored(own.slice(1)), memory: memory.with(event.location!, event) };
    case 'NIC': {
      const entered = own[0] === event ? pairStep(buffers, { type, of }) : undefined;
      return entered && { ...entered, ...stored(own.slice(1)) };
    }
    default:
      return pairStep(buffers, { type, of });
  }
}

/** The steps of queue pairs, and those of others with them. */
function pairStep(buffers: Buffers, { type, of }: AnnotatedLabel): Buffers | undefined {
  const [event, second, operation, write] = of;
  const { memory, pairs } = buffers;
  const pair = pairs[event.queuePair!];
  const { pipe, wbR, wbL } = pair;
  const become = (change: Partial<QueuePair>, next = memory): Buffers => ({
    ...buffers,
    memory: next,
    pairs: pairs.with(event.queuePair!, { ...pair, ...change }),
  });
  const rest = { pipe: pipe.slice(1) };
  /** An entry of the pipe becomes another one, if those before it may be passed. */
  const moved = (from: AnnotatedEvent, to: AnnotatedEvent, passes: typeof BEFORE) => {
    const at = pipe.indexOf(from);
    return at >= 0 && pipe.slice(0, at).every(passes) ? { pipe: pipe.with(at, to) } : undefined;
  };
  /** A card reads what is in memory, once no write waits in a buffer. */
  const reads = (waiting: typeof pipe) =>
    waiting.every(isNotification) &&
    memory[event.location!].id === second.id &&
    event.reads === second.writes &&
    write.writes === event.reads;
  switch (type) {
    case 'NIC':
      return become({ pipe: [...pipe, event] });
    case 'nF':
      return pipe[0] === event ? become(rest) : undefined;
    case 'nlR': {
      const change = moved(operation, write, BEFORE_PUT);
      return change && reads(wbL) ? become(change) : undefined;
    }
    case 'nrR': {
      const change = moved(operation, write, BEFORE);
      return change && reads(wbR) ? become(change) : undefined;
    }
    case 'nrW': {
      const change = moved(event, second, BEFORE);
      return change && become({ ...change, wbR: [...wbR, event] });
    }
    case 'nlW':
      return pipe[0] === event ? become({ ...rest, wbL: [...wbL, event, second] }) : undefined;
    case 'CN':
      return pipe[0] === event ? become({ ...rest, wbL: [...wbL, event] }) : undefined;
    case 'P':
      if (wbL[0] !== second || !isNotification(second)) return undefined;
      return become({ wbL: wbL.slice(1) });
    case 'B': {
      const next = memory.with(event.location!, event);
      if (event.kind === 'nrW')
        return wbR[0] === event ? become({ wbR: wbR.slice(1) }, next) : undefined;
      const at = wbL.indexOf(event);
      if (at < 0 || !wbL.slice(0, at).every(isNotification)) return undefined;
      return become({ wbL: wbL.toSpliced(at, 1) }, next);
    }
    default:
      throw new Error(`no step of queue pairs: ${type}`);
  }
}

/** Makes events that a path does not have yet. */
type Fresh = (event: Omit<AnnotatedEvent, 'id'>) => AnnotatedEvent;

/** Labels of hardware that may be possible: one at least for each that is. */
function* hardwareLabels(
  { memory, store, pairs }: Buffers,
  fresh: Fresh,
): Generator<AnnotatedLabel> {
  for (const [oldest] of store) {
    if (oldest !== undefined) yield { type: oldest.kind === 'lW' ? 'B' : 'NIC', of: [oldest] };
  }
  for (const { pipe, wbR, wbL } of pairs) {
    for (const entry of pipe) yield labelOf(entry, memory, fresh);
    for (const entry of [...wbR, ...wbL])
      if (!isNotification(entry)) yield { type: 'B', of: [entry] };
  }
}

/** The label with which an entry of a pipe moves on. */
function labelOf(entry: AnnotatedEvent, memory: Buffers['memory'], fresh: Fresh): AnnotatedLabel {
  const { kind, thread, queuePair, location, to } = entry;
  const on = { thread, queuePair };
  switch (kind) {
    case 'put':
    case 'get': {
      const [reading, writing] =
        kind === 'put' ? (['nlR', 'nrW'] as const) : (['nrR', 'nlW'] as const);
      const found = memory[location!];
      const read = fresh({ ...on, kind: reading, location, reads: found.writes });
      const write = fresh({ ...on, kind: writing, location: to, writes: found.writes });
      return { type: reading, of: [read, found, entry, write] };
    }
    case 'nrW':
    case 'nlW':
      return { type: kind, of: [entry, fresh({ ...on, kind: kind === 'nrW' ? 'nrEX' : 'nlEX' })] };
    case 'nrEX':
      return { type: 'CN', of: [entry] };
    case 'nF':
      return { type: kind, of: [entry] };
    default:
      throw new Error(`${kind} is in no pipe`);
  }
}

/** Labels of a thread's step, one after the other, and what it finds (Fig. 26); none where it has to wait for a completion. */
function threadLabels(
  configuration: Configuration,
  thread: number,
  label: ThreadLabel,
  fresh: Fresh,
): { readonly labels: readonly AnnotatedLabel[]; readonly found?: number } | undefined {
  const { memory, pairs } = configuration;
  switch (label.kind) {
    case 'read': {
      const { location } = label;
      const found = foundBy(configuration, thread, location);
      const read = fresh({ kind: 'lR', thread, location, reads: found.writes });
      return { labels: [{ type: 'lR', of: [read, found] }], found: found.writes };
    }
    case 'write': {
      const { location, value: writes } = label;
      return { labels: [{ type: 'lW', of: [fresh({ kind: 'lW', thread, location, writes })] }] };
    }
    case 'update': {
      const { location } = label;
      const found = memory[location];
      const on = { thread, location, reads: found.writes };
      const writes = updated(label.update, found.writes!);
      if (writes !== undefined) {
        const update = fresh({ ...on, kind: 'CAS', writes });
        return { labels: [{ type: 'CAS', of: [update, found] }], found: found.writes };
      }
      const fence: AnnotatedLabel = { type: 'F', of: [fresh({ kind: 'F', thread })] };
      const read: AnnotatedLabel = { type: 'lR', of: [fresh({ ...on, kind: 'lR' }), found] };
      return { labels: [fence, read], found: found.writes };
    }
    case 'mfence':
      return { labels: [{ type: 'F', of: [fresh({ kind: 'F', thread })] }] };
    case 'poll': {
      const { queuePair } = label;
      const [completion] = pairs[queuePair].wbL;
      if (completion === undefined) return undefined;
      return { labels: [{ type: 'P', of: [fresh({ kind: 'P', thread, queuePair }), completion] }] };
    }
    case 'request':
      if (label.request.kind === 'words') throw new Error('the paper has no several words');
      return { labels: [{ type: 'Push', of: [fresh({ ...requested(label.request), thread })] }] };
  }
}

function requested(request: Request): Omit<AnnotatedEvent, 'id' | 'thread'> {
  const { kind, queuePair } = request;
  if (kind === 'atomic') throw new Error('the paper has no remote atomics');
  if (kind === 'rfence') return { kind: 'nF', queuePair };
  return { kind, queuePair, location: request.from, to: request.to };
}

/** All steps from a configuration (App. D.2, gluing). */
export function* annotatedSteps({ codes }: Machine, from: Configuration): Generator<Configuration> {
  let made = 0;
  const fresh: Fresh = (event) => ({ ...event, id: 100 * from.path.length + made++ });
  for (const [thread, code] of codes.entries()) {
    const offer = offerOf(code, from.threads[thread]);
    if (offer.kind === 'silent') {
      for (const next of offer.next) yield { ...from, threads: from.threads.with(thread, next) };
    }
    if (offer.kind !== 'label') continue;
    const taken = threadLabels(from, thread, offer.label, fresh);
    const next = taken && along(from, taken.labels);
    if (next) yield { ...next, threads: next.threads.with(thread, offer.next(taken.found)) };
  }
  for (const label of hardwareLabels(from, fresh)) {
    const next = along(from, [label]);
    if (next !== undefined) yield next;
  }
}

/** The hardware takes steps with these labels. */
export function along(
  from: Configuration,
  labels: readonly AnnotatedLabel[],
): Configuration | undefined {
  return labels.reduce<Configuration | undefined>((before, label) => {
    const after = before && hardwareStep(before, label);
    return after && { ...before, ...after, path: [...before.path, label] };
  }, from);
}

/** The configuration without its annotations (App. D.5). */
export const forgotten = ({ threads, memory, store, pairs }: Configuration): MachineState => ({
  threads,
  memory: memory.map(({ writes }) => writes!),
  storeBuffers: store.map((entries) =>
    entries.map((e) => (e.kind === 'lW' ? written(e) : (packet(e) as Request))),
  ),
  queuePairs: pairs.map(({ pipe, wbR, wbL }) => ({
    stages: [pipe.map(packet)],
    wbR: wbR.map(written),
    wbL: wbL.map((e) => (isNotification(e) ? { kind: 'completion' } : written(e))),
  })),
});

const written = ({ location, writes }: AnnotatedEvent) =>
  ({ kind: 'write', location: location!, value: writes! }) as const;

function packet({ kind, queuePair, location, writes, to }: AnnotatedEvent): Packet {
  switch (kind) {
    case 'put':
    case 'get':
      return { kind, from: location!, to: to!, queuePair: queuePair! };
    case 'nF':
      return { kind: 'rfence', queuePair: queuePair! };
    case 'nrW':
      return { kind: 'sent', location: location!, value: writes! };
    case 'nlW':
      return { kind: 'fetched', location: location!, value: writes! };
    case 'nrEX':
      return { kind: 'ack' };
    default:
      throw new Error(`${kind} is in no pipe`);
  }
}
