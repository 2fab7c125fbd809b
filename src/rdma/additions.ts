import type { Span } from '../parse/diagnostics/index.js';
import { bodiesOf, mapBodies } from '../program/instructions.js';
import type { Instruction, Program, Thread } from '../program/program.js';
import { accessesOf } from './accesses.js';
import type { Flush, FlushKind } from './flushes.js';
import { FLUSHES, flush, makeRoom, targetsOf } from './flushes.js';
import type { RdmaOperation, Towards } from './instructions.js';
import { callFor, isPosted, queuePairKey, viewedAsPosted, postedViewsOf } from './instructions.js';

/** The kinds of additions, which order more events of a program. Under a model with waits, `poll` is a wait. */
export const ADDITION_KINDS = [
  'rfence',
  'mfence',
  'poll',
  'get-and-poll',
  'rfaa-and-poll',
] as const;
export type AdditionKind = (typeof ADDITION_KINDS)[number];

/** What a repair is made of: additions, and changes of tags. */
export const REPAIR_KINDS = [...ADDITION_KINDS, 'tag'] as const;

export type Costs = Readonly<Record<(typeof REPAIR_KINDS)[number], number>>;
export const DEFAULT_COSTS: Costs = {
  rfence: 1,
  mfence: 2,
  poll: 5,
  'get-and-poll': 10,
  'rfaa-and-poll': 20,
  tag: 3,
};

/** The kinds of additions that can help in a program, the cheapest first. */
export function kindsByCost(program: Program, costs: Costs): readonly AdditionKind[] {
  const { instructions, threads } = program;
  const atomics =
    instructions.operations.some(({ name }) => name === 'rfaa') &&
    threads.some((t) => postedViewsOf(t.body).some(({ kind }) => kind === 'remote-atomic'));
  return ADDITION_KINDS.filter((kind) => kind !== 'rfaa-and-poll' || atomics).sort(
    (a, b) => costs[a] - costs[b],
  );
}

/** Something that may be added at one place of the program's text. All threads of a family get it. */
export interface Addition {
  readonly kind: AdditionKind;
  /** For each thread that has this text, in order. */
  readonly parts: readonly AddedPart[];
  /**
   * The index of an addition at the same place that must be made before this one, which is useless without it: for
   * example, this one is a second poll.
   */
  readonly after?: number;
}

/** The part of an addition in one thread. */
export interface AddedPart {
  readonly thread: number;
  /**
   * The instruction that it goes before: its index in the thread's body. For an instruction inside others: the
   * index of the outer one, the index of its body, the index in that body, and so on. The number of instructions
   * in a body stands for its end.
   */
  readonly place: readonly number[];
  /** Whether the place is in a loop. */
  readonly repeated: boolean;
  readonly instructions: readonly Instruction[];
}

/** A program with locations for additions, and all additions that can help. */
export interface Additions {
  readonly program: Program;
  readonly additions: readonly Addition[];
}

/** At most so many polls are added at one place. */
const POLLS = 4;
/** At most so many gets with their polls are added at one place, for polls that come later. */
const GETS = 4;

/** What a thread may have done before a place. */
interface Past {
  /** For each queue pair, how many remote operations were issued and not polled. */
  readonly open: Map<string, { readonly towards: Towards; readonly count: number }>;
  /** The queue pairs with remote atomics. */
  readonly atomic: Set<string>;
  /** Identifiers of operations that can be waited for. */
  readonly work: Set<string>;
  /** Whether the CPU wrote to memory. */
  wrote: boolean;
}

/**
 * All additions of some kinds that can help:
 * - a remote fence before an operation, where an earlier operation on its queue pair is not polled yet;
 * - a memory fence after a write of the CPU;
 * - a poll after operations that it can wait for;
 * - a get of a new location, and its poll, after such operations;
 * - a remote fetch-and-add of 0 to a new location, and its poll, after remote atomics. It waits for the write part of
 *   the earlier ones where a get does not, without the PCIe guarantee. On the location of the earlier ones it could
 *   overwrite what a CPU stores there.
 *
 * An addition goes before an instruction that has an event. Polls also go at the ends of branches and loops, because
 * this may be the only place where every path has something to poll.
 *
 * @param completion how the model waits for operations
 * @param several whether to offer several gets with their polls at one place
 */
