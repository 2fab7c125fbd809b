import type { Model, TermId } from '../../model/term.js';
import type { Axioms } from './axioms.js';
import type { Chosen, Dependence } from './dependence.js';
import { CHOSEN } from './dependence.js';
import type { Intervals } from './intervals.js';
import { LOWER, UPPER } from './intervals.js';
import type { Size, Words } from './words.js';
import * as w from './words.js';

/**
 * The pairs of a chosen relation that cannot be chosen any more, for the relations whose bits are
 * asked for; undefined: none is known. What it returns is good until it is asked again.
 */
export type Exclusion = (open: number) => (name: Chosen) => Words | undefined;

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
  { on }: Dependence,
  size: Size,
  bound: Intervals,
  axioms: Axioms,
): Exclusion {
  const { terms, groups } = model;
  const rooms: (Words | undefined)[] = new Array<undefined>(terms.length);
  const reached = new Uint8Array(terms.length);
  const scratch = w.newRel(size);
  const chosenTerms = new Map(
    CHOSEN.map((name) => [name, terms.findIndex((t) => t.op === 'base' && t.name === name)]),
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
      const id = chosenTerms.get(name)!;
      return id >= 0 && reached[id] === 1 ? rooms[id] : undefined;
    };
  };

  /** Where to note what a term must not gain; undefined if nothing open is in it. */
  function roomOf(id: TermId): Words | undefined {
    if ((on[id] & open) === 0) return undefined;
    const words = (rooms[id] ??= terms[id].kind === 'set' ? w.newSet(size) : w.newRel(size));
    if (reached[id] === 0) words.fill(0);
    reached[id] = 1;
    return words;
  }

  /** Notes what a term must not gain; is that news? */
  function give(id: TermId, forbidden: Words): boolean {
    const out = roomOf(id);
    return out !== undefined && w.addAll(out, forbidden);
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
      case 'inter':
        for (const [arg, other] of [
          [term.left, term.right],
          [term.right, term.left],
        ]) {
          const room = roomOf(arg);
          if (room === undefined) continue;
          const sure = bound(other, LOWER);
          for (let i = 0; i < room.length; i++) room[i] |= out[i] & sure[i];
        }
        return;
      case 'diff': {
        const left = roomOf(term.left);
        if (left === undefined) return;
        const possible = bound(term.right, UPPER);
        for (let i = 0; i < left.length; i++) left[i] |= out[i] & ~possible[i];
        return;
      }
      case 'seq': {
        const [left, right] = [roomOf(term.left), roomOf(term.right)];
        if (left !== undefined) w.addSeqInverse(size, left, out, bound(term.right, LOWER));
        if (right !== undefined) w.addInverseSeq(size, right, bound(term.left, LOWER), out);
        return;
      }
      case 'product': {
        const [left, right] = [roomOf(term.left), roomOf(term.right)];
        const [a, b] = [bound(term.left, LOWER), bound(term.right, LOWER)];
        for (let i = 0; i < size.n; i++) {
          if (left !== undefined && w.meets(size, out, i, b, 0)) w.put(size, left, 0, i);
          if (right !== undefined && w.has(size, a, 0, i)) w.addRow(size, right, 0, out, i);
        }
        return;
      }
      case 'inverse': {
        const arg = roomOf(term.arg);
        return arg && w.addInverse(size, arg, out);
      }
      case 'plus':
      case 'star': {
        const arg = roomOf(term.arg);
        if (arg === undefined) return;
        const steps = bound(id, LOWER);
        scratch.set(out);
        w.addInverseSeq(size, scratch, steps, out);
        w.addAll(arg, scratch);
        return w.addSeqInverse(size, arg, scratch, steps);
      }
      case 'opt':
        give(term.arg, out);
        return;
      case 'identity': {
        const arg = roomOf(term.arg);
        if (arg === undefined) return;
        for (let i = 0; i < size.n; i++) if (w.has(size, out, i, i)) w.put(size, arg, 0, i);
        return;
      }
      case 'domain':
      case 'range': {
        const arg = roomOf(term.arg);
        if (arg === undefined) return;
        w.fill(size, scratch);
        for (let i = 0; i < size.n; i++) {
          if (term.op === 'range') w.addRow(size, arg, i, out, 0);
          else if (w.has(size, out, 0, i)) w.addRow(size, arg, i, scratch, i);
        }
        return;
      }
      case 'fix':
        give(groups[term.group].bodies[term.index], out);
    }
  }
}
