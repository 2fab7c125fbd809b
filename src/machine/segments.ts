import type { ExpressionOver } from '../program/expression.js';
import { nameExpression } from '../program/expression.js';
import { not } from '../program/formula.js';
import type { Computed, Slot } from './compute.js';
import type { Layout } from './layout.js';
import { checked } from './layout.js';
import type { Local } from './local.js';

/** Something that is done with a state. */
export type SlotOperation = (s: Int32Array) => void;

/** What operations mean, as data: a slot gets a value, or an assertion fails where a value is 0. Slots of the value count from `at`. */
export type SlotEffect = { readonly at: Slot; readonly value: ExpressionOver<Slot> } & (
  | { readonly kind: 'set'; readonly slot: Slot }
  | { readonly kind: 'assert' }
);

/**
 * What a thread and its calls do in one go, whatever the values are: operations on a state, one after the other. How it goes on is known, or depends on the state: then
 * there is a segment for each way, made when it is first taken.
 */
export interface Segment {
  readonly operations: readonly SlotOperation[];
  /** The same without what only tells of it: enough where nobody listens. */
  readonly changes: readonly SlotOperation[];
  /** The slots that they set. */
  readonly slots: readonly Slot[];
  /** All that the operations do with a state, in order. */
  readonly effects: readonly SlotEffect[];
  /** Does the thread pass a mark, or come to its end or to rest? */
  readonly passes: boolean;
  readonly then: End | SegmentSplit | undefined;
}

/** The thread has come to a control. */
interface End {
  readonly kind: 'end';
  /** By its number. */
  readonly control: number;
}

export interface SegmentSplit {
  readonly kind: 'split';
  /** Which way it goes in a state; a negative number: there is no such run. */
  readonly choose: (s: Int32Array) => number;
  /** The same as data: all ways that there are. Not of what comes first if others let it. */
  readonly cases?: () => readonly WayCase[];
  readonly ways: (Segment | undefined)[];
  readonly make: (way: number) => Segment;
}

/** When it goes a way. */
export interface WayCase {
  readonly way: number;
  readonly when: ExpressionOver<Slot>;
  /** A step of a call that other threads have to allow, too. */
  readonly linked?: { readonly local: Local; readonly step: number };
}

/** The first way unless a value is 0, and the second one if it is. */
export const eitherWay = (value: ExpressionOver<Slot>): readonly WayCase[] => [
  { way: 0, when: value },
  { way: 1, when: not(value) },
];

/** A segment that is being made. */
export class SegmentDraft {
  /** Does the thread pass a mark, or come to its end or to rest? */
  passes = false;
  private readonly operations: SlotOperation[] = [];
  private readonly changes: SlotOperation[] = [];
  private readonly slots: Slot[] = [];
  private readonly effects: SlotEffect[] = [];

  constructor(private readonly layout: Layout) {}

  /** Who wants to know of it hears of something. It changes nothing in the state. */
  tell(operation: SlotOperation): void {
    this.operations.push(operation);
  }

  /**
   * Sets a slot.
   *
   * @param at from where slots of the value count
   * @param about the slot that a value which grows is called by
   */
  set(slot: Slot, { expression: value, compute }: Computed, at: Slot, about = slot): void {
    const { layout } = this;
    this.effects.push({ kind: 'set', slot, value, at });
    this.change(slot, (s) => (s[slot] = checked(layout, compute(s, at), about)));
  }

  /** Sets a slot that is not the value of a variable, and may be large. */
  store(slot: Slot, { expression: value, compute }: Computed): void {
    this.effects.push({ kind: 'set', slot, value, at: 0 });
    this.change(slot, (s) => (s[slot] = compute(s, 0)));
  }

  /** Sets a slot to what is in another one. */
  copy(to: Slot, from: Slot): void {
    this.effects.push({ kind: 'set', slot: to, value: nameExpression(from), at: 0 });
    this.change(to, (s) => (s[to] = s[from]));
  }

  /** Notes in a slot when something is done, as others see it later. */
  note(slot: Slot, now: () => number): void {
    this.change(slot, (s) => (s[slot] = now()));
  }

  /** @param fail hears of it */
  assert({ expression: value, compute }: Computed, fail: () => void): void {
    this.effects.push({ kind: 'assert', value, at: 0 });
    this.both((s) => {
      if (compute(s, 0) === 0) fail();
    });
  }

  private change(slot: Slot, operation: SlotOperation): void {
    this.both(operation);
    this.slots.push(slot);
  }

  private both(operation: SlotOperation): void {
    this.operations.push(operation);
    this.changes.push(operation);
  }

  end(control: number): Segment {
    return this.with({ kind: 'end', control });
  }

  /** There is no such run. */
  never(): Segment {
    return this.with(undefined);
  }

  /** @param make what comes of each way that `choose` may say */
  split(
    how: Pick<SegmentSplit, 'choose' | 'cases'>,
    make: (draft: SegmentDraft, way: number) => Segment,
  ): Segment {
    return this.with({
      ...{ ...how, kind: 'split', ways: [] },
      make: (way) => make(new SegmentDraft(this.layout), way),
    });
  }

  private with(then: Segment['then']): Segment {
    const { operations, changes, effects, passes } = this;
    return { operations, changes, slots: [...new Set(this.slots)], effects, passes, then };
  }
}
