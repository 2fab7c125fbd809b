import { BEYOND_EXACT, applyBinary, applyUnary, isDivisionByZero } from '../program/arithmetic.js';
import type { BinaryOperator } from '../parse/litmus-ast.js';
import type { Value, ValueId } from '../program/events/structure.js';
import type { ExpressionOver } from '../program/expression.js';
import { binary, computed, int, nameExpression, substitute, unary } from '../program/expression.js';
import type { Cell, FlowLeaf, FlowValue } from '../program/flow/graph.js';
import { ifThenElse, or } from '../program/formula.js';
import type { CallSite } from './calls.js';
import type { ClassAlternative } from './classes.js';
import { placeOfRead } from './local.js';
import type { QueueKinds } from './queue-step.js';

/** Index into the vector that is a state. */
export type Slot = number;

/** A value is undefined, or larger than the exploration can take: nothing is known of the program then. */
export class Undefined extends Error {}

/** A value in a state. Of a call, slots count from the place of its values. */
export interface Computed {
  readonly expression: ExpressionOver<Slot>;
  /** Throws `Undefined` where it has no value. */
  readonly compute: Compute;
}

type Compute = (s: Int32Array, at: Slot) => number;

/** What a value of a thread is computed from. */
export const computedFlow = (value: FlowValue, slotOf: (cell: Cell) => Slot): Computed =>
  ready(computed<FlowLeaf, Slot>(value, ({ cell }) => nameExpression(slotOf(cell))));

/** The values of the calls of a site that go one way, by their ids: of what a call was given, and then what its events have read. */
export function computedInCall(
  site: CallSite,
  { choices }: ClassAlternative,
): (id: ValueId) => Computed {
  const known = new Map<ValueId, Computed>();
  const of = (id: ValueId): ExpressionOver<Slot> => made(id).expression;
  const made = (id: ValueId): Computed => {
    const before = known.get(id);
    if (before !== undefined) return before;
    const value = ready(expression(site.values[id]));
    known.set(id, value);
    return value;
  };
  const expression = (value: Value): ExpressionOver<Slot> => {
    switch (value.op) {
      case 'const':
        return int(value.value);
      case 'choice': {
        const { choice } = value;
        const way = choices.get(choice);
        return way === undefined ? nameExpression(choice) : int(Number(way));
      }
      case 'read':
        return nameExpression(placeOfRead(site, value.event));
      case 'unary':
        return unary(value.fn, of(value.arg));
      case 'binary':
        return binary(value.fn, of(value.left), of(value.right));
      case 'select':
        return ifThenElse(of(value.condition), of(value.then), of(value.else));
    }
  };
  return made;
}

/** An expression over what is in a state, of one of which slots count from a place. */
export const shifted = (e: ExpressionOver<Slot>, at: Slot): ExpressionOver<Slot> =>
  at === 0 ? e : substitute(e, (slot) => nameExpression(at + slot));

/** A number, whatever the state is. */
export const constant = (value: number): Computed => ready(int(value));

/** Of 0 and 1, the one that is not in a slot. */
export const otherThan = (slot: Slot): Computed => ready(binary('-', int(1), nameExpression(slot)));

/** What is in a slot, and one more, or one less. */
export const counted = (slot: Slot, by: 1 | -1): Computed =>
  ready(binary('+', nameExpression(slot), int(by)));

/** Is there something in a queue? */
export const someIn = (slot: Slot): Computed => ready(binary('>', nameExpression(slot), int(0)));

/**
 * A queue of things of several kinds is a number: its digits in base `of + 1` are the numbers of their kinds, the first thing last. What it is without its first
 * thing.
 */
export const withoutFirst = (slot: Slot, { of }: QueueKinds): Computed =>
  ready(binary('/', nameExpression(slot), int(of + 1)));

/** The same with one more thing, where `longest` fit. */
export const withLast = (
  slot: Slot,
  { numbers: [number], of }: QueueKinds,
  longest: number,
): Computed => {
  const base = of + 1;
  let place: ExpressionOver<Slot> = int(base ** (longest - 1));
  for (let k = longest - 2; k > 0; k--) {
    place = ifThenElse(binary('<', nameExpression(slot), int(base ** k)), int(base ** k), place);
  }
  place = ifThenElse(binary('=', nameExpression(slot), int(0)), int(1), place);
  return ready(binary('+', nameExpression(slot), binary('*', int(number), place)));
};

/** Is the first thing of one of these kinds? */
export const isFirst = (slot: Slot, { numbers, of }: QueueKinds): Computed => {
  const first = binary('%', nameExpression(slot), int(of + 1));
  return ready(or(...numbers.map((number) => binary('=', first, int(number)))));
};

/** Is less in a queue than there is room for? */
export const fewer = (slot: Slot, room: number): ExpressionOver<Slot> =>
  binary('<', nameExpression(slot), int(room));

const ready = (expression: ExpressionOver<Slot>): Computed => ({
  expression,
  compute: compiled(expression),
});

function compiled(e: ExpressionOver<Slot>): Compute {
  switch (e.kind) {
    case 'int': {
      const { value } = e;
      return () => value;
    }
    case 'name': {
      const { name } = e;
      return (s, at) => s[at + name];
    }
    case 'unary': {
      const arg = compiled(e.arg);
      const { op } = e;
      return (s, at) => applyUnary(op, arg(s, at));
    }
    case 'binary': {
      const [left, right] = [compiled(e.left), compiled(e.right)];
      const { op } = e;
      return (s, at) => defined(op, left(s, at), right(s, at));
    }
  }
}

function defined(op: BinaryOperator, left: number, right: number): number {
  const found = applyBinary(op, left, right);
  if (found !== undefined) return found;
  throw new Undefined(isDivisionByZero(op, right) ? 'some run divides by zero' : BEYOND_EXACT);
}
