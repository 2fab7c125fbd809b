import { BEYOND_EXACT } from '../../program/arithmetic.js';
import type { LocationId } from '../../program/program.js';
import { subjectName } from '../../program/subjects.js';
import type { ExpressionOver } from '../../program/expression.js';
import { divisorsOf, valueOf } from '../../program/expression.js';
import type { Flow, FlowOp, FlowSlot, OpId, SlotValue } from './flow.js';
import type { Needs } from './needs.js';
import { privateSlot } from './needs.js';

/**
 * The values that locations and slots can have, where they matter. The value of a location after the first part of a
 * run is guessed among them (decidability paper, §6.3, step 1). Each thread is explored alone, and its reads find
 * any value that some thread can write. So there may be more values than in real runs. They are finitely many in
 * programs that count up to a fixed number.
 */
export interface Domains {
  /** Ascending. */
  readonly values: ReadonlyMap<LocationId, readonly number[]>;
  /** By thread and slot: the least and the greatest value. */
  readonly ranges: readonly ReadonlyMap<FlowSlot, ValueRange>[];
  /** The greatest absolute value that occurs in any computation. */
  readonly largest: number;
}

export interface ValueRange {
  readonly least: number;
  readonly greatest: number;
}

/** Domains that allow all values, for a system in which nothing is guessed. */
export function unknownDomains({ valued, live }: Needs): Domains {
  const [least, greatest] = [-Infinity, Infinity];
  const ranges = live.map(
    (thread) => new Map(thread.flatMap((slots) => [...slots].map((c) => [c, { least, greatest }]))),
  );
  const values = new Map([...valued].map((location) => [location, [least, greatest]]));
  return { values, ranges, largest: greatest };
}

/** The exploration of a thread gives up after so many states, or so many values of a location. */
const STATE_LIMIT = 20_000;
const VALUE_LIMIT = 500;

/** @returns the domains, or why there are none */
export function domainsOf(needs: Needs): Domains | { readonly reason: string } {
  const { program } = needs;
  const values = new Map<LocationId, Set<number>>();
  for (const location of needs.valued) {
    values.set(location, new Set([program.locations[location].initial]));
  }
  const size = (): number => [...values.values()].reduce((sum, set) => sum + set.size, 0);
  for (;;) {
    const before = size();
    const ranges: ReadonlyMap<FlowSlot, ValueRange>[] = [];
    let largest = Math.max(0, ...[...values.values()].flatMap((set) => [...set].map(Math.abs)));
    for (const [thread, { name }] of program.threads.entries()) {
      const found = survey(needs, thread, values);
      if (found === 'too many') {
        return { reason: `the values that ${name} depends on are too many, perhaps without end` };
      }
      if (found === 'inexact') {
        return { reason: BEYOND_EXACT };
      }
      ranges.push(found.ranges);
      largest = Math.max(largest, found.largest);
    }
    const endless = [...values].find(([, found]) => found.size > VALUE_LIMIT);
    if (endless !== undefined) {
      const name = subjectName(program, { kind: 'location', location: endless[0] });
      return { reason: `the values of ${name} are too many, perhaps without end` };
    }
    if (size() > before) continue;
    const sorted = [...values].map(
      ([location, set]) => [location, [...set].sort((a, b) => a - b)] as const,
    );
    return { values: new Map(sorted), ranges, largest };
  }
}

interface SurveyState {
  readonly at: OpId;
  readonly slots: readonly number[];
}

/** Explores all states of one thread, given what locations can hold. Adds to that what the thread can write. */
function survey(
  needs: Needs,
  thread: number,
  values: ReadonlyMap<LocationId, Set<number>>,
): Pick<ThreadSurvey, 'ranges' | 'largest'> | 'too many' | 'inexact' {
  const flow = needs.flows[thread];
  const privates = needs.privates[thread];
  const surveyed = new ThreadSurvey(needs, thread, values);
  const start = Array.from({ length: flow.slots.length + privates.length }, (_, slot) => {
    const location = privates[slot - flow.slots.length];
    return location === undefined ? 0 : needs.program.locations[location].initial;
  });
  surveyed.arrive(flow.start, start);
  for (let state = surveyed.open.pop(); state !== undefined; state = surveyed.open.pop()) {
    surveyed.step(flow.ops[state.at], state.slots);
    if (surveyed.inexact) return 'inexact';
    if (surveyed.states > STATE_LIMIT) return 'too many';
  }
  return surveyed;
}

class ThreadSurvey {
  /** By slot: the values that it has had. */
  readonly ranges = new Map<FlowSlot, ValueRange>();
  /** The greatest absolute value that was computed. */
  largest = 0;
  /** Has a value left the integers that are exact? */
  inexact = false;
  /** States that are reached, and not gone on from yet. */
  readonly open: SurveyState[] = [];
  private readonly seen = new Set<string>();
  private readonly flow: Flow;
  private readonly privates: readonly LocationId[];
  private readonly live: readonly ReadonlySet<FlowSlot>[];

