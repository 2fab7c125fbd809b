import type { BinaryOperator, UnaryOperator } from '../../parse/litmus-ast.js';
import { applyBinary, applyUnary } from '../arithmetic.js';
import type { EventId, Value, ValueId } from './structure.js';

/** Builds the table of values. Equal values are stored once, and constants are folded. */
export interface ValueTable {
  readonly values: readonly Value[];
  constant(value: number): ValueId;
  read(event: EventId): ValueId;
  /** A fresh free choice, 0 or 1. */
  choice(): ValueId;
  unary(fn: UnaryOperator, arg: ValueId): ValueId;
  binary(fn: BinaryOperator, left: ValueId, right: ValueId): ValueId;
  select(condition: ValueId, then: ValueId, otherwise: ValueId): ValueId;
  /** The number, if a value is a constant. */
  constantOf(id: ValueId): number | undefined;
  /** How many free choices there are. */
  choices(): number;
}

export function createValueTable(): ValueTable {
  const values: Value[] = [];
  const index = new Map<string, ValueId>();
  let choices = 0;

  const add = (value: Value): ValueId => {
    const key = Object.values(value).join(' ');
    const known = index.get(key);
    if (known !== undefined) return known;
    index.set(key, values.length);
    values.push(value);
    return values.length - 1;
  };
  const constantOf = (id: ValueId): number | undefined => {
    const value = values[id];
    return value.op === 'const' ? value.value : undefined;
  };
  const constant = (value: number): ValueId => add({ op: 'const', value });

  return {
    values,
    constant,
    constantOf,
    read: (event) => add({ op: 'read', event }),
    choice: () => add({ op: 'choice', choice: choices++ }),
    choices: () => choices,
    unary(fn, arg) {
      const known = constantOf(arg);
      return known === undefined ? add({ op: 'unary', fn, arg }) : constant(applyUnary(fn, known));
    },
    binary(fn, left, right) {
      const known = applyBinary(fn, constantOf(left), constantOf(right));
      return known === undefined ? add({ op: 'binary', fn, left, right }) : constant(known);
    },
    select(condition, then, otherwise) {
      const known = constantOf(condition);
      if (known !== undefined) return known !== 0 ? then : otherwise;
      if (then === otherwise) return then;
      return add({ op: 'select', condition, then, else: otherwise });
    },
  };
}
