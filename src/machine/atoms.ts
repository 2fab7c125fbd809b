import type { Domain } from '../model/interpret.js';

/**
 * Relations over a few events of which a run decides some pairs. What is known of a pair is a disjunction of atoms: that a read reads from a
 * write, that a write comes before another in modification order, that a guess goes one way. A disjunction is a number that stands for its
 * set of atoms: equal sets have one number, and most pairs are `NEVER` or `ALWAYS`.
 */
export type Disjunction = number;

export const NEVER: Disjunction = 0;
/** Of a pair that is related in every run. */
export const ALWAYS: Disjunction = 1;
/** Of a pair of which a disjunction does not say it, such as two atoms that both have to be true. */
export const OTHER: Disjunction = 2;

/** What a run decides about two events, by their positions. */
export interface Atom {
  /** `rf`, `mo`, `rb`, or the name of a guess. */
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** Sets and relations over some events: what is known of each event, or of each pair, row by row. */
export type Known = readonly Disjunction[];

/** More disjunctions than a few events have: two of their numbers make one key. */
const MOST = 2 ** 24;

/** The atoms over some events, and the disjunctions that have been made of them. */
export class Atoms {
  private readonly bits = new Map<string, Disjunction>();
  private readonly atoms: Atom[] = [];
  /** By disjunction: its atoms as bits. The first three have none. */
  private readonly sets: bigint[] = [0n, 0n, 0n];
  private readonly numbers = new Map<bigint, Disjunction>([[0n, NEVER]]);
  private readonly unions = new Map<number, Disjunction>();

  bit(name: string, from: number, to: number): Disjunction {
    const key = `${name} ${from} ${to}`;
    const known = this.bits.get(key);
    if (known !== undefined) return known;
    const made = this.numberOf(1n << BigInt(this.atoms.length));
    this.atoms.push({ name, from, to });
    this.bits.set(key, made);
    return made;
  }

  /** The atoms of a disjunction: none of `ALWAYS` and `OTHER`. */
  of(disjunction: Disjunction): readonly Atom[] {
    const set = this.sets[disjunction];
    return this.atoms.filter((_, i) => (set & (1n << BigInt(i))) !== 0n);
  }

  either(a: Disjunction, b: Disjunction): Disjunction {
    if (a === b || b === NEVER) return a;
    if (a === NEVER) return b;
    if (a === ALWAYS || b === ALWAYS) return ALWAYS;
    if (a === OTHER || b === OTHER) return OTHER;
    const key = a < b ? a * MOST + b : b * MOST + a;
    const known = this.unions.get(key);
    if (known !== undefined) return known;
    const made = this.numberOf(this.sets[a] | this.sets[b]);
    this.unions.set(key, made);
    return made;
  }

  both(a: Disjunction, b: Disjunction): Disjunction {
    if (a === NEVER || b === NEVER) return NEVER;
    if (a === ALWAYS) return b;
    if (b === ALWAYS || a === b) return a;
    return OTHER;
  }

  /** `a`, and not `b`: of what a run decides, only whole disjunctions can be taken away. */
  without(a: Disjunction, b: Disjunction): Disjunction {
    if (a === NEVER || b === NEVER) return a;
    if (b === ALWAYS) return NEVER;
    if (a === OTHER || b === OTHER || a === ALWAYS) return OTHER;
    return (this.sets[a] & ~this.sets[b]) === 0n ? NEVER : OTHER;
  }

