import type { Action } from './control.js';
import { isWrite } from '../program/events/structure.js';
import type { Event } from '../program/events/structure.js';
import type { Cell } from '../program/flow/graph.js';
import type { ClassId } from './classes.js';
import type { Slot } from './compute.js';
import type { Plans } from './plan.js';
import type { EventMask } from './relations.js';

/** Something that a machine does, as it is told while a run is followed. A call is told by its place among those of its thread that are not finished. */
export type TakenStep = { readonly thread: number } & (
  | EventStep
  /** The use of an operation at a place of the thread begins. */
  | {
      readonly kind: 'begin';
      readonly call: number;
      /** Which of the classes that the use may turn out to be. */
      readonly of: ClassId;
      readonly place: number;
      readonly given: readonly number[];
    }
  | { readonly kind: 'set'; readonly cell: Cell; readonly value: number }
  | { readonly kind: 'assertion' }
  /** Passes a point, or enters or leaves a block. */
  | { readonly kind: 'pass' | 'leave'; readonly mark: string }
  /** Calls of which nothing matters any more are forgotten: those that are left, by what they were. */
  | { readonly kind: 'forget'; readonly from: readonly number[] }
);

/** A step of an event. */
interface EventStep {
  readonly kind: 'event';
  readonly call: number;
  readonly event: Event;
  readonly isIssue: boolean;
  /** Is its other step taken with it? */
  readonly isWhole: boolean;
  /** What it reads. */
  readonly reads?: number;
  /** The write of the thread from which that comes before it is in memory. */
  readonly source?: EventInCall;
  /** The call that is its partner by rank. */
  readonly partner?: number;
  /** What it is to write, when that is known. */
  readonly value?: number;
  /** Of a read: what its call is to write to the same place; undefined: nothing. */
  readonly update?: number;
  /** What reaches memory: of the event, or of those that are taken with it. */
  readonly writes: number | undefined;
  /** The events of the call that write it, by their positions. */
  readonly writers: readonly number[];
}

/** An event of a call that is not finished: the call by its place among those of its thread, the event by its position. */
export interface EventInCall {
  readonly call: number;
  readonly event: number;
}

/** Who hears of what threads do. */
export interface StepWatcher {
  /** Hears of the places where threads begin. */
  start(s: Int32Array): void;
  /** Hears of the next step of a thread, before it is taken. */
  compare(t: number, at: number, s: Int32Array): void;
  /** Hears of where a thread goes on, behind a step. */
  follow(t: number, at: number, to: number, s: Int32Array): void;
}

/** More steps than a state remembers. */
const AFTER = 2 ** 20;

/** What has happened since the last step of a machine began, and who wants to know of it. */
export class Moment {
  /** Whether an assertion failed. */
  failed = false;
  /** Whether a thread has passed a mark, or come to its end or to rest. */
  passed = false;
  /** The least bound of a loop beyond which a run would go on, if there is one. Of all steps. */
  cut = Infinity;
  /** Where the steps go that are taken, while a run is told. */
  record: TakenStep[] | undefined;
  /** Whether a step was only impossible because a queue has no more room. */
  cramped = false;
  private clock = 0;
  /** Compares the steps of symmetric threads, if there are some. */
  mirror: StepWatcher | undefined;

  /** Does somebody want to know of each step? */
  get isHeard(): boolean {
    return this.record !== undefined || this.mirror !== undefined;
  }

  begin(): void {
    this.failed = false;
    this.passed = false;
    this.cramped = false;
    this.clock = 0;
    if (this.record !== undefined) this.record.length = 0;
  }

  /** A time that is after all that a state remembers, and after those of this step so far. */
  now(): number {
    return AFTER + this.clock++;
  }
}

/** A step of a call as it is told, after it was taken. */
export function noteAction(
  { plan, event, local, isWhole, sources, partner }: Action,
  plans: Plans,
  s: Int32Array,
  entry: Slot,
  about: {
    readonly thread: number;
    readonly call: number;
    readonly way: number;
    readonly absent: EventMask;
    readonly writers: readonly number[];
    readonly written: number | undefined;
  },
): TakenStep {
  const { thread, call, way, absent, writers, written } = about;
  const source = sources[way];
  const valueOf = (e: number): number => plans.written(local, e).compute(s, entry);
  const isReading = plan.readTo >= 0;
  const updating = isReading
    ? local.site.events.findIndex(
        (other, e) =>
          isWrite(other) &&
          other.location === event.location &&
          (local.executed & ~absent & (1 << e)) !== 0,
      )
    : -1;
  return {
    ...{ kind: 'event', thread, call, event, isIssue: plan.isIssue, isWhole },
    ...(isReading && { reads: s[entry + plan.readTo] }),
    ...(source !== undefined && { source: { call: source.call, event: source.event } }),
    ...(partner !== undefined && { partner }),
    ...(isWrite(event) && { value: valueOf(plan.event) }),
    ...(updating >= 0 && { update: valueOf(updating) }),
    ...{ writes: written, writers },
  };
}
