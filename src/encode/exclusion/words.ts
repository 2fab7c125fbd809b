/**
 * Operations on sets and relations over events 0 … n-1 that write their result into words that are
 * there already: what a search does at every step should not allocate. A set is one row of `width`
 * words, a relation n rows; bits beyond n are 0. `out` is never one of the arguments.
 */

export type Words = Uint32Array;

/** How many events there are, and how many words a row of them takes. */
export interface Size {
  readonly n: number;
  readonly width: number;
}

export const sizeOf = (n: number): Size => ({ n, width: (n + 31) >>> 5 });
export const newSet = ({ width }: Size): Words => new Uint32Array(width);
export const newRel = ({ n, width }: Size): Words => new Uint32Array(n * width);

export const has = ({ width }: Size, rel: Words, i: number, j: number): boolean =>
  ((rel[i * width + (j >>> 5)] >>> (j & 31)) & 1) !== 0;

export function put({ width }: Size, rel: Words, i: number, j: number): void {
  rel[i * width + (j >>> 5)] |= 1 << (j & 31);
}

export function take({ width }: Size, rel: Words, i: number, j: number): void {
  rel[i * width + (j >>> 5)] &= ~(1 << (j & 31));
}

// Bit by bit: sets and relations alike

export function union(out: Words, a: Words, b: Words): void {
  for (let i = 0; i < out.length; i++) out[i] = a[i] | b[i];
}

export function inter(out: Words, a: Words, b: Words): void {
  for (let i = 0; i < out.length; i++) out[i] = a[i] & b[i];
}

export function diff(out: Words, a: Words, b: Words): void {
  for (let i = 0; i < out.length; i++) out[i] = a[i] & ~b[i];
}

/** `out` gains `a`; is that anything new? */
export function addAll(out: Words, a: Words): boolean {
  let gained = 0;
  for (let i = 0; i < out.length; i++) {
    gained |= a[i] & ~out[i];
    out[i] |= a[i];
  }
  return gained !== 0;
}

export function isEmpty(a: Words): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== 0) return false;
  return true;
}

export function equal(a: Words, b: Words): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** All events, in every row of `out`. */
export function fill({ n, width }: Size, out: Words): void {
  const last = (n & 31) === 0 ? 0xffffffff : 2 ** (n & 31) - 1;
  for (let i = 0; i < out.length; i++) out[i] = i % width === width - 1 ? last : 0xffffffff;
}

export function compl(size: Size, out: Words, a: Words): void {
  fill(size, out);
  for (let i = 0; i < out.length; i++) out[i] &= ~a[i];
}

// Relations

export function addIdentity(size: Size, out: Words): void {
  for (let i = 0; i < size.n; i++) put(size, out, i, i);
}

/** `[a]` */
export function identity(size: Size, out: Words, a: Words): void {
  out.fill(0);
  for (let i = 0; i < size.n; i++) if (has(size, a, 0, i)) put(size, out, i, i);
}

export function product(size: Size, out: Words, a: Words, b: Words): void {
  out.fill(0);
  for (let i = 0; i < size.n; i++) if (has(size, a, 0, i)) out.set(b, i * size.width);
}

/** Row `i` of `out` gains row `j` of `from`. */
export function addRow({ width }: Size, out: Words, i: number, from: Words, j: number): void {
  for (let w = 0; w < width; w++) out[i * width + w] |= from[j * width + w];
}

/** Do row `i` of `a` and row `j` of `b` meet? */
export function meets({ width }: Size, a: Words, i: number, b: Words, j: number): boolean {
  for (let w = 0; w < width; w++) if ((a[i * width + w] & b[j * width + w]) !== 0) return true;
  return false;
}

export function rowIsEmpty({ width }: Size, a: Words, i: number): boolean {
  for (let w = 0; w < width; w++) if (a[i * width + w] !== 0) return false;
  return true;
}

/** `out` gains `a ; b`. */
export function addSeq(size: Size, out: Words, a: Words, b: Words): void {
  const { n, width } = size;
  for (let i = 0; i < n; i++) {
    for (let w = 0; w < width; w++) {
      for (let word = a[i * width + w]; word !== 0; word &= word - 1) {
        addRow(size, out, i, b, w * 32 + (31 - Math.clz32(word & -word)));
      }
    }
  }
}

/** `out` gains `a ; b^-1`. */
export function addSeqInverse(size: Size, out: Words, a: Words, b: Words): void {
  for (let i = 0; i < size.n; i++) {
    if (rowIsEmpty(size, a, i)) continue;
    for (let j = 0; j < size.n; j++) if (meets(size, a, i, b, j)) put(size, out, i, j);
  }
}

/** `out` gains `a^-1 ; b`. */
export function addInverseSeq(size: Size, out: Words, a: Words, b: Words): void {
  const { n, width } = size;
  for (let i = 0; i < n; i++) {
    for (let w = 0; w < width; w++) {
      for (let word = a[i * width + w]; word !== 0; word &= word - 1) {
        addRow(size, out, w * 32 + (31 - Math.clz32(word & -word)), b, i);
      }
    }
  }
}

/** `out` gains `a^-1`. */
export function addInverse(size: Size, out: Words, a: Words): void {
  const { n, width } = size;
  for (let i = 0; i < n; i++) {
    for (let w = 0; w < width; w++) {
      for (let word = a[i * width + w]; word !== 0; word &= word - 1) {
        put(size, out, w * 32 + (31 - Math.clz32(word & -word)), i);
      }
    }
  }
}

/** Transitive closure, in place (Warshall, a row at a time). */
export function close(size: Size, rel: Words): void {
  for (let k = 0; k < size.n; k++) {
    // Nothing leads on from an event without successors.
    if (rowIsEmpty(size, rel, k)) continue;
    for (let i = 0; i < size.n; i++) if (has(size, rel, i, k)) addRow(size, rel, i, rel, k);
  }
}

/** The events that are related to something. */
export function domain(size: Size, out: Words, a: Words): void {
  out.fill(0);
  for (let i = 0; i < size.n; i++) if (!rowIsEmpty(size, a, i)) put(size, out, 0, i);
}

/** The events that something is related to. */
export function range(size: Size, out: Words, a: Words): void {
  out.fill(0);
  for (let i = 0; i < size.n; i++) addRow(size, out, 0, a, i);
}

export function isIrreflexive(size: Size, a: Words): boolean {
  for (let i = 0; i < size.n; i++) if (has(size, a, i, i)) return false;
  return true;
}
