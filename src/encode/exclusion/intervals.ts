import { askedOf } from '../../model/interpret.js';
import { into } from '../../model/operators/bits.js';
import { OPERATORS } from '../../model/operators/facts.js';
import * as inPlace from '../../model/relation/in-place.js';
import type { BitRel, BitSet, Bits } from '../../model/relation/matrix.js';
import * as m from '../../model/relation/matrix.js';
import type { Model, RecGroup, TermId } from '../../model/term.js';
import { hasOperands, operandsOf } from '../../model/term.js';
import type { Dependence } from './dependence.js';

/** Of the two bounds of a term: what it holds in any case, and what it can hold at most. */
export const LOWER = 0;
export const UPPER = 1;
export type Side = typeof LOWER | typeof UPPER;

/** What is known of the relations that are still being chosen. */
export interface Partial {
  /** Pairs that are chosen, and pairs that are chosen or still open. */
  readonly bounds: ReadonlyMap<string, readonly [lower: BitRel, upper: BitRel]>;
  /**
   * For each set of chosen relations, as bits, a number that stands for their present bounds:
   * equal numbers, equal bounds. That of none stands for what is fixed.
   */
  readonly stamps: Readonly<Float64Array>;
  readonly fixed: Fixed;
}

/** The base sets and relations that the events of an execution fix. */
export type Fixed = ReadonlyMap<string, BitSet | BitRel>;

/** The bounds of terms. What they return is good until the partial execution changes. */
export interface Intervals {
  /** Of a term of either kind. */
  readonly bits: (id: TermId, side: Side) => Bits;
  readonly set: (id: TermId, side: Side) => BitSet;
  readonly rel: (id: TermId, side: Side) => BitRel;
}

/** @param bits gives for each term a set or a relation, as the term's kind says */
export function intervals(bits: (id: TermId, side: Side) => Bits): Intervals {
  return { bits, set: bits as Intervals['set'], rel: bits as Intervals['rel'] };
}

/**
 * Bounds of a model's terms for a partial execution: for every way to complete it, a term lies
 * between its lower and its upper bound. That holds for every model: all operators only grow with
 * their operands, except `~` and the right of `\`, which take the other bound. With everything
 * chosen both bounds are the term itself.
 *
 * A term is evaluated when it is asked for, and again only when something that it depends on has
 * changed since.
 */
export function createIntervals(
  model: Model,
  dependence: Dependence,
  size: number,
  partial: Partial,
): Intervals {
  const evaluator = new IntervalEvaluator(model, dependence, size, partial);
  return intervals((id, side) => evaluator.bound(id, side));
}

class IntervalEvaluator {
  /** By term and side: its bound, and the stamp that it was made for. */
  private readonly rooms: (Bits | undefined)[];
  private readonly made: Float64Array;
  /** The same for groups: when their variables were last iterated. */
  private readonly iterated: Float64Array;
  private readonly steps: readonly (Step | undefined)[];
  /** What is computed in each round of a group. */
  private readonly rounds: readonly (readonly TermId[])[];

  constructor(
    private readonly model: Model,
    private readonly dependence: Dependence,
    private readonly size: number,
    private readonly partial: Partial,
  ) {
    const { terms, groups } = model;
    this.steps = stepsOf(model);
    this.rooms = new Array<undefined>(2 * terms.length);
    this.made = new Float64Array(2 * terms.length).fill(-1);
    this.iterated = new Float64Array(2 * groups.length).fill(-1);
    this.rounds = groups.map((group) =>
      askedOf(terms, group).filter((id) => dependence.recursive[id] && terms[id].op !== 'rec'),
    );
  }

  bound(id: TermId, asked: Side): Bits {
    const { rooms, made, dependence, partial } = this;
    const bits = dependence.on[id];
    // What nothing chosen is in has one value, kept as its lower bound.
    const side = bits === 0 ? LOWER : asked;
    const term = this.model.terms[id];
    if (term.op === 'base') return this.base(term.name, term.kind, side);
    if (dependence.recursive[id]) return rooms[2 * id + side]!;
    if (term.op === 'fix') {
      const group = this.model.groups[term.group];
      const slot = 2 * term.group + side;
      if (this.iterated[slot] !== partial.stamps[bits]) {
        this.iterate(group, this.rounds[term.group], side);
        this.iterated[slot] = partial.stamps[bits];
      }
      return rooms[2 * group.vars[term.index] + side]!;
    }
    const slot = 2 * id + side;
    if (made[slot] === partial.stamps[bits]) return rooms[slot]!;
    this.compute(id, side);
    made[slot] = partial.stamps[bits];
    return rooms[slot]!;
  }

  private base(name: string, kind: 'set' | 'rel', side: Side): Bits {
    const chosen = this.partial.bounds.get(name);
    if (chosen !== undefined) return chosen[side];
    const known = this.partial.fixed.get(name);
    if (known === undefined) throw new Error(`no ${kind} '${name}' in an execution`);
    return known;
  }

  /** A bound of the least fixpoint is the least fixpoint of the bounds: bodies are monotone. */
  private iterate({ vars, bodies }: RecGroup, round: readonly TermId[], side: Side): void {
    for (const variable of vars) inPlace.clear(this.room(variable, side));
    for (let changed = true; changed;) {
      for (const id of round) this.compute(id, side);
      changed = false;
      vars.forEach((variable, i) => {
        const [now, next] = [this.room(variable, side), this.bound(bodies[i], side)];
        if (m.equal(now, next)) return;
        inPlace.copy(now, next);
        changed = true;
      });
    }
  }

  private room(id: TermId, side: Side): Bits {
    return (this.rooms[2 * id + side] ??=
      this.model.terms[id].kind === 'set' ? m.emptySet(this.size) : m.emptyRel(this.size));
  }

  private compute(id: TermId, side: Side): void {
    const term = this.model.terms[id];
    const out = this.room(id, side);
    const step = this.steps[id];
    if (step !== undefined) {
      const { write, first, second } = step;
      const a = this.bound(first, step.firstGrows ? side : OTHER[side]);
      // Of a unary operator, the first operand stands for the second one, too.
      write(out, a, second < 0 ? a : this.bound(second, step.secondGrows ? side : OTHER[side]));
    } else if (term.op === 'universe') inPlace.fill(out);
    else if (term.op !== 'empty') throw new Error(`'${term.op}' has no operands`);
  }
}

/** How a term is computed from its operands; of one operand, `second` is -1. */
interface Step {
  readonly write: (out: Bits, a: Bits, b: Bits) => void;
  readonly first: TermId;
  readonly second: TermId;
  readonly firstGrows: boolean;
  readonly secondGrows: boolean;
}

const known = new WeakMap<Model, readonly (Step | undefined)[]>();

/** By term, worked out once for each model; undefined for terms without operands. */
function stepsOf(model: Model): readonly (Step | undefined)[] {
  const before = known.get(model);
  if (before !== undefined) return before;
  const steps = model.terms.map((term): Step | undefined => {
    if (!hasOperands(term)) return undefined;
    const [first, second = -1] = operandsOf(term);
    const [firstGrows, secondGrows = true] = OPERATORS[term.op].grows;
    return { write: into[term.op], first, second, firstGrows, secondGrows };
  });
  known.set(model, steps);
  return steps;
}

/** The other bound. */
const OTHER = [UPPER, LOWER] as const;
