import type { Span } from '../../parse/diagnostics/index.js';
import type { LocationId, Program } from '../../program/program.js';
import type { PerformedAction } from './explore.js';
import type { Flow, FlowLabel, FlowOp, FlowSlot, OpId, SlotValue } from './flow.js';
import { BY_NIC, successorsOf } from './flow.js';
import type { Towards } from '../instructions.js';
import { valueOf } from '../../program/expression.js';

/**
 * A violating trace in normal form (decidability paper, Theorem 5.1), made from what the threads of the instrumented
 * program have done. It is `T(τ)` of Def. 4: reads-from, modification order and NIC flush order follow from the order of
 * events.
 */
export interface ViolatingRun {
  /** Initial writes first, then thread by thread in program order. */
  readonly events: readonly RunEvent[];
  /** The run: every event of a thread once, by index. */
  readonly order: readonly number[];
  /** How many events of the order are in its first part. */
  readonly first: number;
}

export interface RunEvent {
  /** Index of the thread; undefined for initial writes. */
  readonly thread?: number;
  readonly label: FlowLabel;
  readonly location?: LocationId;
  /** Its queue pair, for polls and events of the NIC. */
  readonly towards?: Towards;
  readonly reads?: number;
  readonly writes?: number;
  readonly span?: Span;
}

interface Raw extends Omit<RunEvent, 'reads' | 'writes'> {
  readonly part: 1 | 2;
  /** Its position in the simulation. */
  readonly at: number;
  readonly isRead: boolean;
  readonly value?: LazyValue;
}

/** A value that is computed later, when all that it depends on is known. */
type LazyValue = () => number;

/**
 * Makes the run of the program from a run of the instrumented program.
 *
 * @param done what was done, in the order of the simulation
 * @throws Error if the values that reads find do not lead a thread along this path
 */
export function runOf(
  program: Program,
  flows: readonly Flow[],
  done: readonly PerformedAction[],
): ViolatingRun {
  const found = new Map<Raw, LazyValue>();
  const checks: (() => boolean)[] = [];
  const threads = flows.map((flow, thread) => perform(flow, thread, done, found, checks));
  const accessed = new Set(
    flows.flatMap(({ ops }) => ops.flatMap((op) => ('location' in op ? [op.location] : []))),
  );
  const locations = [...accessed].sort((a, b) => a - b);
  const initial = (location: LocationId): number => program.locations[location].initial;

  const all = threads.flat();
  const part = (n: 1 | 2): readonly Raw[] =>
    all.filter((e) => e.part === n).sort((a, b) => a.at - b.at);
  const [first, second] = [part(1), part(2)];
  const order = [...first, ...second];

  // What a value depends on comes before it in the order, so that it can be computed now.
  const memory = new Map<LocationId, LazyValue>();
  const reads = new Map<Raw, number>();
  const writes = new Map<Raw, number>();
  for (const event of order) {
    const { location } = event;
    if (location === undefined) continue;
    if (event.isRead) {
      const value = memory.get(location)?.() ?? initial(location);
      reads.set(event, value);
      found.set(event, () => value);
    }
    if (event.value !== undefined) {
      const value = event.value();
      writes.set(event, value);
      memory.set(location, () => value);
    }
  }

  if (!checks.every((holds) => holds())) throw new Error('the run is none of the program');
  const events: RunEvent[] = [
    ...locations.map((location) => ({ label: 'lW' as const, location, writes: initial(location) })),
    ...all.map((event): RunEvent => {
      const { label, thread, location, towards, span } = event;
      const [read, written] = [reads.get(event), writes.get(event)];
      return {
        label,
        thread,
        location,
        towards,
        reads: read,
        writes: written,
        span,
      };
    }),
  ];
  const number = new Map(all.map((event, i) => [event, locations.length + i]));
  return { events, order: order.map((e) => number.get(e)!), first: first.length };
}

