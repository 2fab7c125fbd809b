import * as inPlace from '../relation/in-place.js';
import type { BitRel, BitSet, Bits } from '../relation/matrix.js';
import * as m from '../relation/matrix.js';
import type { Operator } from './facts.js';

/** The operands of a term of which some must not gain any more, by position. */
export interface Forbidding {
  readonly size: number;
  /** Where to note what an operand must not gain; undefined if nothing can change in it. */
  room(operand: number): Bits | undefined;
  /** What is in an operand in any case, and what can be in it at most. */
  lower(operand: number): Bits;
  upper(operand: number): Bits;
  /** What is in the term itself in any case. */
  own(): Bits;
  /** A relation to work in. */
  readonly scratch: BitRel;
}

/** Notes what the operands must not gain, so that a term does not gain what is in `out`. */
type Forbid = (f: Forbidding, out: Bits) => void;

/**
 * If a term must not gain a pair, then an operand must not gain what would bring the term that pair, everything else being at
 * least its lower bound:
 *
 *     a | b      a: what the term must not gain           a & b    a: of that, what is sure in b
 *     a ; b      a: x→y with y→z sure in b, x→z out       a \ b    a: of that, what is surely not in b
 *     a+         x→y with p→x, y→q sure in a*, p→q out    a^-1     the inverse
 *
 * Nothing is asked of `~a` and of b in `a \ b`, which lose by what a and b gain.
 */
export const FORBID: Readonly<Record<Operator, Forbid>> = {
  union: (f, out) => {
    add(f.room(0), out);
    add(f.room(1), out);
  },
  opt: (f, out) => add(f.room(0), out),
  inter: (f, out) => {
    const [left, right] = [f.room(0), f.room(1)];
    if (left !== undefined) inPlace.addInter(left, out, f.lower(1));
    if (right !== undefined) inPlace.addInter(right, out, f.lower(0));
  },
  diff: (f, out) => {
    const left = f.room(0);
    if (left !== undefined) inPlace.addDiff(left, out, f.upper(1));
  },
  compl: () => undefined,
  seq: (f, out) => {
    const [left, right] = [f.room(0) as BitRel | undefined, f.room(1) as BitRel | undefined];
    if (left !== undefined) inPlace.addSeqInverse(left, out as BitRel, f.lower(1) as BitRel);
    if (right !== undefined) inPlace.addInverseSeq(right, f.lower(0) as BitRel, out as BitRel);
  },
  product: (f, out) => {
    const [left, right] = [f.room(0) as BitSet | undefined, f.room(1) as BitSet | undefined];
    const [sureLeft, sureRight] = [f.lower(0) as BitSet, f.lower(1)];
    for (let i = 0; i < f.size; i++) {
      if (left !== undefined && m.rowsMeet(out, i, sureRight, 0)) m.add(left, i);
      if (right !== undefined && m.has(sureLeft, i)) inPlace.addRow(right, 0, out, i);
    }
  },
  inverse: (f, out) => {
    const arg = f.room(0);
    if (arg !== undefined) inPlace.addInverse(arg as BitRel, out as BitRel);
  },
  plus: closure,
  star: closure,
  identity: (f, out) => {
    const arg = f.room(0);
    if (arg === undefined) return;
    for (let i = 0; i < f.size; i++) {
      if (m.related(out as BitRel, i, i)) m.add(arg as BitSet, i);
    }
  },
  domain: (f, out) => {
    const arg = f.room(0);
    if (arg === undefined) return;
    const all = m.universe(f.size);
    for (let i = 0; i < f.size; i++) if (m.has(out as BitSet, i)) inPlace.addRow(arg, i, all, 0);
  },
  range: (f, out) => {
    const arg = f.room(0);
    if (arg === undefined) return;
    for (let i = 0; i < f.size; i++) inPlace.addRow(arg, i, out, 0);
  },
};

function closure(f: Forbidding, out: Bits): void {
  const arg = f.room(0) as BitRel | undefined;
  if (arg === undefined) return;
  const [steps, { scratch }] = [f.own() as BitRel, f];
  inPlace.copy(scratch, out as BitRel);
  inPlace.addInverseSeq(scratch, steps, out as BitRel);
  inPlace.addAll(arg, scratch);
  inPlace.addSeqInverse(arg, scratch, steps);
}

function add(room: Bits | undefined, forbidden: Bits): void {
  if (room !== undefined) inPlace.addAll(room, forbidden);
}
