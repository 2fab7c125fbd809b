import type { Code } from './code.js';
import type { Layout } from './layout.js';
import type { Op, Slot } from './op.js';
import type { Permutation } from './permutations.js';

/**
 * Which slots hold identities of symmetric threads, as far as it is known: where threads change places, so do these
 * numbers. What is copied from such a slot is an identity, too. That more of them hold one is found out when a number
 * turns out to differ (`Mirror`); a wrong guess makes nothing wrong, since every step is compared.
 */
export class Identities {
  private readonly marked: Uint8Array;
  /** By slot: those that hold the same kind of number. */
  private readonly same: readonly ReadonlySet<Slot>[];

  constructor(layout: Layout, permutations: readonly Permutation[]) {
    const count = layout.memory + layout.program.locations.length;
    const same = Array.from({ length: layout.size }, () => new Set<Slot>());
    const unite = (a: Slot, b: Slot): void => {
      same[a].add(b);
      same[b].add(a);
    };
    for (let slot = 0; slot < count; slot++) {
      for (const { slots } of permutations) if (slots[slot] !== undefined) unite(slot, slots[slot]);
    }
    const { locations } = layout.program;
    layout.temporaries.forEach((slots) => {
      for (const [l, slot] of slots) unite(slot, layout.memory + l);
    });
    for (const { from, to } of layout.requests) {
      if (locations[from].hidden !== true) unite(layout.memory + from, layout.memory + to);
    }
    for (const code of layout.codes) for (const [a, b] of copies(code, layout)) unite(a, b);
    this.marked = new Uint8Array(layout.size);
    this.same = same;
  }

  has(slot: Slot): boolean {
    return this.marked[slot] === 1;
  }

  /** Notes that a slot holds identities, and all that are copied to or from it. */
  add(slot: Slot): void {
    const open = [slot];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (this.marked[next] === 1) continue;
      this.marked[next] = 1;
      open.push(...this.same[next]);
    }
  }
}

/** Pairs of slots of which one gets the value of the other. */
function copies({ ops }: Code, { memory }: Layout): readonly (readonly [Slot, Slot])[] {
  return ops.flatMap((op) => {
    const from = copied(op);
    if (from === undefined) return [];
    if (op.kind === 'set') return [[op.slot, from]];
    return op.kind === 'write' ? [[memory + op.location, from]] : [];
  });
}

/** The slot whose value a step takes as it is, as three tries tell. */
function copied({ uses, value }: Op): Slot | undefined {
  if (uses.length !== 1) return undefined;
  const s = new Int32Array(uses[0] + 1);
  const isCopy = [7, 12_345, 0].every((number) => {
    s[uses[0]] = number;
    return value(s) === number;
  });
  return isCopy ? uses[0] : undefined;
}
