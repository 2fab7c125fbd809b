import * as inPlace from '../../model/relation/in-place.js';
import type { BitRel, BitSet, Bits } from '../../model/relation/matrix.js';
import * as m from '../../model/relation/matrix.js';
import type { Model, TermId } from '../../model/term.js';
import type { Axioms } from './axioms.js';
import type { Dependence } from './dependence.js';
import type { Intervals } from './intervals.js';
import { LOWER, UPPER } from './intervals.js';

/**
 * The pairs of a chosen relation that cannot be chosen any more, for the relations whose bits are
 * asked for; undefined: none is known. What it returns is good until it is asked again.
 */
export type Exclusion = (open: number) => (name: string) => BitRel | undefined;

/** How often variables of a `let rec` hand back what they must not gain; fewer finds less. */
const REPEATED = 8;

/**
 * Finds the pairs that would break an axiom, by going from the axioms down the table of terms. An
 * axiom forbids its relation some pairs; if a term must not gain a pair, then an operand must not
 * gain what would bring the term that pair, everything else being at least its lower bound:
 *
 *     a | b      a: what the term must not gain           a & b    a: of that, what is sure in b
 *     a ; b      a: x→y with y→z sure in b, x→z out       a \ b    a: of that, what is surely not in b
 *     a+         x→y with p→x, y→q sure in a*, p→q out    a^-1     the inverse
 *
 * Nothing is asked of `~a` and of b in `a \ b`, which lose by what a and b gain. A fixpoint is at
 * least what its body makes of it, so that the body must not gain what the fixpoint must not, and
 * neither must the variable. Every step holds for all completions of a partial execution, so that
 * the result does, for every model.
 */
export function createExclusion(
  model: Model,
  { on, chosen }: Dependence,
  size: number,
  bound: Intervals,
  axioms: Axioms,
): Exclusion {
  const { terms, groups } = model;
  const rooms: (Bits | undefined)[] = new Array<undefined>(terms.length);
  const reached = new Uint8Array(terms.length);
  const scratch = m.emptyRel(size);
  const all = m.universe(size);
  const chosenTerms = new Map(
    chosen.map((name) => [name, terms.findIndex((t) => t.op === 'base' && t.name === name)]),
  );
  let open = 0;

  return (asked) => {
    open = asked;
    reached.fill(0);
    axioms.forbid(open, give);
    let repeated = 0;
    for (let id = terms.length - 1; id >= 0; id--) {
      if (reached[id] === 0) continue;
      const term = terms[id];
      if (term.op !== 'rec') pass(id);
      else {
        const body = groups[term.group].bodies[term.index];
        // Once more from the body on, if there is more that it must not gain.
        if (give(body, rooms[id]!) && body > id && repeated++ < REPEATED) id = body + 1;
      }
    }
    return (name) => {
      const id = chosenTerms.get(name) ?? -1;
      return id >= 0 && reached[id] === 1 ? (rooms[id] as BitRel) : undefined;
    };
  };

  /** Where to note what a term must not gain; undefined if nothing open is in it. */
  function roomOf(id: TermId): Bits | undefined {
    if ((on[id] & open) === 0) return undefined;
    const room = (rooms[id] ??= terms[id].kind === 'set' ? m.emptySet(size) : m.emptyRel(size));
    if (reached[id] === 0) inPlace.clear(room);
    reached[id] = 1;
    return room;
  }

  function setOf(id: TermId): BitSet | undefined {
    return roomOf(id) as BitSet | undefined;
  }

  function relOf(id: TermId): BitRel | undefined {
    return roomOf(id) as BitRel | undefined;
  }

  /** Notes what a term must not gain; is that news? */
  function give(id: TermId, forbidden: Bits): boolean {
    const out = roomOf(id);
    return out !== undefined && inPlace.addAll(out, forbidden);
  }

  /** Hands what a term must not gain down to its operands. */
  function pass(id: TermId): void {
    const term = terms[id];
    const out = rooms[id]!;
    switch (term.op) {
      case 'union':
        give(term.left, out);
        give(term.right, out);
        return;
      case 'opt':
        give(term.arg, out);
        return;
      case 'fix':
        give(groups[term.group].bodies[term.index], out);
        return;
      case 'inter':
        passInter(term.left, term.right, out);
        return passInter(term.right, term.left, out);
      case 'diff': {
        const left = roomOf(term.left);
        return left && inPlace.addDiff(left, out, bound.bits(term.right, UPPER));
      }
      case 'seq':
        return passSeq(term.left, term.right, out as BitRel);
      case 'product':
        return passProduct(term.left, term.right, out as BitRel);
      case 'inverse': {
        const arg = relOf(term.arg);
        return arg && inPlace.addInverse(arg, out as BitRel);
      }
      case 'plus':
      case 'star':
        return passClosure(term.arg, bound.rel(id, LOWER), out as BitRel);
      case 'identity':
        return passIdentity(term.arg, out as BitRel);
      case 'domain':
        return passDomain(term.arg, out as BitSet);
      case 'range':
        return passRange(term.arg, out as BitSet);
      // `~a` loses by what `a` gains; the others have no operands. `rec` is dealt with above.
      case 'compl':
      case 'base':
      case 'empty':
      case 'universe':
      case 'rec':
        return;
    }
  }

  /** Of `a & b`, to `a`. */
  function passInter(a: TermId, b: TermId, out: Bits): void {
    const room = roomOf(a);
    if (room !== undefined) inPlace.addInter(room, out, bound.bits(b, LOWER));
  }

  function passSeq(a: TermId, b: TermId, out: BitRel): void {
    const [left, right] = [relOf(a), relOf(b)];
    if (left !== undefined) inPlace.addSeqInverse(left, out, bound.rel(b, LOWER));
    if (right !== undefined) inPlace.addInverseSeq(right, bound.rel(a, LOWER), out);
  }

  function passProduct(a: TermId, b: TermId, out: BitRel): void {
    const [left, right] = [setOf(a), setOf(b)];
    const [sureLeft, sureRight] = [bound.set(a, LOWER), bound.set(b, LOWER)];
    for (let i = 0; i < size; i++) {
      if (left !== undefined && m.rowsMeet(out, i, sureRight, 0)) m.add(left, i);
      if (right !== undefined && m.has(sureLeft, i)) inPlace.addRow(right, 0, out, i);
    }
  }

  /** @param steps what is sure in the closure */
  function passClosure(a: TermId, steps: BitRel, out: BitRel): void {
    const arg = relOf(a);
    if (arg === undefined) return;
    inPlace.copy(scratch, out);
    inPlace.addInverseSeq(scratch, steps, out);
    inPlace.addAll(arg, scratch);
    inPlace.addSeqInverse(arg, scratch, steps);
  }

  function passIdentity(a: TermId, out: BitRel): void {
    const arg = setOf(a);
    if (arg === undefined) return;
    for (let i = 0; i < size; i++) if (m.related(out, i, i)) m.add(arg, i);
  }

  function passDomain(a: TermId, out: BitSet): void {
    const arg = relOf(a);
    if (arg === undefined) return;
    for (let i = 0; i < size; i++) if (m.has(out, i)) inPlace.addRow(arg, i, all, 0);
  }

  function passRange(a: TermId, out: BitSet): void {
    const arg = relOf(a);
    if (arg === undefined) return;
    for (let i = 0; i < size; i++) inPlace.addRow(arg, i, out, 0);
  }
}
