import type { Domain } from '../model/interpret.js';

/**
 * Relations over a few events of which a run decides some pairs. What is known of a pair is a disjunction of atoms: that a read reads from a
 * write, that a write comes before another in modification order, that a guess goes one way. As bits of a `bigint`, one for each atom.
 */
export type Disjunction = bigint;

export const NEVER: Disjunction = 0n;
/** Of a pair that is related in every run. It has no other bit. */
export const ALWAYS: Disjunction = 1n;
/** Of a pair of which a disjunction does not say it, such as two atoms that both have to be true. It has no other bit. */
export const OTHER: Disjunction = 2n;

/** What a run decides about two events, by their positions. */
export interface Atom {
  /** `rf`, `mo`, `rb`, or the name of a guess. */
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** Sets and relations over some events: what is known of each event, or of each pair, row by row. */
export type Known = readonly Disjunction[];

/** The atoms over some events, each with its bit. */
export class Atoms {
  private readonly bits = new Map<string, Disjunction>();
  private readonly atoms: Atom[] = [];

  bit(name: string, from: number, to: number): Disjunction {
    const key = `${name} ${from} ${to}`;
    const known = this.bits.get(key);
    if (known !== undefined) return known;
    const made = 4n << BigInt(this.atoms.length);
    this.atoms.push({ name, from, to });
    this.bits.set(key, made);
    return made;
  }

  /** The atoms of a disjunction that is neither `ALWAYS` nor `OTHER`. */
  of(disjunction: Disjunction): readonly Atom[] {
    return this.atoms.filter((_, i) => (disjunction & (4n << BigInt(i))) !== 0n);
  }
}

export const eitherOf = (a: Disjunction, b: Disjunction): Disjunction => {
  if (a === ALWAYS || b === ALWAYS) return ALWAYS;
  return a === OTHER || b === OTHER ? OTHER : a | b;
};

export const bothOf = (a: Disjunction, b: Disjunction): Disjunction => {
  if (a === NEVER || b === NEVER) return NEVER;
  if (a === ALWAYS) return b;
  if (b === ALWAYS || a === b) return a;
  return OTHER;
};

/** `a`, and not `b`: of what a run decides, only whole disjunctions can be taken away. */
export const without = (a: Disjunction, b: Disjunction): Disjunction => {
  if (a === NEVER || b === NEVER) return a;
  if (b === ALWAYS) return NEVER;
  if (a === OTHER || b === OTHER || a === ALWAYS) return OTHER;
  return (a & ~b) === 0n ? NEVER : OTHER;
};

const not = (a: Disjunction): Disjunction => without(ALWAYS, a);

/**
 * The domain of what is known about some events.
 *
 * @param size how many there are
 * @param base what base sets and relations are
 */
export function disjunctions(
  size: number,
  base: { set(name: string): Known; rel(name: string): Known },
): Domain<Known, Known> {
  const events = [...Array(size).keys()];
  const pairs = [...Array(size * size).keys()];
  const rel = (at: (from: number, to: number) => Disjunction): Known =>
    events.flatMap((from) => events.map((to) => at(from, to)));
  const each =
    (operation: (a: Disjunction, b: Disjunction) => Disjunction) =>
    (a: Known, b: Known): Known =>
      a.map((value, i) => operation(value, b[i]));
  const seq = (a: Known, b: Known): Known =>
    rel((i, j) =>
      events.reduce((sum, k) => eitherOf(sum, bothOf(a[i * size + k], b[k * size + j])), NEVER),
    );
  const id = rel((i, j) => (i === j ? ALWAYS : NEVER));
  const union = each(eitherOf);
  const plus = (a: Known): Known => {
    let closed = a;
    for (let length = 1; length < size; length *= 2) closed = union(closed, seq(closed, closed));
    return closed;
  };
  const end = (a: Known, of: (event: number, other: number) => number): Known =>
    events.map((e) => events.reduce((sum, other) => eitherOf(sum, a[of(e, other)]), NEVER));
  const equal = (a: Known, b: Known): boolean => a.every((value, i) => value === b[i]);
  return {
    unionSet: union,
    interSet: each(bothOf),
    diffSet: each(without),
    complSet: (a) => a.map(not),
    unionRel: union,
    interRel: each(bothOf),
    diffRel: each(without),
    complRel: (a) => a.map(not),
    seq,
    product: (a, b) => rel((i, j) => bothOf(a[i], b[j])),
    inverse: (a) => rel((i, j) => a[j * size + i]),
    plus,
    star: (a) => union(plus(a), id),
    opt: (a) => union(a, id),
    identity: (a) => rel((i, j) => (i === j ? a[i] : NEVER)),
    domain: (a) => end(a, (e, other) => e * size + other),
    range: (a) => end(a, (e, other) => other * size + e),
    baseSet: base.set,
    baseRel: (name) => (name === 'id' ? id : base.rel(name)),
    emptySet: () => events.map(() => NEVER),
    emptyRel: () => pairs.map(() => NEVER),
    universe: () => events.map(() => ALWAYS),
    equalSet: equal,
    equalRel: equal,
  };
}
