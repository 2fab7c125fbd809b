import type { Span } from '../parse/diagnostics/index.js';
import { bodiesOf } from '../program/instructions.js';
import type { Call, Instruction, Program, Thread } from '../program/program.js';
import { accessesOf } from './accesses.js';
import type { AddedPart, Addition, AdditionKind, Additions } from './additions.js';
import type { Flush, FlushKind } from './flushes.js';
import { barrier, hostAccess } from './hosts.js';
import { FLUSHES, flush, makeRoom, targetsOf } from './flushes.js';
import type { Towards } from './instructions.js';
import { callFor, isUnknown, queuePairKey, viewed } from './instructions.js';
import {
  completionsOf,
  knownPosting,
  pollFor,
  receivePollFor,
  receiveQueueOf,
} from './postings.js';

/** What can be added to a program, and where: each addition at each place where it can help. */

/** At most so many polls are added at one place. */
const POLLS = 4;
/** At most so many gets with their polls are added at one place, for polls that come later. */
const GETS = 4;

/** What a thread may have done before a place. */
interface Past {
  /** The queue pairs with remote operations that were issued. */
  readonly used: Map<string, Towards>;
  /** For each queue of completions, how many were not polled; and one of its queue pairs. */
  readonly open: Map<string, { readonly on: Towards; readonly count: number }>;
  /** The same for completions of receives, by queue pair, where they do not come to a declared queue. */
  readonly received: Map<string, { readonly on: Towards; readonly count: number }>;
  /** The queue pairs with remote atomics. */
  readonly atomic: Set<string>;
  /** Identifiers of operations that can be waited for. */
  readonly work: Set<string>;
  /** Whether the CPU wrote to memory, whether it read there, and whether there was anything at all. */
  wrote: boolean;
  read: boolean;
  began: boolean;
}

/**
 * All additions of some kinds that can help:
 * - a remote fence before an operation, where an earlier operation on its queue pair is not polled yet;
 * - a memory fence after a write of the CPU, and a barrier after a read or a write;
 * - a poll after operations that it can wait for, and one of receives after these;
 * - a get of a new location, and its poll, after such operations;
 * - a remote fetch-and-add of 0 to a new location, and its poll, after remote atomics. It waits for the write part of
 *   the earlier ones where a get does not, without the PCIe guarantee. On the location of the earlier ones it could
 *   overwrite what a CPU stores there;
 * - a get of other memory of the own node, by a NIC that writes to it, where the model has several memories.
 *
 * An addition goes before an instruction that has an event. Polls also go at the ends of branches and loops, because
 * this may be the only place where every path has something to poll.
 *
 * @param completion how the model waits for operations
 * @param several whether to offer several gets with their polls at one place
 * @param memories the tags of locations that say in which memory these are
 */
export function additionsOf(
  program: Program,
  kinds: ReadonlySet<AdditionKind>,
  completion: 'poll' | 'wait',
  several = false,
  memories: readonly string[] = [],
): Additions {
  const flushes = FLUSHES.filter((kind) => kinds.has(`${kind}-and-poll`));
  const room = makeRoom(program, flushes.length > 0, memories);
  const list = new AdditionList();
  program.threads.forEach((thread, index) => {
    const family = program.threads.findIndex((other) => isCopy(other, thread));
    // In the text of a family, queue pairs of its members are the same if they come in the same order.
    const pairs = [...new Map(thread.body.flatMap((i) => [...targetsOf(program, i)])).keys()];
    const { gets, own } = room.threads[index];
    const offered = { program, kinds, flushes, completion, several, gets, own };
    const add: Add = (one) => list.add(index, family, one);
    new Offering(offered, pairs, add).walk(thread.body, [], nothing(), false);
  });
  return { program: room.program, additions: list.additions };
}

/** What can be added in one thread. */
interface Offered {
  readonly program: Program;
  readonly kinds: ReadonlySet<AdditionKind>;
  readonly flushes: readonly FlushKind[];
  readonly completion: 'poll' | 'wait';
  readonly several: boolean;
  /** By queue pair: the locations of its gets. */
  readonly gets: ReadonlyMap<string, readonly Flush[]>;
  /** Gets of other memory of the own node, by its NICs. */
  readonly own: readonly Flush[];
}

/** An addition at a place of a thread. */
interface Placed extends Pick<AddedPart, 'place' | 'repeated'>, Pick<Addition, 'kind' | 'after'> {
  /** The key that distinguishes it from others of its kind at its place. */
  readonly which: string;
  readonly make: (span: Span) => readonly Call[];
}

