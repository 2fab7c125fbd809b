/**
 * Sets and relations over at most 31 events as numbers: a set is one, a relation one for each event,
 * the set of its successors. Small programs are judged with these, many mutants at a time.
 */

export type Rows = Int32Array;

export const MOST_EVENTS = 31;

export const everything = (size: number): number => 2 ** size - 1;

export function rowsOf(size: number, pairs: Iterable<readonly [number, number]>): Rows {
  const rows = new Int32Array(size);
  for (const [a, b] of pairs) rows[a] |= 1 << b;
  return rows;
}

export function union(a: Rows, b: Rows): Rows {
  const rows = a.slice();
  for (let i = 0; i < rows.length; i++) rows[i] |= b[i];
  return rows;
}

export function intersection(a: Rows, b: Rows): Rows {
  const rows = a.slice();
  for (let i = 0; i < rows.length; i++) rows[i] &= b[i];
  return rows;
}

export function difference(a: Rows, b: Rows): Rows {
  const rows = a.slice();
  for (let i = 0; i < rows.length; i++) rows[i] &= ~b[i];
  return rows;
}

export function sequence(a: Rows, b: Rows): Rows {
  const rows = new Int32Array(a.length);
  for (let i = 0; i < rows.length; i++) {
    let row = 0;
    for (let left = a[i]; left !== 0; left &= left - 1) row |= b[31 - Math.clz32(left & -left)];
    rows[i] = row;
  }
  return rows;
}

export function product(a: number, b: number, size: number): Rows {
  const rows = new Int32Array(size);
  for (let i = 0; i < size; i++) if ((a >>> i) & 1) rows[i] = b;
  return rows;
}

export function identity(a: number, size: number): Rows {
  const rows = new Int32Array(size);
  for (let i = 0; i < size; i++) rows[i] = a & (1 << i);
  return rows;
}

export function inverse(a: Rows): Rows {
  const rows = new Int32Array(a.length);
  for (let i = 0; i < a.length; i++) {
    for (let left = a[i]; left !== 0; left &= left - 1) {
      rows[31 - Math.clz32(left & -left)] |= 1 << i;
    }
  }
  return rows;
}

export function closure(a: Rows): Rows {
  const rows = a.slice();
  for (let k = 0; k < rows.length; k++) {
    if (rows[k] === 0) continue;
    for (let i = 0; i < rows.length; i++) if ((rows[i] >>> k) & 1) rows[i] |= rows[k];
  }
  return rows;
}

export function domain(a: Rows): number {
  let set = 0;
  for (let i = 0; i < a.length; i++) if (a[i] !== 0) set |= 1 << i;
  return set;
}

export const range = (a: Rows): number => a.reduce((set, row) => set | row, 0);

export const isEmpty = (a: Rows): boolean => a.every((row) => row === 0);

export function isIrreflexive(a: Rows): boolean {
  for (let i = 0; i < a.length; i++) if ((a[i] >>> i) & 1) return false;
  return true;
}

export const isEqual = (a: Rows, b: Rows): boolean => a.every((row, i) => row === b[i]);
