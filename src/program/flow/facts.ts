import { leavesIn } from '../../parse/fold.js';
import type { Cell, FlowGraph, FlowStep, FlowValue } from './graph.js';

/** The cells that a value is computed from. */
const cellsOf = (value: FlowValue): readonly Cell[] => leavesIn(value).map(({ cell }) => cell);

/** The cells that a step reads. */
export function readsOf(step: FlowStep): readonly Cell[] {
  switch (step.kind) {
    case 'use':
      return step.use.given.flatMap((one) => (one.kind === 'value' ? cellsOf(one.value) : []));
    case 'set':
      return cellsOf(step.value);
    case 'assume':
    case 'assert':
    case 'branch':
      return cellsOf(step.condition);
    case 'choose':
    case 'rest':
    case 'goto':
    case 'pass':
    case 'leave':
    case 'cut':
      return [];
  }
}

/** Does it read a location of an expression? These come one after the other, and then the step that uses what they have read. */
export const isReadStep = (step: FlowStep): boolean =>
  step.kind === 'use' && step.use.call === undefined && step.result !== undefined;

/** The cell that a step gives a value. */
export function writtenBy(step: FlowStep): Cell | undefined {
  if (step.kind === 'set') return step.cell;
  return step.kind === 'use' ? step.result : undefined;
}

/** What a step of an analysis adds to what holds behind it, and what it takes away, first. Small numbers. */
export interface FlowTransfer {
  readonly adds: readonly number[];
  readonly removes: readonly number[];
}

/**
 * An analysis that goes backwards from the end: of each step, and of the end, what holds of all that may come from there on, the step itself among it. Sets only
 * grow, until nothing changes.
 *
 * @param kept what holds at the end, and everywhere
 * @returns ascending lists
 */
export function backwards(
  { steps }: FlowGraph,
  kept: readonly number[],
  transferOf: (step: FlowStep, at: number) => FlowTransfer,
): readonly (readonly number[])[] {
  const transfers = steps.map(transferOf);
  const all = [...kept, ...transfers.flatMap(({ adds }) => adds)];
  const words = 1 + (Math.max(0, ...all) >> 5);
  const bits = (list: readonly number[]): Int32Array => {
    const made = new Int32Array(words);
    for (const one of list) if (one >> 5 < words) made[one >> 5] |= 1 << (one & 31);
    return made;
  };
  const found = Array.from({ length: steps.length + 1 }, () => bits(kept));
  const adds = transfers.map((transfer) => bits(transfer.adds));
  const removes = transfers.map((transfer) => bits(transfer.removes));
  for (let changed = true; changed;) {
    changed = false;
    for (let at = steps.length - 1; at >= 0; at--) {
      for (let w = 0; w < words; w++) {
        let behind = 0;
        for (const next of steps[at].next) behind |= found[next][w];
        const now = found[at][w] | (behind & ~removes[at][w]) | adds[at][w];
        changed ||= now !== found[at][w];
        found[at][w] = now;
      }
    }
  }
  return found.map((set) =>
    [...Array(32 * words).keys()].filter((k) => (set[k >> 5] & (1 << (k & 31))) !== 0),
  );
}

/**
 * An analysis that goes forwards from the start: of each step, and of the end, what holds whenever a thread comes there. Undefined: it never does.
 *
 * @param after what holds behind a step; undefined: no run gets past it
 * @param join what holds where two ways meet: the first itself, unless the second changes something. It may do so only so often
 */
export function forwards<Fact>(
  flow: FlowGraph,
  start: Fact,
  after: (fact: Fact, step: FlowStep) => Fact | undefined,
  join: (fact: Fact, other: Fact) => Fact,
): readonly (Fact | undefined)[] {
  const { steps } = flow;
  const found: (Fact | undefined)[] = [start, ...steps.map(() => undefined)];
  for (let changed = true; changed;) {
    changed = false;
    for (const [at, step] of steps.entries()) {
      const before = found[at];
      const fact = before === undefined ? undefined : after(before, step);
      if (fact === undefined) continue;
      for (const next of waysOf(flow, at)) {
        const known = found[next];
        const now = known === undefined ? fact : join(known, fact);
        // What changes further on is seen in this round.
        changed ||= next <= at && now !== known;
        found[next] = now;
      }
    }
  }
  return found;
}

/** Where a thread may go on behind a step; the end, too, where it may stay. */
export function waysOf({ steps }: FlowGraph, at: number): readonly number[] {
  const { kind, next } = steps[at];
  return kind === 'rest' ? [...next, steps.length] : next;
}

/** Numbers of what was called and is not waited for yet. What has no number has 0. */
export type Counts<Key = string> = ReadonlyMap<Key, number>;

/** What is sure on both of two ways, and what is possible on one of them. */
export const least = <Key>(a: Counts<Key>, b: Counts<Key>): Counts<Key> => joined(a, b, Math.min);
export const most = <Key>(a: Counts<Key>, b: Counts<Key>): Counts<Key> => joined(a, b, Math.max);

function joined<Key>(
  known: Counts<Key>,
  other: Counts<Key>,
  pick: (a: number, b: number) => number,
): Counts<Key> {
  if (known === other) return known;
  const changed = [...new Set([...known.keys(), ...other.keys()])].flatMap((key) => {
    const before = known.get(key) ?? 0;
    const now = pick(before, other.get(key) ?? 0);
    return now === before ? [] : [[key, now] as const];
  });
  return changed.length === 0 ? known : new Map([...known, ...changed]);
}
