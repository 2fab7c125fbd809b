import type { BitRel, BitSet } from './bits.js';
import { add, elements, emptyRel, emptySet, lowest, relate, related, widthOf } from './bits.js';
import { components, cyclicComponents } from './components.js';

export * from './bits.js';

/**
 * Finite sets and binary relations over events 0 … n-1, as bit vectors: row i of a relation
 * holds the successors of i. Operations return new values; `add` and `relate` are for building.
 * Bits beyond the size are always 0, so that equality and emptiness compare words.
 */

// Sets

/** All events. */
export function universe(size: number): BitSet {
  const set = { size, words: new Uint32Array(widthOf(size)).fill(0xffffffff) };
  if ((size & 31) !== 0) set.words[set.words.length - 1] = 2 ** (size & 31) - 1;
  return set;
}

export const unionSet = (a: BitSet, b: BitSet): BitSet => withWords(a, or(a.words, b.words));
export const interSet = (a: BitSet, b: BitSet): BitSet => withWords(a, and(a.words, b.words));
export const diffSet = (a: BitSet, b: BitSet): BitSet => withWords(a, andNot(a.words, b.words));
export const complSet = (a: BitSet): BitSet => diffSet(universe(a.size), a);

// Relations

export const unionRel = (a: BitRel, b: BitRel): BitRel => withWords(a, or(a.words, b.words));
export const interRel = (a: BitRel, b: BitRel): BitRel => withWords(a, and(a.words, b.words));
export const diffRel = (a: BitRel, b: BitRel): BitRel => withWords(a, andNot(a.words, b.words));
export const complRel = (a: BitRel): BitRel =>
  diffRel(product(universe(a.size), universe(a.size)), a);

/** Cartesian product. */
export function product(a: BitSet, b: BitSet): BitRel {
  const rel = emptyRel(a.size);
  for (const i of elements(a)) rel.words.set(b.words, i * rel.width);
  return rel;
}

/** `[a]`: every element of a set related to itself. */
export function identity(a: BitSet): BitRel {
  const rel = emptyRel(a.size);
  for (const i of elements(a)) relate(rel, i, i);
  return rel;
}

/** `a ; b`. */
export function seq(a: BitRel, b: BitRel): BitRel {
  const rel = emptyRel(a.size);
  for (let i = 0; i < a.size; i++) {
    for (let w = 0; w < a.width; w++) {
      for (let word = a.words[i * a.width + w]; word !== 0; word &= word - 1) {
        orRow(rel, i, b, w * 32 + lowest(word));
      }
    }
  }
  return rel;
}

export function inverse(a: BitRel): BitRel {
  const rel = emptyRel(a.size);
  for (let i = 0; i < a.size; i++) {
    for (let w = 0; w < a.width; w++) {
      for (let word = a.words[i * a.width + w]; word !== 0; word &= word - 1) {
        relate(rel, w * 32 + lowest(word), i);
      }
    }
  }
  return rel;
}

/** From this size on, a closure by components is quicker than Warshall's. */
const MANY = 64;

/** Transitive closure. */
export function plus(a: BitRel): BitRel {
  if (a.size >= MANY) return plusByComponents(a);
  const rel = withWords(a, a.words.slice());
  const { size, width, words } = rel;
  for (let k = 0; k < size; k++) {
    for (let i = 0; i < size; i++) {
      if (((words[i * width + (k >>> 5)] >>> (k & 31)) & 1) === 0) continue;
      for (let w = 0; w < width; w++) words[i * width + w] |= words[k * width + w];
    }
  }
  return rel;
}

/**
 * Components come with those that they lead to before them, so that each row is made of rows that
 * are complete. A successor that is in the row already adds nothing: of a dense order, only the
 * edges between neighbours cost anything.
 */
function plusByComponents(a: BitRel): BitRel {
  const rel = emptyRel(a.size);
  const { width } = rel;
  for (const component of components(a)) {
    const [first, ...others] = component;
    const isCycle = others.length > 0 || related(a, first, first);
    if (isCycle) for (const i of component) relate(rel, first, i);
    for (const i of component) {
      for (let w = 0; w < width; w++) {
        const missing = () => a.words[i * width + w] & ~rel.words[first * width + w];
        for (let word = missing(); word !== 0; word = missing()) {
          const j = w * 32 + lowest(word);
          relate(rel, first, j);
          orRow(rel, first, rel, j);
        }
      }
    }
    for (const i of others) orRow(rel, i, rel, first);
  }
  return rel;
}

/** Reflexive closure, over all events. */
export const opt = (a: BitRel): BitRel => unionRel(a, identity(universe(a.size)));

/** Reflexive-transitive closure, over all events. */
export const star = (a: BitRel): BitRel => opt(plus(a));

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

/** The events that are related to something. */
export function domain(a: BitRel): BitSet {
  const set = emptySet(a.size);
  for (let i = 0; i < a.size; i++) {
    for (let w = 0; w < a.width; w++) if (a.words[i * a.width + w] !== 0) add(set, i);
  }
  return set;
}

/** The events that something is related to. */
export function range(a: BitRel): BitSet {
  const set = emptySet(a.size);
  for (let i = 0; i < a.size; i++) {
    for (let w = 0; w < a.width; w++) set.words[w] |= a.words[i * a.width + w];
  }
  return set;
}

// Tests

/** Whether a set or relation is empty. */
export function isEmpty({ words }: BitSet | BitRel): boolean {
  for (let w = 0; w < words.length; w++) if (words[w] !== 0) return false;
  return true;
}

/** Whether two sets or two relations over the same universe are equal. */
export function equal<A extends BitSet | BitRel>(a: A, b: A): boolean {
  if (a.size !== b.size) return false;
  for (let w = 0; w < a.words.length; w++) if (a.words[w] !== b.words[w]) return false;
  return true;
}

export function isIrreflexive(a: BitRel): boolean {
  for (let i = 0; i < a.size; i++) if (related(a, i, i)) return false;
  return true;
}

export const isAcyclic = (a: BitRel): boolean => cyclicComponents(a).length === 0;

const withWords = <A extends BitSet | BitRel>(a: A, words: Uint32Array): A => ({ ...a, words });

// A loop for each operator: one loop that is handed the operator takes three times as long.

function or(a: Uint32Array, b: Uint32Array): Uint32Array {
  const words = new Uint32Array(a.length);
  for (let w = 0; w < words.length; w++) words[w] = a[w] | b[w];
  return words;
}

function and(a: Uint32Array, b: Uint32Array): Uint32Array {
  const words = new Uint32Array(a.length);
  for (let w = 0; w < words.length; w++) words[w] = a[w] & b[w];
  return words;
}

function andNot(a: Uint32Array, b: Uint32Array): Uint32Array {
  const words = new Uint32Array(a.length);
  for (let w = 0; w < words.length; w++) words[w] = a[w] & ~b[w];
  return words;
}

/** Adds row `j` of `from` to row `i` of `to`. */
function orRow(to: BitRel, i: number, from: BitRel, j: number): void {
  const { width } = to;
  for (let w = 0; w < width; w++) to.words[i * width + w] |= from.words[j * width + w];
}
