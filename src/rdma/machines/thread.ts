import {
  BEYOND_EXACT,
  applyBinary,
  applyUnary,
  isDivisionByZero,
} from '../../program/arithmetic.js';
import type { LocationId } from '../../program/program.js';
import type { Code, CodeExpression } from './code.js';
import type { QueuePairId, Request, ThreadState, Words } from './state.js';
import type { Update } from '../update.js';
import { operandsOfUpdate, withOperands } from '../update.js';

/** The labels of the TSO paper's Fig. 6. A thread takes a labelled step together with the hardware. */
export type ThreadLabel =
  | { readonly kind: 'read'; readonly location: LocationId }
  | { readonly kind: 'write'; readonly location: LocationId; readonly value: number }
  /** An atomic of the CPU. The value in memory decides what it writes, and whether a CAS does. */
  | { readonly kind: 'update'; readonly location: LocationId; readonly update: Update }
  | { readonly kind: 'mfence' }
  | { readonly kind: 'poll'; readonly queuePair: QueuePairId }
  | { readonly kind: 'request'; readonly request: Request | Words };

/** Why runs through a state are not followed any further. */
export type Stop =
  /** An assumption failed: there are no such runs. */
  | { readonly kind: 'assume' }
  /** A loop would go beyond its bound: such runs are not explored. */
  | { readonly kind: 'cut'; readonly bound: number }
  /** A value is undefined: such runs have no meaning. */
  | { readonly kind: 'undefined'; readonly reason: string };

/** What a thread can do next. */
export type Offer =
  | { readonly kind: 'finished' }
  | { readonly kind: 'stop'; readonly stop: Stop }
  | { readonly kind: 'silent'; readonly next: readonly ThreadState[] }
  /** `next` gets the value that the hardware found, for reads and atomics. */
  | {
      readonly kind: 'label';
      readonly label: ThreadLabel;
      readonly next: (found?: number) => ThreadState;
    };

/** The state in which a thread starts. */
export function threadStart({ registers }: Code): ThreadState {
  return { at: 0, registers: Array.from({ length: registers }, () => 0), reads: [] };
}

export function offerOf({ ops }: Code, thread: ThreadState): Offer {
  const op = ops[thread.at];
  if (op === undefined) return { kind: 'finished' };
  // The step that uses what was read also forgets it.
  const next: ThreadState = { ...thread, at: thread.at + 1, reads: [] };
  const silent = (...next: readonly ThreadState[]): Offer => ({ kind: 'silent', next });
  const label = (label: ThreadLabel): Offer => ({ kind: 'label', label, next: () => next });
  const withValue = (formula: CodeExpression, use: (value: number) => Offer): Offer => {
    const value = valueOf(formula, thread);
    return typeof value === 'number' ? use(value) : { kind: 'stop', stop: value };
  };
  const withUpdate = (update: Update<CodeExpression>, use: (update: Update) => Offer): Offer => {
    const values: number[] = [];
    for (const operand of operandsOfUpdate(update)) {
      const value = valueOf(operand, thread);
      if (typeof value !== 'number') return { kind: 'stop', stop: value };
      values.push(value);
    }
    return use(withOperands(update.kind, values));
  };
  switch (op.kind) {
    case 'read':
      return {
        kind: 'label',
        label: op,
        next: (found = 0) => ({ ...next, reads: [...thread.reads, found] }),
      };
    case 'write':
      return withValue(op.value, (value) => label({ kind: 'write', location: op.location, value }));
    case 'update':
      return withUpdate(op.update, (update) => ({
        kind: 'label',
        label: { kind: 'update', location: op.location, update },
        next: (found = 0) => ({ ...next, reads: [found] }),
      }));
    case 'atomic':
      return withUpdate(op.update, (update) =>
        label({ kind: 'request', request: { ...op, update } }),
      );
    case 'mfence':
    case 'poll':
    case 'request':
      return label(op);
    case 'set':
      return withValue(op.value, (value) =>
        silent({ ...next, registers: next.registers.with(op.register, value) }),
      );
    case 'assume':
      return withValue(op.condition, (value) => (value === 0 ? FAILED : silent(next)));
    case 'unless':
      return withValue(op.condition, (value) =>
        silent(value === 0 ? { ...next, at: op.to } : next),
      );
    case 'goto':
      return silent(...op.to.map((at) => ({ ...next, at })));
    case 'count': {
      const done = next.registers[op.counter];
      if (done === op.bound) return { kind: 'stop', stop: { kind: 'cut', bound: op.bound } };
      return silent({ ...next, registers: next.registers.with(op.counter, done + 1) });
    }
  }
}

const FAILED: Offer = { kind: 'stop', stop: { kind: 'assume' } };
type Undefined = Extract<Stop, { kind: 'undefined' }>;
const DIVISION: Undefined = { kind: 'undefined', reason: 'some run divides by zero' };
export const OVERFLOW: Undefined = { kind: 'undefined', reason: BEYOND_EXACT };

/** The value of an expression, or why it is undefined. */
function valueOf(
  { expression, locations }: CodeExpression,
  thread: ThreadState,
): number | Undefined {
  const visit = (e: typeof expression): number | Undefined => {
    switch (e.kind) {
      case 'int':
        return e.value;
      case 'location':
        return thread.reads[locations.indexOf(e.location)];
      case 'register':
        return thread.registers[e.register];
      case 'unary': {
        const arg = visit(e.arg);
        return typeof arg === 'number' ? applyUnary(e.op, arg) : arg;
      }
      case 'binary': {
        const left = visit(e.left);
        if (typeof left !== 'number') return left;
        const right = visit(e.right);
        if (typeof right !== 'number') return right;
        const none = isDivisionByZero(e.op, right) ? DIVISION : OVERFLOW;
        return applyBinary(e.op, left, right) ?? none;
      }
    }
  };
  return visit(expression);
}
