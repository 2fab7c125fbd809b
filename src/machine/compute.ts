import { BEYOND_EXACT, applyBinary, applyUnary, isDivisionByZero } from '../program/arithmetic.js';
import type { BinaryOperator } from '../parse/litmus-ast.js';
import type { Value, ValueId } from '../program/events/structure.js';
import type { Cell, FlowValue } from '../program/flow/graph.js';
import type { CallSite } from './calls.js';
import type { Alternative } from './classes.js';
import { placeOfRead } from './local.js';

/** Index into the vector that is a state. */
export type Slot = number;

/** A value is undefined, or larger than the exploration can take: nothing is known of the program then. */
export class Undefined extends Error {}

/** A value in a state. Throws `Undefined` where it has none. */
export type Compute = (s: Int32Array) => number;

/** What a value of a thread is computed from. */
export function computeFlow(value: FlowValue, slotOf: (cell: Cell) => Slot): Compute {
  switch (value.kind) {
    case 'int': {
      const { value: constant } = value;
      return () => constant;
    }
    case 'cell': {
      const slot = slotOf(value.cell);
      return (s) => s[slot];
    }
    case 'unary': {
      const arg = computeFlow(value.arg, slotOf);
      const { op } = value;
      return (s) => applyUnary(op, arg(s));
    }
    case 'binary': {
      const [left, right] = [value.left, value.right].map((one) => computeFlow(one, slotOf));
      const { op } = value;
      return (s) => binary(op, left(s), right(s));
    }
  }
}

/** A value of a call, from the place of its values in a state: what it was given, and then what its events have read. */
export type ComputeInCall = (s: Int32Array, at: Slot) => number;

/** The values of the calls of a site that go one way, by their ids. */
export function computeCall(
  site: CallSite,
  { choices }: Alternative,
): (id: ValueId) => ComputeInCall {
  const known = new Map<ValueId, ComputeInCall>();
  const compute = (id: ValueId): ComputeInCall => {
    const before = known.get(id);
    if (before !== undefined) return before;
    const made = make(site.values[id]);
    known.set(id, made);
    return made;
  };
  const make = (value: Value): ComputeInCall => {
    switch (value.op) {
      case 'const':
        return () => value.value;
      case 'choice': {
        const { choice } = value;
        const way = choices.get(choice);
        if (way !== undefined) return () => Number(way);
        return (s, at) => s[at + choice];
      }
      case 'read': {
        const place = placeOfRead(site, value.event);
        return (s, at) => s[at + place];
      }
      case 'unary': {
        const arg = compute(value.arg);
        return (s, at) => applyUnary(value.fn, arg(s, at));
      }
      case 'binary': {
        const [left, right] = [compute(value.left), compute(value.right)];
        return (s, at) => binary(value.fn, left(s, at), right(s, at));
      }
      case 'select': {
        const [condition, then, otherwise] = [value.condition, value.then, value.else].map(compute);
        return (s, at) => (condition(s, at) !== 0 ? then(s, at) : otherwise(s, at));
      }
    }
  };
  return compute;
}

function binary(op: BinaryOperator, left: number, right: number): number {
  const found = applyBinary(op, left, right);
  if (found !== undefined) return found;
  throw new Undefined(isDivisionByZero(op, right) ? 'some run divides by zero' : BEYOND_EXACT);
}
