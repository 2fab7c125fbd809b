import type { Layout } from './layout.js';
import { Undefined } from './compute.js';
import type { Local } from './local.js';
import type { Pairs } from './masks.js';
import type { Plans } from './plan.js';

/** What reads of calls that are not finished find in the state of a machine. */
export class Reads {
  constructor(
    private readonly s: Int32Array,
    private readonly layout: Layout,
    private readonly pairs: Pairs,
    private readonly plans: Plans,
    private readonly localAt: (t: number, i: number) => Local,
  ) {}

  /** The values that a read may find: what is in memory, and what writes that are issued and not observed let it read. */
  readable(t: number, i: number, event: number, local: Local): readonly number[] {
    const { s, layout } = this;
    const { at, width } = layout.pending[t];
    const inMemory = s[layout.memory + local.site.events[event].location!];
    let covering: PendingWrite[] | undefined;
    let early: PendingWrite[] | undefined;
    for (let j = 0; j < s[at]; j++) {
      if (j === i) continue;
      const other = this.localAt(t, j);
      const [first, second] = j < i ? [other, local] : [local, other];
      const { relations, shift, readsEarly } = this.pairs.inOrder(first, second);
      if (!readsEarly) continue;
      const [own, others] = j < i ? [shift / 2, 0] : [0, shift / 2];
      const done = first.done | (second.done << shift);
      for (const { write, read, since } of relations.covering) {
        const isPending = (done & (2 << (2 * write))) === 0 && (done & (1 << since)) !== 0;
        if (read === own + event && isPending) {
          (covering ??= []).push({ call: j, event: write - others });
        }
      }
      for (const { write, read } of relations.early) {
        const isPending = (done & (3 << (2 * write))) === 1 << (2 * write);
        if (read === own + event && isPending) {
          (early ??= []).push({ call: j, event: write - others });
        }
      }
    }
    if (covering === undefined && early === undefined) return [inMemory];
    const values = new Set<number>(covering === undefined ? [inMemory] : []);
    for (const write of early ?? []) {
      if (covering?.every((other) => this.isObservedBefore(t, other, write)) === false) continue;
      const value = this.plans.written(this.localAt(t, write.call), write.event);
      values.add(value(s, at + 2 + write.call * width));
    }
    return [...values];
  }

  /** Is a write observed before another in every run, or the same? */
  private isObservedBefore(t: number, one: PendingWrite, other: PendingWrite): boolean {
    if (one.call === other.call) return one.event === other.event;
    const isFirst = one.call < other.call;
    const [a, b] = [one.call, other.call].map((call) => this.localAt(t, call));
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
