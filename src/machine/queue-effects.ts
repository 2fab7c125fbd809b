import { and } from '../program/formula.js';
import type { Action } from './control.js';
import type { Slot } from './compute.js';
import { counted, fewer, someIn } from './compute.js';
import type { Layout } from './layout.js';
import type { Queues } from './queues.js';
import type { Segment, SegmentDraft, SegmentSplit } from './segments.js';

/** What steps do to the queues of a state. */
export class QueueEffects {
  constructor(
    private readonly layout: Layout,
    private readonly queues: Queues,
  ) {}

  /** Is there no room in a queue for what a call puts there? */
  isFull(s: Int32Array, puts: readonly number[]): boolean {
    const { queueRoom } = this.layout;
    return puts.some((queue) => s[this.slotOf(queue)] >= queueRoom);
  }

  /** A call goes on if there is room. @param full hears of it if there is none */
  room(puts: readonly number[], full: () => void): Pick<SegmentSplit, 'choose' | 'cases'> {
    const { queueRoom } = this.layout;
    const when = and(...puts.map((queue) => fewer(this.slotOf(queue), queueRoom)));
    return {
      choose: (s) => {
        if (!this.isFull(s, puts)) return 0;
        full();
        return -1;
      },
      cases: () => [{ way: 0, when }],
    };
  }

  /** Puts what an event is into the queues that it is for, and takes out what it needs: without that, there is no such step. */
  step(
    draft: SegmentDraft,
    { plan: { event, isIssue }, local }: Action,
    then: (draft: SegmentDraft) => Segment,
  ): Segment {
    const steps = isIssue ? this.queues.of(local.class, event) : [];
    const count = (further: SegmentDraft): Segment => {
      for (const { queue, puts } of steps) {
        const slot = this.slotOf(queue);
        further.set(slot, counted(slot, puts ? 1 : -1), 0);
      }
      return then(further);
    };
    const taken = steps.filter(({ puts }) => !puts).map(({ queue }) => this.slotOf(queue));
    if (taken.length === 0) return count(draft);
    const choose = (s: Int32Array): number => (taken.every((slot) => s[slot] > 0) ? 0 : -1);
    const when = and(...taken.map(someIn));
    return draft.split({ choose, cases: () => [{ way: 0, when }] }, count);
  }

  private slotOf(queue: number): Slot {
    return this.layout.queues + queue;
  }
}
