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

/** How often the terms of a `let rec` are gone through again because a variable must not gain more. With fewer, fewer pairs are found. */
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
  dependence: Dependence,
  size: number,
  bound: Intervals,
  axioms: Axioms,
): Exclusion {
  const excluder = new Excluder(model, dependence, size, bound, axioms);
  return (open) => excluder.exclude(open);
}

class Excluder implements Forbidding {
  readonly scratch: BitRel;
  /** By term: what it must not gain, which is good if the term is `reached`. */
  private readonly rooms: (Bits | undefined)[];
  private readonly reached: Uint8Array;
  /** The bits of the relations that are asked about. */
  private open = 0;
  /** The term that hands down what it must not gain, and its operands. */
  private current: TermId = 0;
  private operands: readonly TermId[] = [];

  constructor(
    private readonly model: Model,
    private readonly dependence: Dependence,
    readonly size: number,
    private readonly bound: Intervals,
    private readonly axioms: Axioms,
  ) {
    const { terms } = model;
    this.scratch = m.emptyRel(size);
    this.rooms = new Array<undefined>(terms.length);
    this.reached = new Uint8Array(terms.length);
  }

  exclude(open: number): (name: string) => BitRel | undefined {
    const { reached, rooms } = this;
    const { terms, groups } = this.model;
    this.open = open;
    reached.fill(0);
    this.axioms.forbid(open, (id, forbidden) => this.give(id, forbidden));
    let repeated = 0;
    for (let id = terms.length - 1; id >= 0; id--) {
      if (reached[id] === 0) continue;
      const term = terms[id];
      if (term.op !== 'rec') this.pass(id);
      else {
        const body = groups[term.group].bodies[term.index];
        // Once more from the body on, if there is more that it must not gain.
        if (this.give(body, rooms[id]!) && body > id && repeated++ < REPEATED) id = body + 1;
      }
    }
    return (name) => {
      const id = this.dependence.chosenTerms.get(name);
      return id !== undefined && reached[id] === 1 ? (rooms[id] as BitRel) : undefined;
    };
  }

  room(operand: number): Bits | undefined {
    return this.roomOf(this.operands[operand]);
  }

  lower(operand: number): Bits {
    return this.bound.bits(this.operands[operand], LOWER);
  }

  upper(operand: number): Bits {
    return this.bound.bits(this.operands[operand], UPPER);
  }

  own(): Bits {
    return this.bound.bits(this.current, LOWER);
  }

  /** Where to note what a term must not gain; undefined if nothing open is in it. */
  private roomOf(id: TermId): Bits | undefined {
    const { rooms, reached, size } = this;
    if ((this.dependence.on[id] & this.open) === 0) return undefined;
    const room = (rooms[id] ??=
      this.model.terms[id].kind === 'set' ? m.emptySet(size) : m.emptyRel(size));
    if (reached[id] === 0) inPlace.clear(room);
    reached[id] = 1;
    return room;
  }

  /** Notes what a term must not gain; is that news? */
  private give(id: TermId, forbidden: Bits): boolean {
    const out = this.roomOf(id);
    return out !== undefined && inPlace.addAll(out, forbidden);
  }

  /** Hands what a term must not gain down to its operands. */
  private pass(id: TermId): void {
    const { terms, groups } = this.model;
    const term = terms[id];
    if (term.op === 'fix') this.give(groups[term.group].bodies[term.index], this.rooms[id]!);
    if (!hasOperands(term)) return;
    this.current = id;
    this.operands = operandsOf(term);
    FORBID[term.op](this, this.rooms[id]!);
  }
}
