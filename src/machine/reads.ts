import type { Control, Source } from './control.js';
import { Undefined } from './compute.js';
import type { Pairs } from './masks.js';
import type { Plans } from './plan.js';

/** What reads may find in the controls of threads. */
export class Reads {
  constructor(
    private readonly pairs: Pairs,
    private readonly plans: Plans,
  ) {}

  /** All that a read of a call may find: what is in memory, and what writes that are issued and not observed let it read. */
  sourcesOf({ calls }: Control, i: number, event: number): readonly Source[] {
    const { early, covering } = this.pendingFor(calls, i, event);
    const visible = early.filter((write) =>
      covering.every((other) => this.isObservedBefore(calls, other, write)),
    );
    return [
      ...(covering.length === 0 ? [undefined] : []),
      ...visible.map(({ call, event: write }) => ({
        ...{ call, event: write },
        value: this.plans.written(calls[call].local, write),
      })),
    ];
  }

  /** Writes that a read may find early, and those past which it must not read. */
  private pendingFor(calls: Control['calls'], i: number, event: number) {
    const { local } = calls[i];
    const [early, covering]: [PendingWrite[], PendingWrite[]] = [[], []];
    for (const [j, { local: other }] of calls.entries()) {
      if (j === i) continue;
      const [first, second] = j < i ? [other, local] : [local, other];
      const { relations, shift, readsEarly } = this.pairs.inOrder(first, second);
      if (!readsEarly) continue;
      const [own, others] = j < i ? [shift / 2, 0] : [0, shift / 2];
      const done = first.done | (second.done << shift);
      for (const { write, read, since } of relations.covering) {
        const isPending = (done & (2 << (2 * write))) === 0 && (done & (1 << since)) !== 0;
        if (read === own + event && isPending) covering.push({ call: j, event: write - others });
      }
      for (const { write, read } of relations.early) {
        const isPending = (done & (3 << (2 * write))) === 1 << (2 * write);
        if (read === own + event && isPending) early.push({ call: j, event: write - others });
      }
    }
    return { early, covering };
  }

  /** Is a write observed before another in every run, or the same? */
  private isObservedBefore(
    calls: Control['calls'],
    one: PendingWrite,
    other: PendingWrite,
  ): boolean {
    if (one.call === other.call) return one.event === other.event;
    const isFirst = one.call < other.call;
    const [a, b] = [one.call, other.call].map((call) => calls[call].local);
    const { relations, shift } = isFirst ? this.pairs.inOrder(a, b) : this.pairs.inOrder(b, a);
    const { needs } = relations;
    const from = isFirst ? one.event : shift / 2 + one.event;
    const to = isFirst ? shift / 2 + other.event : other.event;
    if ((needs[2 * to + 1] & (2 << (2 * from))) !== 0) return true;
    if ((needs[2 * from + 1] & (2 << (2 * to))) !== 0) return false;
    throw new Undefined('two writes that are not ordered are read past: that is not supported yet');
  }
}

/** A write of a call of a thread: the call by its place among those that are not finished. */
interface PendingWrite {
  readonly call: number;
  readonly event: number;
}