  constructor(
    private readonly needs: Needs,
    thread: number,
    private readonly values: ReadonlyMap<LocationId, Set<number>>,
  ) {
    this.flow = needs.flows[thread];
    this.privates = needs.privates[thread];
    this.live = needs.live[thread];
  }

  /** How many states are reached. */
  get states(): number {
    return this.seen.size;
  }

  arrive(at: OpId, all: readonly number[]): void {
    const live = this.live[at];
    const slots = all.map((v, slot) => (live.has(slot) ? v : 0));
    const key = `${at},${slots.join()}`;
    if (this.seen.has(key)) return;
    this.seen.add(key);
    for (const slot of live) {
      const { least, greatest } = this.ranges.get(slot) ?? { least: 0, greatest: 0 };
      const v = slots[slot];
      this.ranges.set(slot, { least: Math.min(least, v), greatest: Math.max(greatest, v) });
    }
    this.open.push({ at, slots });
  }

  /** Goes on from a state by an operation. */
  step(op: FlowOp, slots: readonly number[]): void {
    switch (op.kind) {
      case 'end':
        return;
      case 'read':
        for (const v of this.found(op, slots)) {
          const after = slots.with(op.into, v);
          if (op.must !== undefined && !this.evaluate(op.must, after)) continue;
          this.arrive(op.next, after);
        }
        return;
      case 'write': {
        // A value that does not matter may grow without end, and is not a reason to give up.
        const wanted = this.values.has(op.location) || this.isLivePrivate(op);
        const value = wanted
          ? this.evaluate(op.value, slots)
          : (valueOf(op.value, (c) => slots[c]) ?? 0);
        if (value !== undefined) this.arrive(op.next, this.write(op.location, value, slots));
        return;
      }
      case 'cas': {
        const expected = this.evaluate(op.expected, slots);
        const desired = this.evaluate(op.desired, slots);
        if (expected === undefined || desired === undefined) return;
        for (const v of this.found(op, slots)) {
          const after = slots.with(op.into, v);
          this.arrive(op.next, v === expected ? this.write(op.location, desired, after) : after);
        }
        return;
      }
      case 'set': {
        const wanted = this.live[op.next].has(op.slot);
        const value = wanted ? this.evaluate(op.value, slots) : 0;
        if (value !== undefined) this.arrive(op.next, slots.with(op.slot, value));
        return;
      }
      case 'test': {
        const value = this.evaluate(op.condition, slots);
        if (value !== undefined) this.arrive(value !== 0 ? op.then : op.else, slots);
        return;
      }
      case 'choose':
        op.to.forEach((to) => this.arrive(to, slots));
        return;
      case 'mfence':
      case 'rfence':
      case 'poll':
        this.arrive(op.next, slots);
    }
  }

  /** The value of an expression. Undefined: the thread cannot go on. */
  private evaluate(e: SlotValue, slots: readonly number[]): number | undefined {
    const of = (slot: FlowSlot): number => slots[slot];
    const divided = divisorsOf(e).some((d) => valueOf(d, of) === 0);
    if (divided) return undefined;
    const value = valueOf(e, of);
    if (value === undefined) this.inexact = true;
    this.largest = Math.max(this.largest, extent(e, of));
    return value;
  }

  private found(
    op: Extract<FlowOp, { into: FlowSlot }>,
    slots: readonly number[],
  ): Iterable<number> {
    const { kinds, program } = this.needs;
    switch (kinds[op.location]) {
      case 'constant':
        return [program.locations[op.location].initial];
      case 'private':
        return [slots[this.privateSlot(op.location)]];
      case 'single':
      case 'shared':
        return [...(this.values.get(op.location) ?? [0])];
    }
  }

  private write(location: LocationId, value: number, slots: readonly number[]): readonly number[] {
    if (this.needs.kinds[location] !== 'private') {
      this.values.get(location)?.add(value);
      return slots;
    }
    return slots.with(this.privateSlot(location), value);
  }

  private isLivePrivate(op: Extract<FlowOp, { kind: 'write' }>): boolean {
    const isPrivate = this.needs.kinds[op.location] === 'private';
    return isPrivate && this.live[op.next].has(this.privateSlot(op.location));
  }

  private privateSlot(location: LocationId): FlowSlot {
    return privateSlot(this.flow, this.privates, location);
  }
}

/** The greatest absolute value of an expression and of all its parts. */
function extent<Name>(e: ExpressionOver<Name>, of: (name: Name) => number): number {
  const own = Math.abs(valueOf(e, of) ?? 0);
  if (e.kind === 'unary') return Math.max(own, extent(e.arg, of));
  if (e.kind !== 'binary') return own;
  return Math.max(own, extent(e.left, of), extent(e.right, of));
}