/** Adds an addition to the list and returns its index. */
type Add = (one: Placed) => number;

/** The place of an addition. */
type Where = Pick<Placed, 'place' | 'repeated'>;

/** All additions. Additions to the threads of a family are one. */
class AdditionList {
  readonly additions: (Addition & { readonly parts: AddedPart[] })[] = [];
  private readonly known = new Map<string, number>();
  private parts = 0;

  add(
    thread: number,
    family: number,
    { kind, place, repeated, which, make, after }: Placed,
  ): number {
    const span = { file: '', start: this.parts, end: this.parts };
    this.parts += 1;
    const part = { thread, place, repeated, instructions: make(span) };
    const text = [family, kind, place, which].join();
    const same = this.known.get(text);
    if (same === undefined) {
      this.known.set(text, this.additions.length);
      return this.additions.push({ kind, parts: [part], after }) - 1;
    }
    this.additions[same].parts.push(part);
    return same;
  }
}

/** Goes through a thread, and lists the additions that can help at each place. */
class Offering {
  constructor(
    private readonly offered: Offered,
    private readonly pairs: readonly string[],
    private readonly add: Add,
  ) {}

  walk(
    body: readonly Instruction[],
    outer: readonly number[],
    past: Past,
    repeated: boolean,
  ): void {
    body.forEach((i, at) => {
      const place = [...outer, at];
      const again = i.kind === 'loop';
      // An earlier iteration may have done what the body of a loop does.
      if (again) i.body.forEach((inner) => this.note(inner, past));
      if (doesSomething(this.offered.program, i)) this.before(i, { place, repeated }, past);
      bodiesOf(i).forEach((inner, b) => {
        const within = copy(past);
        within.read ||= accessOf(i, 'reads');
        const inside = repeated || again;
        this.walk(inner, [...place, b], within, inside);
        this.polls({ place: [...place, b, inner.length], repeated: inside }, within);
      });
      this.note(i, past);
    });
  }

  private before(i: Instruction, where: Where, past: Past): void {
    const { program, kinds, completion } = this.offered;
    if (kinds.has('mfence') && past.wrote) {
      const make = (span: Span) => [callFor({ kind: 'mfence', span })];
      this.add({ kind: 'mfence', ...where, which: '', make });
    }
    for (const [which, is] of [
      ['ld', past.read],
      ['st', past.wrote],
    ] as const) {
      if (!kinds.has('barrier') || !is) continue;
      this.add({ kind: 'barrier', ...where, which, make: (span) => [barrier(which, span)] });
    }
    this.flushes(where, past);
    if (kinds.has('poll') && completion === 'wait') {
      for (const work of past.work) {
        const make = (span: Span) => [callFor({ kind: 'wait', work, span })];
        this.add({ kind: 'poll', ...where, which: work, make });
      }
    }
    this.polls(where, past);
    if (kinds.has('rfence')) {
      const towards = targetsOf(program, i);
      for (const [key, pair] of past.used) {
        if (!towards.has(key)) continue;
        const make = (span: Span) => [callFor({ kind: 'rfence', ...pair, span })];
        this.add({ kind: 'rfence', ...where, which: this.role(key), make });
      }
    }
  }

  private flushes(where: Where, past: Past): void {
    const { program, gets, own, flushes, completion, several } = this.offered;
    for (const [key, all] of gets) {
      if (!past.used.has(key)) continue;
      // A poll takes the oldest completion. So only the poll of get number open + 1 polls one of these gets.
      const open = past.open.get(completionsOf(program, past.used.get(key)!))?.count ?? 0;
      const most = several && completion === 'poll' ? Math.min(open + 1, GETS) : 1;
      for (const kind of flushes) {
        if (kind === 'rfaa' && !past.atomic.has(key)) continue;
        for (const get of all) {
          const make = (span: Span) => flush(program, kind, get, completion, span);
          const of = `${this.role(key)}${get.memory ?? ''}`;
          this.times(most, of, { kind: `${kind}-and-poll`, ...where, make });
        }
      }
    }
    if (!past.began || !flushes.includes('get')) return;
    for (const get of own) {
      const make = (span: Span) => flush(program, 'get', get, completion, span);
      this.times(1, `own ${get.queuePair}`, { kind: 'get-and-poll', ...where, make });
    }
  }