export function additionsOf(
  program: Program,
  kinds: ReadonlySet<AdditionKind>,
  completion: 'poll' | 'wait',
  several = false,
): Additions {
  const flushes = FLUSHES.filter((kind) => kinds.has(`${kind}-and-poll`));
  const room = makeRoom(program, flushes.length > 0);
  const list = new AdditionList();
  program.threads.forEach((thread, index) => {
    const family = program.threads.findIndex((other) => isCopy(other, thread));
    // In the text of a family, queue pairs of its members are the same if they come in the same order.
    const pairs = [...new Map(thread.body.flatMap((i) => [...targetsOf(i)])).keys()];
    const offered = { kinds, flushes, completion, several, gets: room.gets[index] };
    const add: Add = (one) => list.add(index, family, one);
    const nothing = { open: new Map(), atomic: new Set<string>(), work: new Set<string>() };
    new Offering(offered, pairs, add).walk(thread.body, [], { ...nothing, wrote: false }, false);
  });
  return { program: room.program, additions: list.additions };
}

/** What can be added in one thread. */
interface Offered {
  readonly kinds: ReadonlySet<AdditionKind>;
  readonly flushes: readonly FlushKind[];
  readonly completion: 'poll' | 'wait';
  readonly several: boolean;
  /** By queue pair: the locations of its gets. */
  readonly gets: ReadonlyMap<string, Flush>;
}

/** An addition at a place of a thread. */
interface Placed extends Pick<AddedPart, 'place' | 'repeated'>, Pick<Addition, 'kind' | 'after'> {
  /** The key that distinguishes it from others of its kind at its place. */
  readonly which: string;
  readonly make: (span: Span) => readonly RdmaOperation[];
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
    const part = { thread, place, repeated, instructions: make(span).map(callFor) };
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
      if (again) i.body.forEach((inner) => note(inner, past));
      if (doesSomething(i)) this.before(i, { place, repeated }, past);
      bodiesOf(i).forEach((inner, b) => {
        const within = copy(past);
        const inside = repeated || again;
        this.walk(inner, [...place, b], within, inside);
        this.polls({ place: [...place, b, inner.length], repeated: inside }, within);
      });
      note(i, past);
    });
  }

  private before(i: Instruction, where: Where, past: Past): void {
    const { kinds, completion } = this.offered;
    if (kinds.has('mfence') && past.wrote) {
      const make = (span: Span) => [{ kind: 'mfence', span }] as const;
      this.add({ kind: 'mfence', ...where, which: '', make });
    }
    this.flushes(where, past);
    if (kinds.has('poll') && completion === 'wait') {
      for (const work of past.work) {
        const make = (span: Span) => [{ kind: 'wait', work, span }] as const;
        this.add({ kind: 'poll', ...where, which: work, make });
      }
    }
    this.polls(where, past);
    if (kinds.has('rfence')) {
      const towards = targetsOf(i);
      for (const [key, { towards: pair }] of past.open) {
        if (!towards.has(key)) continue;
        const make = (span: Span) => [{ kind: 'rfence', ...pair, span }] as const;
        this.add({ kind: 'rfence', ...where, which: this.role(key), make });
      }
    }
  }

  private flushes(where: Where, past: Past): void {
    const { gets, flushes, completion, several } = this.offered;
    for (const [key, get] of gets) {
      if (!past.open.has(key)) continue;
      // A poll takes the oldest completion. So only the poll of get number open + 1 polls one of these gets.
      const open = past.open.get(key)!.count;
      const most = several && completion === 'poll' ? Math.min(open + 1, GETS) : 1;
      for (const kind of flushes) {
        if (kind === 'rfaa' && !past.atomic.has(key)) continue;
        const make = (span: Span) => flush(kind, get, completion, span);
        this.times(most, key, { kind: `${kind}-and-poll`, ...where, make });
      }
    }
  }

  private polls(where: Where, past: Past): void {
    const { kinds, completion } = this.offered;
    if (!kinds.has('poll') || completion === 'wait') return;
    for (const [key, { towards, count: open }] of past.open) {
      const make = (span: Span) => [{ kind: 'poll', ...towards, span }] as const;
      this.times(Math.min(open, POLLS), key, { kind: 'poll', ...where, make });
    }
  }

  /** Lists several additions of a kind at one place, each after the one before. */
  private times(most: number, key: string, one: Omit<Placed, 'which' | 'after'>): void {
    let after: number | undefined;
    for (let n = 0; n < most; n++) {
      after = this.add({ ...one, which: `${this.role(key)} ${n}`, after });
    }
  }

  private role(key: string): string {
    return `${this.pairs.indexOf(key)}`;
  }
}

