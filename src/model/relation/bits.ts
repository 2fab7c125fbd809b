/**
 * Sets and relations as bit vectors: what they are, building and reading them. `matrix.ts` computes with them.
 */

export interface BitSet {
  readonly size: number;
  readonly words: Uint32Array;
}

export interface BitRel {
  readonly size: number;
  /** Words per row. */
  readonly width: number;
  readonly words: Uint32Array;
}

/** Words per row. */
export const widthOf = (size: number): number => (size + 31) >>> 5;

// Building and reading

/** The empty set of a universe of `size` events. */
export function emptySet(size: number): BitSet {
  return { size, words: new Uint32Array(widthOf(size)) };
}

/** The empty relation of a universe of `size` events. */
export function emptyRel(size: number): BitRel {
  const width = widthOf(size);
  return { size, width, words: new Uint32Array(width * size) };
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

/** Adds all pairs of a relation, of few pairs as a rule, to one under construction. */
export function addAll({ words }: BitRel, { words: more }: BitRel): void {
  for (let w = 0; w < words.length; w++) if (more[w] !== 0) words[w] |= more[w];
}

export function has(set: BitSet, i: number): boolean {
  return ((set.words[i >>> 5] >>> (i & 31)) & 1) === 1;
}

export function related(rel: BitRel, i: number, j: number): boolean {
  return ((rel.words[i * rel.width + (j >>> 5)] >>> (j & 31)) & 1) === 1;
}

/** The elements of a set, ascending. */
export function elements(set: BitSet): readonly number[] {
  return bits(set.words, 0, set.words.length);
}

/** The successors of an event, ascending. */
export function successors(rel: BitRel, i: number): readonly number[] {
  return bits(rel.words, i * rel.width, rel.width);
}

/** The pairs of a relation, in lexicographic order. */
export function* pairs(rel: BitRel): Generator<readonly [number, number]> {
  for (let i = 0; i < rel.size; i++) for (const j of successors(rel, i)) yield [i, j];
}

function bits(words: Uint32Array, start: number, count: number): number[] {
  const found: number[] = [];
  for (let w = 0; w < count; w++) {
    for (let word = words[start + w]; word !== 0; word &= word - 1) {
      found.push(w * 32 + lowest(word));
    }
  }
  return found;
}

/** The position of the lowest bit of a word that is not 0. */
export const lowest = (word: number): number => 31 - Math.clz32(word & -word);
