import type { Group, Operand, PlainOp } from './merged.js';
import type { Rows } from './rows.js';
import * as r from './rows.js';

/** A set or a relation over the events of a small execution. */
export type Value = number | Rows;

/** Applies an operator of cat. */
export function operate(op: PlainOp, operands: readonly Value[], size: number): Value {
  const [a, b] = operands;
  switch (op) {
    case 'union':
      return typeof a === 'number' ? a | (b as number) : r.union(a, b as Rows);
    case 'inter':
      return typeof a === 'number' ? a & (b as number) : r.intersection(a, b as Rows);
    case 'diff':
      return typeof a === 'number' ? a & ~(b as number) : r.difference(a, b as Rows);
    case 'compl':
      return typeof a === 'number'
        ? r.everything(size) & ~a
        : r.difference(r.product(r.everything(size), r.everything(size), size), a);
    case 'seq':
      return r.sequence(a as Rows, b as Rows);
    case 'product':
      return r.product(a as number, b as number, size);
    case 'inverse':
      return r.inverse(a as Rows);
    case 'plus':
      return r.closure(a as Rows);
    case 'star':
      return r.union(r.closure(a as Rows), r.identity(r.everything(size), size));
    case 'opt':
      return r.union(a as Rows, r.identity(r.everything(size), size));
    case 'identity':
      return r.identity(a as number, size);
    case 'domain':
      return r.domain(a as Rows);
    case 'range':
      return r.range(a as Rows);
    case 'universe':
      return r.everything(size);
    case 'base':
    case 'empty':
      throw new Error(`'${op}' has no operands`);
  }
}

/** The least fixpoints of a recursive group of relations, by Kleene iteration. */
export function fixpoints(
  { locals, variables, bodies }: Group,
  given: readonly Value[],
  size: number,
) {
  let current: readonly Rows[] = Array.from({ length: variables }, () => new Int32Array(size));
  for (;;) {
    const values: Value[] = [];
    const operand = ({ local, index }: Operand): Value => (local ? values[index] : given[index]);
    for (const { op, variable, operands } of locals) {
      values.push(op === 'rec' ? current[variable!] : operate(op, operands.map(operand), size));
    }
    const next = bodies.map((body) => operand(body) as Rows);
    if (next.every((rows, i) => r.isEqual(rows, current[i]))) return next;
    current = next;
  }
}