/** Do two threads have the same text, as one thread or members of one family? */
const isCopy = (a: Thread, b: Thread): boolean =>
  a === b ||
  (a.span !== undefined &&
    a.span.file === b.span?.file &&
    a.span.start === b.span.start &&
    a.span.end === b.span.end);

/** The program with some additions, and the instructions that are new. */
export function insert(
  program: Program,
  additions: readonly Addition[],
): { readonly program: Program; readonly added: ReadonlySet<Instruction> } {
  const parts = additions.flatMap((a) => a.parts);
  const added = new Set(parts.flatMap((part) => part.instructions));
  return { program: rewrite(program, parts, (part) => part.instructions), added };
}

/** The program with what `render` makes of each part of additions, at its place. */
export function rewrite(
  program: Program,
  parts: readonly AddedPart[],
  render: (part: AddedPart) => readonly Instruction[],
): Program {
  const byPlace = new Map<string, Instruction[]>();
  for (const part of parts) {
    const key = [part.thread, ...part.place].join();
    byPlace.set(key, [...(byPlace.get(key) ?? []), ...render(part)]);
  }
  const body = (list: readonly Instruction[], outer: string): readonly Instruction[] => [
    ...list.flatMap((i, at) => {
      const place = `${outer},${at}`;
      const rewritten = mapBodies(i, (inner, b) => body(inner, `${place},${b}`));
      return [...(byPlace.get(place) ?? []), rewritten];
    }),
    ...(byPlace.get(`${outer},${list.length}`) ?? []),
  ];
  const threads = program.threads.map((t, index) => ({ ...t, body: body(t.body, `${index}`) }));
  return { ...program, threads };
}

function note(given: Instruction, past: Past): void {
  const i = viewedAsPosted(given);
  const count = (towards: Towards, more: number): void => {
    const key = queuePairKey(towards);
    const now = (past.open.get(key)?.count ?? 0) + more;
    const { node, queuePair } = towards;
    past.open.set(key, { towards: { node, queuePair }, count: Math.max(now, 0) });
  };
  if (isPosted(i)) {
    if (i.kind === 'remote-atomic') past.atomic.add(queuePairKey(i));
    count(i, 1);
    if (i.work !== undefined) past.work.add(i.work);
  } else if (i.kind === 'poll') count(i, -1);
  else if ('target' in i) past.wrote ||= i.target.kind === 'location';
  // A poll in a branch or loop may not be performed, so it does not reduce the number left to poll.
  for (const j of bodiesOf(given).flat()) if (viewedAsPosted(j).kind !== 'poll') note(j, past);
}

const copy = ({ open, atomic, work, wrote }: Past): Past => ({
  open: new Map(open),
  atomic: new Set(atomic),
  work: new Set(work),
  wrote,
});

/** Does an instruction make an event that an addition before it can order? */
const doesSomething = (i: Instruction): boolean =>
  accessesOf(viewedAsPosted(i)).length > 0 || bodiesOf(i).some((body) => body.some(doesSomething));
