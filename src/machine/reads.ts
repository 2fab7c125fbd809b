import type { Control, EarlySource, Promised, ReadSource } from './control.js';
import type { Pairs } from './masks.js';
import { isAlive } from './open.js';
import type { Plans } from './plan.js';
import type { StepMask } from './relations.js';

/** What reads may find in the controls of threads. */
export class Reads {
  constructor(
    private readonly pairs: Pairs,
    private readonly plans: Plans,
  ) {}

  /** All that a read of a call may find: what is in memory, and what writes that are issued and not observed let it read. */
  sourcesOf({ calls }: Control, i: number, event: number): readonly ReadSource[] {
    const { early, covering } = this.pendingFor(calls, i, event);
    const found = early.map((write) => this.sourceAt(calls, write, covering));
    return [
      ...(covering.length === 0 ? [undefined] : []),
      ...found.filter((source) => source !== undefined),
    ];
  }

  /** Undefined: the read would read past a write that is observed after the one that it finds. */
  private sourceAt(
    calls: Control['calls'],
    write: PendingWrite,
    covering: readonly PendingWrite[],
  ): EarlySource | undefined {
    const promises: Promised[] = [];
    for (const other of covering) {
      if (other.call === write.call && other.event === write.event) continue;
      if (this.isObservedBefore(calls, write, other)) return undefined;
      if (this.isObservedBefore(calls, other, write)) continue;
      promises.push({ event: write.event, of: other.call, other: other.event });
    }
    const { call, event } = write;
    return { call, event, promises, value: this.plans.written(calls[call].local, event) };
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

  /** Is a write observed before another one in each run that goes on from here? */
  private isObservedBefore(
    calls: Control['calls'],
    one: PendingWrite,
    other: PendingWrite,
  ): boolean {
    const seen = new Set<number>();
    const open = [stepOf(other)];
    for (let step = open.pop(); step !== undefined; step = open.pop()) {
      if (step === stepOf(one)) return true;
      if (seen.has(step)) continue;
      seen.add(step);
      open.push(...this.neededBy(calls, Math.floor(step / STEPS), step % STEPS));
    }
    return false;
  }

  /** The steps of calls that are to come and that a step of a call needs. */
  private neededBy(calls: Control['calls'], i: number, step: number): readonly number[] {
    const { local, promises } = calls[i];
    const found: number[] = [];
    const add = (call: number, mask: StepMask): void => {
      const left = mask & ~calls[call].local.done;
      for (let s = 0; s < STEPS; s++) if ((left & (1 << s)) !== 0) found.push(call * STEPS + s);
    };
    if ((step & 1) === 1) add(i, 1 << (step - 1));
    for (const { event, of, other } of promises) {
      if (step === 2 * event + 1) add(of, 2 << (2 * other));
    }
    for (const [j, { local: other }] of calls.entries()) {
      if (j === i) continue;
      const [first, second] = j < i ? [other, local] : [local, other];
      const { relations, shift } = this.pairs.inOrder(first, second);
      const done = first.done | (second.done << shift);
      const at = j < i ? step + shift : step;
      // A guess that can go one way only has gone it.
      const decided = relations.ways.flatMap((ways) => {
        const alive = ways.filter((way) => isAlive(way, done));
        return alive.length === 1 ? [alive[0][at]] : [];
      });
      const needs = [relations.needs[at], ...decided].reduce((all, mask) => all | mask, 0);
      const [low, high] = [needs & ((1 << shift) - 1), needs >>> shift];
      add(j < i ? j : i, low);
      add(j < i ? i : j, high);
    }
    return found;
  }
}

/** More steps than a call has. */
const STEPS = 32;

/** The observation of a write, among the steps of all calls. */
const stepOf = ({ call, event }: PendingWrite): number => call * STEPS + 2 * event + 1;

/** A write of a call of a thread: the call by its place among those that are not finished. */
interface PendingWrite {
  readonly call: number;
  readonly event: number;
}
