import { and } from '../program/formula.js';
import type { Action } from './control.js';
import type { Computed, Slot } from './compute.js';
import { counted, fewer, isFirst, someIn, withLast, withoutFirst } from './compute.js';
import type { Layout } from './layout.js';
import { LARGEST_VALUE } from './layout.js';
import type { QueueKinds, QueueStep } from './queue-step.js';
import type { Queues } from './queues.js';
import type { Segment, SegmentDraft, SegmentSplit } from './segments.js';

/** What steps do to the queues of a state. */
export class QueueEffects {
  constructor(
    private readonly layout: Layout,
    private readonly queues: Queues,
  ) {}

  /** Is there no room in a queue for what a call puts there? */
  isFull(s: Int32Array, puts: readonly QueueStep[]): boolean {
    return puts.some((step) => s[this.slotOf(step)] >= this.fullFrom(step));
  }

  /** A call goes on if there is room. @param full hears of it if there is none */
  room(puts: readonly QueueStep[], full: () => void): Pick<SegmentSplit, 'choose' | 'cases'> {
    const when = and(...puts.map((step) => fewer(this.slotOf(step), this.fullFrom(step))));
    return {
      choose: (s) => {
        if (!this.isFull(s, puts)) return 0;
        full();
        return -1;
      },
      cases: () => [{ way: 0, when }],
    };
  }

  /**
   * Puts what an event is into the queues that it is for, and takes out what it needs: without that, there is no such step.
   *
   * @param full hears of it if there is no such step because a queue has no more room
   */
  step(
    draft: SegmentDraft,
    { plan: { event, isIssue }, local, isWhole }: Action,
    full: () => void,
    then: (draft: SegmentDraft) => Segment,
  ): Segment {
    // What has two steps is there for others with the second one.
    const steps = isIssue === isWhole ? this.queues.of(local.class, event) : [];
    const count = (further: SegmentDraft): Segment => {
      for (const step of steps) further.store(this.slotOf(step), this.after(step));
      return then(further);
    };
    const taken = steps.filter(({ puts }) => !puts);
    const crowded = steps.filter(({ puts, kinds }) => puts && kinds !== undefined);
    const room = (further: SegmentDraft): Segment =>
      crowded.length === 0 ? count(further) : further.split(this.room(crowded, full), count);
    if (taken.length === 0) return room(draft);
    const heads = taken.map((step) => this.isThere(step));
    const choose = (s: Int32Array): number =>
      heads.every(({ compute }) => compute(s, 0) !== 0) ? 0 : -1;
    const when = and(...heads.map(({ expression }) => expression));
    return draft.split({ choose, cases: () => [{ way: 0, when }] }, room);
  }

  private isThere({ kinds, ...step }: QueueStep): Computed {
    const slot = this.slotOf(step);
    return kinds === undefined ? someIn(slot) : isFirst(slot, kinds);
  }

  /** What a queue is after a step. */
  private after({ puts, kinds, ...step }: QueueStep): Computed {
    const slot = this.slotOf(step);
    if (kinds === undefined) return counted(slot, puts ? 1 : -1);
    return puts ? withLast(slot, kinds, this.longest(kinds)) : withoutFirst(slot, kinds);
  }

  /** The least number that is a queue without room. */
  private fullFrom({ kinds }: QueueStep): number {
    return kinds === undefined
      ? this.layout.queueRoom
      : (kinds.of + 1) ** (this.longest(kinds) - 1);
  }

  /** How many things fit into a queue of things of several kinds. */
  private longest({ of }: QueueKinds): number {
    return Math.max(1, Math.floor(Math.log(LARGEST_VALUE) / Math.log(of + 1)));
  }

  private slotOf({ queue }: Pick<QueueStep, 'queue'>): Slot {
    return this.layout.queues + queue;
  }
}
