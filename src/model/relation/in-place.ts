import type { BitRel, BitSet, Bits } from './bits.js';
import { add, has, lowest, relate, related, rowIsEmpty, rowsMeet } from './bits.js';
import { components, successorsFirst } from './components.js';

/**
 * Operations that write their result into a set or relation that is there already: what a search does
 * at every step should not allocate. `out` is never one of the arguments. All that one call is given
 * is over the same events.
 *
 * The name says what becomes of what was in `out`: `add…` keeps it, all others overwrite it.
 */

// Bit by bit: sets and relations alike.
// A loop for each operator: one loop that is handed the operator takes three times as long.

export function union<A extends Bits>({ words }: A, { words: a }: A, { words: b }: A): void {
  for (let w = 0; w < words.length; w++) words[w] = a[w] | b[w];
}

export function inter<A extends Bits>({ words }: A, { words: a }: A, { words: b }: A): void {
  for (let w = 0; w < words.length; w++) words[w] = a[w] & b[w];
}

export function diff<A extends Bits>({ words }: A, { words: a }: A, { words: b }: A): void {
  for (let w = 0; w < words.length; w++) words[w] = a[w] & ~b[w];
}

export function copy<A extends Bits>({ words }: A, { words: a }: A): void {
  words.set(a);
}

export function clear({ words }: Bits): void {
  words.fill(0);
}

/** All events, in every row. */
export function fill({ size, width, words }: Bits): void {
  const last = (size & 31) === 0 ? 0xffffffff : 2 ** (size & 31) - 1;
  words.fill(0xffffffff);
  // Without events there are no words, and a row has no last one.
  for (let w = width; width > 0 && w <= words.length; w += width) words[w - 1] = last;
}

/** All that is not in `a`. */
export function compl<A extends Bits>(out: A, { words: a }: A): void {
  const { words } = out;
  fill(out);
  for (let w = 0; w < words.length; w++) words[w] &= ~a[w];
}

/** `out` gains `a`; is that anything new? */
export function addAll<A extends Bits>({ words }: A, { words: a }: A): boolean {
  let gained = 0;
  for (let w = 0; w < words.length; w++) {
    const more = a[w] & ~words[w];
    // Most words bring nothing new.
    if (more === 0) continue;
    gained |= more;
    words[w] |= more;
  }
  return gained !== 0;
}

/** `out` gains what is in both `a` and `b`. */
export function addInter<A extends Bits>({ words }: A, { words: a }: A, { words: b }: A): void {
  for (let w = 0; w < words.length; w++) words[w] |= a[w] & b[w];
}

/** `out` gains what is in `a` and not in `b`. */
export function addDiff<A extends Bits>({ words }: A, { words: a }: A, { words: b }: A): void {
  for (let w = 0; w < words.length; w++) words[w] |= a[w] & ~b[w];
}

/** Row `i` of `out` gains row `j` of `from`. The row of a set is row 0. */
export function addRow({ words, width }: Bits, i: number, { words: from }: Bits, j: number): void {
  for (let w = 0; w < width; w++) words[i * width + w] |= from[j * width + w];
}

// Relations

export function addIdentity(out: BitRel): void {
  for (let i = 0; i < out.size; i++) relate(out, i, i);
}

/** `[a]`: every element of a set related to itself. */
export function identity(out: BitRel, a: BitSet): void {
  clear(out);
  for (let i = 0; i < out.size; i++) if (has(a, i)) relate(out, i, i);
}

/** Cartesian product. */
export function product(out: BitRel, a: BitSet, b: BitSet): void {
  clear(out);
  for (let i = 0; i < out.size; i++) if (has(a, i)) out.words.set(b.words, i * out.width);
}

/** `out` gains `a ; b`. */
export function addSeq(out: BitRel, a: BitRel, b: BitRel): void {
  const { size, width, words } = a;
  for (let i = 0; i < size; i++) {
    for (let w = 0; w < width; w++) {
      for (let word = words[i * width + w]; word !== 0; word &= word - 1) {
        addRow(out, i, b, w * 32 + lowest(word));
      }
    }
  }
}

/** `out` gains `a ; b^-1`. */
export function addSeqInverse(out: BitRel, a: BitRel, b: BitRel): void {
  for (let i = 0; i < a.size; i++) {
    if (rowIsEmpty(a, i)) continue;
    for (let j = 0; j < a.size; j++) if (rowsMeet(a, i, b, j)) relate(out, i, j);
  }
}

/** `out` gains `a^-1 ; b`. */
export function addInverseSeq(out: BitRel, a: BitRel, b: BitRel): void {
  const { size, width, words } = a;
  for (let i = 0; i < size; i++) {
    for (let w = 0; w < width; w++) {
      for (let word = words[i * width + w]; word !== 0; word &= word - 1) {
        addRow(out, w * 32 + lowest(word), b, i);
      }
    }
  }
}

/** `out` gains `a^-1`. */
export function addInverse(out: BitRel, a: BitRel): void {
  const { size, width, words } = a;
  for (let i = 0; i < size; i++) {
    for (let w = 0; w < width; w++) {
      for (let word = words[i * width + w]; word !== 0; word &= word - 1) {
        relate(out, w * 32 + lowest(word), i);
      }
    }
  }
}

/** The events that are related to something. */
export function domain(out: BitSet, a: BitRel): void {
  clear(out);
  for (let i = 0; i < a.size; i++) if (!rowIsEmpty(a, i)) add(out, i);
}

/** The events that something is related to. */
export function range(out: BitSet, a: BitRel): void {
  clear(out);
  for (let i = 0; i < a.size; i++) addRow(out, 0, a, i);
}

// Transitive closure

/** From this size on, a closure by components is quicker than Warshall's. */
const MANY = 64;

/** Transitive closure. */
export function close(out: BitRel, a: BitRel): void {
  if (a.size >= MANY) return closeByComponents(out, a);
  copy(out, a);
  for (let k = 0; k < out.size; k++) {
    // Nothing leads on from an event without successors.
    if (rowIsEmpty(out, k)) continue;
    for (let i = 0; i < out.size; i++) if (related(out, i, k)) addRow(out, i, out, k);
  }
}

/**
 * Components come with those that they lead to before them, so that each row is made of rows that
 * are complete. A successor that is in the row already adds nothing: of a dense order, only the
 * edges between neighbours cost anything.
 */
function closeByComponents(out: BitRel, a: BitRel): void {
  clear(out);
  const order = successorsFirst(a);
  if (order !== undefined) {
    for (const i of order) addReached(out, i, a, i);
    return;
  }
  for (const component of components(a)) {
    const [first, ...others] = component;
    const isCycle = others.length > 0 || related(a, first, first);
    if (isCycle) for (const i of component) relate(out, first, i);
    for (const i of component) addReached(out, first, a, i);
    for (const i of others) addRow(out, i, out, first);
  }
}

/** Adds the successors of an event to a row, and their rows, which are complete. */
function addReached(out: BitRel, row: number, a: BitRel, i: number): void {
  const { width } = out;
  for (let w = 0; w < width; w++) {
    const missing = () => a.words[i * width + w] & ~out.words[row * width + w];
    for (let word = missing(); word !== 0; word = missing()) {
      const j = w * 32 + lowest(word);
      relate(out, row, j);
      addRow(out, row, out, j);
    }
  }
}