  private numberOf(set: bigint): Disjunction {
    const known = this.numbers.get(set);
    if (known !== undefined) return known;
    const made = this.sets.length;
    this.sets.push(set);
    this.numbers.set(set, made);
    return made;
  }
}

/**
 * The domain of what is known about some events. An operation that changes nothing gives back what it was given.
 *
 * @param size how many there are
 * @param base what base sets and relations are
 */
export function disjunctions(
  size: number,
  atoms: Atoms,
  base: { set(name: string): Known; rel(name: string): Known },
): Domain<Known, Known> {
  const none = (length: number): Known => new Array<Disjunction>(length).fill(NEVER);
  const noSet = none(size);
  const noRel = none(size * size);
  const isNone = (known: Known): boolean => known === noSet || known === noRel;
  /** What is empty is told apart from all else at once: much of a model is empty of a few events. */
  const noted = (known: Known): Known => {
    if (known.some((value) => value !== NEVER)) return known;
    return known.length === noSet.length ? noSet : noRel;
  };
  const rel = (at: (from: number, to: number) => Disjunction): Known => {
    const made: Disjunction[] = [];
    for (let from = 0; from < size; from++) {
      for (let to = 0; to < size; to++) made.push(at(from, to));
    }
    return made;
  };
  const union = (a: Known, b: Known): Known => {
    if (a === b || isNone(b)) return a;
    return isNone(a) ? b : a.map((value, i) => atoms.either(value, b[i]));
  };
  const inter = (a: Known, b: Known): Known => {
    if (a === b || isNone(a)) return a;
    return isNone(b) ? b : noted(a.map((value, i) => atoms.both(value, b[i])));
  };
  const diff = (a: Known, b: Known): Known =>
    isNone(a) || isNone(b) ? a : noted(a.map((value, i) => atoms.without(value, b[i])));
  const compl = (a: Known): Known => noted(a.map((value) => atoms.without(ALWAYS, value)));
  const seq = (a: Known, b: Known): Known => {
    if (isNone(a) || isNone(b)) return noRel;
    const made = new Array<Disjunction>(size * size).fill(NEVER);
    for (let i = 0; i < size; i++) {
      for (let k = 0; k < size; k++) {
        const first = a[i * size + k];
        if (first === NEVER) continue;
        for (let j = 0; j < size; j++) {
          const at = i * size + j;
          made[at] = atoms.either(made[at], atoms.both(first, b[k * size + j]));
        }
      }
    }
    return noted(made);
  };
  const id = rel((i, j) => (i === j ? ALWAYS : NEVER));
  const equal = (a: Known, b: Known): boolean => a === b || a.every((value, i) => value === b[i]);
  const plus = (a: Known): Known => {
    let closed = a;
    for (let length = 1; length < size; length *= 2) {
      const longer = union(closed, seq(closed, closed));
      if (equal(longer, closed)) break;
      closed = longer;
    }
    return closed;
  };
  const end = (a: Known, of: (event: number, other: number) => number): Known =>
    noSet.map((_, e) =>
      noSet.reduce((sum: Disjunction, _none, other) => atoms.either(sum, a[of(e, other)]), NEVER),
    );
  return {
    unionSet: union,
    interSet: inter,
    diffSet: diff,
    complSet: compl,
    unionRel: union,
    interRel: inter,
    diffRel: diff,
    complRel: compl,
    seq,
    product: (a, b) =>
      isNone(a) || isNone(b) ? noRel : noted(rel((i, j) => atoms.both(a[i], b[j]))),
    inverse: (a) => (isNone(a) ? a : rel((i, j) => a[j * size + i])),
    plus,
    star: (a) => union(plus(a), id),
    opt: (a) => union(a, id),
    identity: (a) => (isNone(a) ? noRel : rel((i, j) => (i === j ? a[i] : NEVER))),
    domain: (a) => (isNone(a) ? noSet : end(a, (e, other) => e * size + other)),
    range: (a) => (isNone(a) ? noSet : end(a, (e, other) => other * size + e)),
    baseSet: (name) => noted(base.set(name)),
    baseRel: (name) => (name === 'id' ? id : noted(base.rel(name))),
    emptySet: () => noSet,
    emptyRel: () => noRel,
    universe: () => noSet.map(() => ALWAYS),
    equalSet: equal,
    equalRel: equal,
  };
}