/**
 * The events of one thread, in program order. The values of its reads are not known yet.
 *
 * @param checks gets what must be checked when they are known
 */
function perform(
  flow: Flow,
  thread: number,
  done: readonly PerformedAction[],
  found: ReadonlyMap<Raw, LazyValue>,
  checks: (() => boolean)[],
): readonly Raw[] {
  const performed = new PerformedThread(thread, found, checks);
  const own = done.flatMap((step, at) => (step.thread === thread ? [{ step, at }] : []));
  let expected: readonly OpId[] = [flow.start];
  own.forEach(({ step, at }, i) => {
    const op = flow.ops[step.op];
    const goesThere = expected.includes(step.op);
    checks.push(() => goesThere);
    expected = successorsOf(op);
    performed.perform(op, step, at, own.at(i + 1)?.step.op);
  });
  return performed.events;
}

class PerformedThread {
  readonly events: Raw[] = [];
  private readonly slots = new Map<FlowSlot, LazyValue>();
  /** Is an event of the CPU in the second part? */
  private late = false;

  constructor(
    private readonly thread: number,
    private readonly found: ReadonlyMap<Raw, LazyValue>,
    private readonly checks: (() => boolean)[],
  ) {}

  /** Performs an operation, after which the thread goes on at `next`. */
  perform(op: FlowOp, step: PerformedAction, at: number, next: OpId | undefined): void {
    // An event that conflicts with nothing is in the part that its thread is in.
    const part = step.part !== 0 ? step.part : this.late ? 2 : 1;
    const emit = (event: Omit<Raw, 'thread' | 'part' | 'at'>, into?: FlowSlot): void =>
      this.emit({ ...event, thread: this.thread, part, at }, into);
    const { span } = op as { readonly span: Span };
    switch (op.kind) {
      case 'read': {
        const { label, location, towards, into, must } = op;
        emit({ label, location, isRead: true, span, towards }, into);
        if (must !== undefined) this.check(must, true);
        return;
      }
      case 'write': {
        const { label, location, towards } = op;
        const value = this.lazy(op.value);
        return emit({ label, location, isRead: false, value, span, towards });
      }
      case 'cas': {
        const { location, into } = op;
        const wins = step.label === 'CAS';
        const [wanted, value] = [this.lazy(op.expected), this.lazy(op.desired)];
        if (!wins) emit({ label: 'F', isRead: false, span });
        const label = wins ? 'CAS' : 'lR';
        emit({ label, location, isRead: true, span, value: wins ? value : undefined }, into);
        const got = this.slots.get(into)!;
        this.checks.push(() => (got() === wanted()) === wins);
        return;
      }
      case 'mfence':
        return emit({ label: 'F', isRead: false, span });
      case 'rfence':
        return emit({ label: 'nF', towards: op.towards, isRead: false, span });
      case 'poll':
        return emit({ label: 'P', towards: op.towards, isRead: false, span });
      case 'set':
        this.slots.set(op.slot, this.lazy(op.value));
        return;
      case 'test':
        if (next !== undefined && op.then !== op.else) this.check(op.condition, next === op.then);
        return;
      case 'choose':
      case 'end':
        return;
    }
  }

  private emit(event: Raw, into: FlowSlot | undefined): void {
    this.events.push(event);
    this.late ||= event.part === 2 && !BY_NIC[event.label];
    if (into !== undefined) this.slots.set(into, () => this.found.get(event)!());
  }

  private lazy(value: SlotValue): LazyValue {
    const then = new Map(this.slots);
    let known: number | undefined;
    return () => (known ??= valueOf(value, (slot) => then.get(slot)?.() ?? 0) ?? 0);
  }

  /** Has a condition checked later, with the values that the slots have here. */
  private check(condition: SlotValue, truth: boolean): void {
    const holds = this.lazy(condition);
    this.checks.push(() => (holds() !== 0) === truth);
  }
}
