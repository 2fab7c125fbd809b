/**
 * Finite sets and binary relations over events 0 … size-1, as bit vectors: what they are, how they
 * are built and read. Two layers compute with them: `in-place.ts` writes results into a value that
 * is there already, and `matrix.ts` returns new values.
 */

/**
 * Rows of `width` words, with one bit for each event. A set is one row. A relation has a row for each
 * event, with its successors. Bits beyond the size are always 0, so that words can be compared.
 */
export interface Bits {
  readonly size: number;
  /** Words per row. */
  readonly width: number;
  readonly words: Uint32Array;
}

export interface BitSet extends Bits {
  readonly kind: 'set';
}

export interface BitRel extends Bits {
  readonly kind: 'rel';
}

/** Words per row. */
export const widthOf = (size: number): number => (size + 31) >>> 5;

/** The position of the lowest bit of a word that is not 0. */
export const lowest = (word: number): number => 31 - Math.clz32(word & -word);

// Building

/** The empty set of a universe of `size` events. */
export function emptySet(size: number): BitSet {
  const width = widthOf(size);
  return { kind: 'set', size, width, words: new Uint32Array(width) };
}

/** The empty relation of a universe of `size` events. */
export function emptyRel(size: number): BitRel {
  return relOver(size, zeros(widthOf(size) * size));
}

/** Words are cut from chunks of so many: an array of its own costs more than most relations that are computed. */
const CHUNK = 1 << 14;
let chunk = new ArrayBuffer(CHUNK * 4);
let used = 0;

function zeros(words: number): Uint32Array {
  if (words > CHUNK >> 3) return new Uint32Array(words);
  if (used + words > CHUNK) {
    chunk = new ArrayBuffer(CHUNK * 4);
    used = 0;
  }
  used += words;
  return new Uint32Array(chunk, (used - words) * 4, words);
}

/** The relation whose rows are in the given words, which stay the caller's. */
export function relOver(size: number, words: Uint32Array): BitRel {
  return { kind: 'rel', size, width: widthOf(size), words };
}

/** The set of the given elements. */
export function setOf(size: number, elements: Iterable<number>): BitSet {
  const set = emptySet(size);
  for (const i of elements) add(set, i);
  return set;
}

/** The relation of the given pairs. */
export function relOf(size: number, pairs: Iterable<readonly [number, number]>): BitRel {
  const rel = emptyRel(size);
  for (const [i, j] of pairs) relate(rel, i, j);
  return rel;
}

/** Adds an element to a set under construction. */
export function add(set: BitSet, i: number): void {
  set.words[i >>> 5] |= 1 << (i & 31);
}

/** Adds a pair to a relation under construction. */
export function relate(rel: BitRel, i: number, j: number): void {
  rel.words[i * rel.width + (j >>> 5)] |= 1 << (j & 31);
}

/** Takes a pair out of a relation under construction. */
export function unrelate(rel: BitRel, i: number, j: number): void {
  rel.words[i * rel.width + (j >>> 5)] &= ~(1 << (j & 31));
}

// Reading

export function has(set: BitSet, i: number): boolean {
  return ((set.words[i >>> 5] >>> (i & 31)) & 1) === 1;
}

export function related(rel: BitRel, i: number, j: number): boolean {
  return ((rel.words[i * rel.width + (j >>> 5)] >>> (j & 31)) & 1) === 1;
}

/** The elements of a set, ascending. */
export function elements(set: BitSet): readonly number[] {
  return positions(set, 0);
}

/** The successors of an event, ascending. */
export function successors(rel: BitRel, i: number): readonly number[] {
  return positions(rel, i);
}

/** The pairs of a relation, in lexicographic order. */
export function* pairs(rel: BitRel): Generator<readonly [number, number]> {
  for (let i = 0; i < rel.size; i++) for (const j of successors(rel, i)) yield [i, j];
}

function positions({ words, width }: Bits, row: number): number[] {
  const found: number[] = [];
  for (let w = 0; w < width; w++) {
    for (let word = words[row * width + w]; word !== 0; word &= word - 1) {
      found.push(w * 32 + lowest(word));
    }
  }
  return found;
}

/** Whether a set or relation is empty. */
export function isEmpty({ words }: Bits): boolean {
  for (let w = 0; w < words.length; w++) if (words[w] !== 0) return false;
  return true;
}

/** Whether two sets or two relations over the same universe are equal. */
export function equal<A extends Bits>(a: A, b: A): boolean {
  const [left, right] = [a.words, b.words];
  if (a.size !== b.size) return false;
  for (let w = 0; w < left.length; w++) if (left[w] !== right[w]) return false;
  return true;
}

export function isIrreflexive(a: BitRel): boolean {
  for (let i = 0; i < a.size; i++) if (related(a, i, i)) return false;
  return true;
}

/** Whether a row is empty: of a set row 0, of a relation the row of an event. */
export function rowIsEmpty({ words, width }: Bits, i: number): boolean {
  for (let w = 0; w < width; w++) if (words[i * width + w] !== 0) return false;
  return true;
}

/** Do row `i` of `a` and row `j` of `b` have an event in common? */
export function rowsMeet(a: Bits, i: number, b: Bits, j: number): boolean {
  const { width } = a;
  for (let w = 0; w < width; w++) {
    if ((a.words[i * width + w] & b.words[j * width + w]) !== 0) return true;
  }
  return false;
}
