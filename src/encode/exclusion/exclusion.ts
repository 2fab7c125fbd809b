import type { Forbidding } from '../../model/operators/forbid.js';
import { FORBID } from '../../model/operators/forbid.js';
import * as inPlace from '../../model/relation/in-place.js';
import type { BitRel, Bits } from '../../model/relation/matrix.js';
import * as m from '../../model/relation/matrix.js';
import type { Model, TermId } from '../../model/term.js';
import { hasOperands, operandsOf } from '../../model/term.js';
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
 * axiom forbids its relation some pairs, and each operator says what its operands must not gain then
 * (`FORBID`). A fixpoint is at
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
  const chosenTerms = new Map(
    chosen.map((name) => [name, terms.findIndex((t) => t.op === 'base' && t.name === name)]),
  );
  let open = 0;

  /** The term that hands down what it must not gain, and its operands. */
  let current = 0;
  let operands: readonly TermId[] = [];
  const forbidding: Forbidding = {
    size,
    scratch: m.emptyRel(size),
    room: (i) => roomOf(operands[i]),
    lower: (i) => bound.bits(operands[i], LOWER),
    upper: (i) => bound.bits(operands[i], UPPER),
    own: () => bound.bits(current, LOWER),
  };

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

  /** Notes what a term must not gain; is that news? */
  function give(id: TermId, forbidden: Bits): boolean {
    const out = roomOf(id);
    return out !== undefined && inPlace.addAll(out, forbidden);
  }

  /** Hands what a term must not gain down to its operands. */
  function pass(id: TermId): void {
    const term = terms[id];
    if (term.op === 'fix') give(groups[term.group].bodies[term.index], rooms[id]!);
    if (!hasOperands(term)) return;
    current = id;
    operands = operandsOf(term);
    FORBID[term.op](forbidding, rooms[id]!);
  }
}
