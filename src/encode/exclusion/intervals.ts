import { operandsOf } from '../../model/interpret.js';
import type { Model, RecGroup, TermId } from '../../model/term.js';
import type { Chosen, Dependence } from './dependence.js';
import { isChosen } from './dependence.js';
import type { Size, Words } from './words.js';
import * as w from './words.js';

/** Of the two bounds of a term: what it holds in any case, and what it can hold at most. */
export const LOWER = 0;
export const UPPER = 1;
export type Side = typeof LOWER | typeof UPPER;

/** What is known of the relations that are still being chosen. */
export interface Partial {
  /** Pairs that are chosen, and pairs that are chosen or still open. */
  readonly bounds: Readonly<Record<Chosen, readonly [lower: Words, upper: Words]>>;
  /**
   * For each set of chosen relations, as bits, a number that stands for their present bounds:
   * equal numbers, equal bounds. None chosen: always 0.
   */
  readonly stamps: Readonly<Float64Array>;
}

/** The base sets and relations that the events of an execution fix. */
export type Fixed = ReadonlyMap<string, Words>;

/** The bounds of a term. What it returns is good until the partial execution changes. */
export type Intervals = (id: TermId, side: Side) => Words;

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
  { on, recursive }: Dependence,
  size: Size,
  fixed: Fixed,
  partial: Partial,
): Intervals {
  const { terms, groups } = model;
  /** By term and side: its words, and the stamp that they were made for. */
  const words: (Words | undefined)[] = new Array<undefined>(2 * terms.length);
  const made = new Float64Array(2 * terms.length).fill(-1);
  /** The same for groups: when their variables were last iterated. */
  const iterated = new Float64Array(2 * groups.length).fill(-1);

  return bound;

  function bound(id: TermId, asked: Side): Words {
    const bits = on[id];
    // What nothing chosen is in has one value, kept as its lower bound.
    const side = bits === 0 ? LOWER : asked;
    const term = terms[id];
    if (term.op === 'base') return base(term.name, term.kind, side);
    if (recursive[id]) return words[2 * id + side]!;
    if (term.op === 'fix') {
      const group = groups[term.group];
      if (iterated[2 * term.group + side] !== partial.stamps[bits]) {
        iterate(group, side);
        iterated[2 * term.group + side] = partial.stamps[bits];
      }
      return words[2 * group.vars[term.index] + side]!;
    }
    const slot = 2 * id + side;
    if (made[slot] === partial.stamps[bits]) return words[slot]!;
    compute(id, side);
    made[slot] = partial.stamps[bits];
    return words[slot]!;
  }

  function base(name: string, kind: 'set' | 'rel', side: Side): Words {
    if (isChosen(name)) return partial.bounds[name][side];
    const known = fixed.get(name);
    if (known === undefined) throw new Error(`no ${kind} '${name}' in an execution`);
    return known;
  }

  /** A bound of the least fixpoint is the least fixpoint of the bounds: bodies are monotone. */
  function iterate({ vars, bodies, start, end }: RecGroup, side: Side): void {
    for (const variable of vars) room(variable, side).fill(0);
    for (let changed = true; changed;) {
      for (let id = start; id < end; id++) {
        if (recursive[id] && terms[id].op !== 'rec') compute(id, side);
      }
      changed = false;
      vars.forEach((variable, i) => {
        const [now, next] = [room(variable, side), bound(bodies[i], side)];
        if (w.equal(now, next)) return;
        now.set(next);
        changed = true;
      });
    }
  }

  function room(id: TermId, side: Side): Words {
    return (words[2 * id + side] ??= terms[id].kind === 'set' ? w.newSet(size) : w.newRel(size));
  }

  function compute(id: TermId, side: Side): void {
    const term = terms[id];
    const out = room(id, side);
    const [a, b] = operandsOf(term);
    const other: Side = side === LOWER ? UPPER : LOWER;
    switch (term.op) {
      case 'empty':
        return;
      case 'universe':
        return w.fill(size, out);
      case 'union':
        return w.union(out, bound(a, side), bound(b, side));
      case 'inter':
        return w.inter(out, bound(a, side), bound(b, side));
      case 'diff':
        return w.diff(out, bound(a, side), bound(b, other));
      case 'compl':
        return w.compl(size, out, bound(a, other));
      case 'seq':
        out.fill(0);
        return w.addSeq(size, out, bound(a, side), bound(b, side));
      case 'product':
        return w.product(size, out, bound(a, side), bound(b, side));
      case 'identity':
        return w.identity(size, out, bound(a, side));
      case 'inverse':
        out.fill(0);
        return w.addInverse(size, out, bound(a, side));
      case 'plus':
      case 'star':
        out.set(bound(a, side));
        w.close(size, out);
        return term.op === 'star' ? w.addIdentity(size, out) : undefined;
      case 'opt':
        out.set(bound(a, side));
        return w.addIdentity(size, out);
      case 'domain':
        return w.domain(size, out, bound(a, side));
      case 'range':
        return w.range(size, out, bound(a, side));
      default:
        throw new Error(`'${term.op}' has no operands`);
    }
  }
}
