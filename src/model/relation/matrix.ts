import type { BitRel, BitSet } from './bits.js';
import { emptyRel, emptySet, has, lowest, relate, setOf } from './bits.js';
import { successorsFirst } from './components.js';
import * as inPlace from './in-place.js';

export * from './bits.js';

/** The operations of `in-place.ts` as functions that return new sets and relations. */

// Sets

/** All events. */
export function universe(size: number): BitSet {
  const set = emptySet(size);
  inPlace.fill(set);
  return set;
}

export const unionSet = newSet2(inPlace.union);
export const interSet = newSet2(inPlace.inter);
export const diffSet = newSet2(inPlace.diff);

export function complSet(a: BitSet): BitSet {
  const set = emptySet(a.size);
  inPlace.compl(set, a);
  return set;
}

// Relations

export const unionRel = newRel2(inPlace.union);
export const interRel = newRel2(inPlace.inter);
export const diffRel = newRel2(inPlace.diff);
export const complRel = newRel1(inPlace.compl);

/** Cartesian product. */
export const product: (a: BitSet, b: BitSet) => BitRel = newRel2(inPlace.product);

/** `[a]`: every element of a set related to itself. */
export const identity: (a: BitSet) => BitRel = newRel1(inPlace.identity);

/** `a ; b`. */
export const seq = newRel2(inPlace.addSeq);

export const inverse = newRel1(inPlace.addInverse);

/** Transitive closure. */
export const plus = newRel1(inPlace.close);

/** Reflexive closure, over all events. */
export function opt(a: BitRel): BitRel {
  const rel = emptyRel(a.size);
  inPlace.copy(rel, a);
  inPlace.addIdentity(rel);
  return rel;
}

/** Reflexive-transitive closure, over all events. */
export function star(a: BitRel): BitRel {
  const rel = plus(a);
  inPlace.addIdentity(rel);
  return rel;
}

/** What a relation is among some events, over their positions in a list of them. */
export function restrict(a: BitRel, events: readonly number[]): BitRel {
  const rel = emptyRel(events.length);
  const position = new Int32Array(a.size).fill(-1);
  events.forEach((event, i) => (position[event] = i));
  events.forEach((event, i) => {
    for (let w = 0; w < a.width; w++) {
      for (let word = a.words[event * a.width + w]; word !== 0; word &= word - 1) {
        const j = position[w * 32 + lowest(word)];
        if (j >= 0) relate(rel, i, j);
      }
    }
  });
  return rel;
}

/** Which of some events are in a set, over their positions in a list of them. */
export const restrictSet = (a: BitSet, events: readonly number[]): BitSet =>
  setOf(
    events.length,
    events.flatMap((event, i) => (has(a, event) ? [i] : [])),
  );

/** The events that are related to something. */
export function domain(a: BitRel): BitSet {
  const set = emptySet(a.size);
  inPlace.domain(set, a);
  return set;
}

/** The events that something is related to. */
export function range(a: BitRel): BitSet {
  const set = emptySet(a.size);
  inPlace.range(set, a);
  return set;
}

export const isAcyclic = (a: BitRel): boolean => successorsFirst(a) !== undefined;

// From operations that write their result to functions that return it

function newSet2(write: (out: BitSet, a: BitSet, b: BitSet) => void) {
  return (a: BitSet, b: BitSet): BitSet => {
    const set = emptySet(a.size);
    write(set, a, b);
    return set;
  };
}

function newRel1<A extends BitSet | BitRel = BitRel>(write: (out: BitRel, a: A) => void) {
  return (a: A): BitRel => {
    const rel = emptyRel(a.size);
    write(rel, a);
    return rel;
  };
}

function newRel2<A extends BitSet | BitRel = BitRel>(write: (out: BitRel, a: A, b: A) => void) {
  return (a: A, b: A): BitRel => {
    const rel = emptyRel(a.size);
    write(rel, a, b);
    return rel;
  };
}