  private polls(where: Where, past: Past): void {
    const { program, kinds, completion } = this.offered;
    if (kinds.has('pollr')) {
      for (const [key, { on, count }] of past.received) {
        const make = (span: Span) => [receivePollFor(on, span)];
        this.times(Math.min(count, POLLS), key, { kind: 'pollr', ...where, make });
      }
    }
    if (!kinds.has('poll') || completion === 'wait') return;
    for (const [key, { on, count }] of past.open) {
      const make = (span: Span) => [pollFor(program, on, span)];
      const of = key === queuePairKey(on) ? this.role(key) : key;
      this.times(Math.min(count, POLLS), of, { kind: 'poll', ...where, make });
    }
  }

  /** Lists several additions of a kind at one place, each after the one before. */
  private times(most: number, of: string, one: Omit<Placed, 'which' | 'after'>): void {
    let after: number | undefined;
    for (let n = 0; n < most; n++) after = this.add({ ...one, which: `${of} ${n}`, after });
  }

  private role(key: string): string {
    return `${this.pairs.indexOf(key)}`;
  }

  private note(given: Instruction, past: Past): void {
    const { program } = this.offered;
    past.began ||= doesSomething(program, given);
    const i = knownPosting(program, given);
    switch (i.kind) {
      case 'posted': {
        const key = queuePairKey(i.on);
        past.used.set(key, i.on);
        if (i.isAtomic) past.atomic.add(key);
        count(past.open, completionsOf(program, i.on), i.on, i.completes ? 1 : 0);
        if (i.work !== undefined) past.work.add(i.work);
        break;
      }
      case 'poll': {
        const open = past.open.get(i.of);
        if (open !== undefined) count(past.open, i.of, open.on, -1);
        break;
      }
      case 'receive':
      case 'receive-poll': {
        const more = i.kind === 'receive' ? 1 : -1;
        const queue = receiveQueueOf(program, i.on);
        if (queue === undefined) count(past.received, queuePairKey(i.on), i.on, more);
        else count(past.open, queue, i.on, more);
        break;
      }
      case 'other':
        past.wrote ||= storesAlone(given);
        past.read ||= accessOf(given, 'reads');
    }
    // A poll in a branch or loop may not be performed, so it does not reduce the number left to poll.
    for (const j of bodiesOf(given).flat()) {
      if (!/poll$/.test(knownPosting(program, j).kind)) this.note(j, past);
    }
  }
}

/** Does an instruction make an event that an addition before it can order? */
export function doesSomething(program: Program, i: Instruction): boolean {
  const { kind } = knownPosting(program, i);
  return (
    kind === 'posted' ||
    kind === 'receive' ||
    accessOf(i, 'reads') ||
    accessOf(i, 'writes') ||
    bodiesOf(i).some((body) => body.some((inner) => doesSomething(program, inner)))
  );
}

/** Do two threads have the same text, as one thread or members of one family? */
export const isCopy = (a: Thread, b: Thread): boolean =>
  a === b ||
  (a.span !== undefined &&
    a.span.file === b.span?.file &&
    a.span.start === b.span.start &&
    a.span.end === b.span.end);

/** Is it a write that is no atomic? */
const storesAlone = (i: Instruction): boolean => {
  const access = hostAccess(i);
  if (access !== undefined) return access.join() === 'writes';
  if (isUnknown(i)) return false;
  const own = viewed(i);
  return 'target' in own && own.target.kind === 'location';
};

/** Does an instruction itself read, or write, memory? */
const accessOf = (i: Instruction, kind: 'reads' | 'writes'): boolean =>
  hostAccess(i)?.includes(kind) ??
  (!isUnknown(i) && accessesOf(viewed(i)).some((one) => one.kind === kind));

const nothing = (): Past => ({
  ...{ used: new Map(), open: new Map(), received: new Map() },
  ...{ atomic: new Set(), work: new Set(), wrote: false, read: false, began: false },
});

const copy = ({ used, open, received, atomic, work, ...rest }: Past): Past => ({
  ...rest,
  ...{ used: new Map(used), open: new Map(open), received: new Map(received) },
  ...{ atomic: new Set(atomic), work: new Set(work) },
});

function count(counts: Past['open'], key: string, on: Towards, more: number): void {
  const now = (counts.get(key)?.count ?? 0) + more;
  counts.set(key, { on, count: Math.max(now, 0) });
}
