import type { Op, Slot } from './op.js';
import { nextOf } from './op.js';
import type { Sharing } from './sharing.js';

/**
 * Makes one step of each cycle a step of its own. What is taken as soon as it is possible has to come to an end by
 * itself, or what others do would be put off for ever.
 */
export function breakCycles(ops: readonly Op[], { constant, owner }: Sharing): void {
  const isVisible = (op: Op): boolean =>
    op.visible ||
    op.kind === 'update' ||
    (op.kind === 'read' && !constant[op.location] && owner[op.location] < 0);
  // 1: on the way that is being followed, 2: all ways from here are known.
  const state = new Uint8Array(ops.length + 1);
  const visit = (start: number): void => {
    const way: { readonly at: number; readonly next: readonly number[]; k: number }[] = [];
    const open = (at: number): void => {
      state[at] = 1;
      const next = at >= ops.length || isVisible(ops[at]) ? [] : nextOf(ops[at], at);
      way.push({ at, next, k: 0 });
    };
    open(start);
    while (way.length > 0) {
      const top = way[way.length - 1];
      if (top.k === top.next.length || (top.at < ops.length && isVisible(ops[top.at]))) {
        state[top.at] = 2;
        way.pop();
        continue;
      }
      const to = top.next[top.k++];
      if (state[to] === 1) ops[to].visible = true;
      else if (state[to] === 0) open(to);
    }
  };
  for (let at = 0; at < ops.length; at++) if (state[at] === 0) visit(at);
}

/** What a step does with the values of slots. */
export interface Uses {
  readonly reads: readonly Slot[];
  readonly writes: readonly Slot[];
}

/**
 * For each step, and for the end: those of some slots whose values no step from there on needs.
 *
 * @param kept slots that are always needed
 */
export function deadSlots(
  ops: readonly Op[],
  slots: readonly Slot[],
  kept: ReadonlySet<Slot>,
  usesOf: (op: Op) => Uses,
): readonly (readonly Slot[])[] {
  const live: Set<Slot>[] = Array.from({ length: ops.length + 1 }, () => new Set(kept));
  const uses = ops.map(usesOf);
  for (let changed = true; changed;) {
    changed = false;
    for (let at = ops.length - 1; at >= 0; at--) {
      const { reads, writes } = uses[at];
      const before = live[at].size;
      for (const next of nextOf(ops[at], at)) {
        for (const slot of live[next]) if (!writes.includes(slot)) live[at].add(slot);
      }
      for (const slot of reads) live[at].add(slot);
      changed ||= live[at].size !== before;
    }
  }
  return live.map((alive) => slots.filter((slot) => !alive.has(slot)));
}

/**
 * The queue pairs on which each operation is polled before the thread does anything else that is an event: a poll
 * waits for the operation before it, and its answer is there when the thread goes on.
 */
export function polledAtOnce(ops: readonly Op[]): ReadonlySet<number> {
  const found = new Set(ops.filter(({ kind }) => kind === 'request').map((o) => o.queuePair));
  ops.forEach(({ kind, queuePair }, at) => {
    if (kind !== 'request') return;
    let next = at + 1;
    while (ops[next]?.kind === 'set' || ops[next]?.kind === 'assert') next++;
    const after = ops.at(next);
    if (next >= ops.length || after?.kind !== 'poll' || after.queuePair !== queuePair) {
      found.delete(queuePair);
    }
  });
  // Each poll is for one of them, too.
  ops.forEach(({ kind, queuePair }, at) => {
    if (kind !== 'poll' || !found.has(queuePair)) return;
    let last = at - 1;
    while (ops[last]?.kind === 'set' || ops[last]?.kind === 'assert') last--;
    if (ops[last]?.kind !== 'request' || ops[last].queuePair !== queuePair) found.delete(queuePair);
  });
  return found;
}
