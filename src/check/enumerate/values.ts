import type { EventId, EventStructure, ValueId } from '../../program/events/structure.js';
import { applyBinary, applyUnary, isDivisionByZero } from '../../program/arithmetic.js';

/**
 * What a symbolic value is while reads are still being given their writes: a number; not known yet;
 * without meaning, as a division by zero; or waiting for a free choice.
 */
export type Evaluated = number | 'unknown' | 'undefined' | { readonly choice: number };

/** The decisions that determine values. */
export interface DecidedChoices {
  /** Whether a branch is taken, if the given paths say so; otherwise undefined. */
  readonly taken: (condition: ValueId) => boolean | undefined;
  readonly choice: (choice: number) => number | undefined;
  /** The number that a read reads, or the value that it gets from its write. */
  readonly read: (
    event: EventId,
  ) => { readonly number: number } | { readonly value: ValueId } | undefined;
  /** Called for a value beyond the exact integers. */
  readonly overflow: () => void;
}

export interface Values {
  readonly evaluate: (id: ValueId) => Evaluated;
  /** To be called when decisions have changed. */
  readonly forget: () => void;
}

/** Evaluates values of a structure. Values that depend on themselves by way of reads are unknown. */
export function createConcreteValues({ values }: EventStructure, decided: DecidedChoices): Values {
  const known: (Evaluated | undefined)[] = [];
  return { evaluate, forget: () => (known.length = 0) };

  function evaluate(id: ValueId): Evaluated {
    const before = known[id];
    if (before !== undefined) return before;
    // If evaluation comes back here, the value is on a cycle and stays unknown.
    known[id] = 'unknown';
    return (known[id] = compute(id));
  }

  function compute(id: ValueId): Evaluated {
    const v = values[id];
    switch (v.op) {
      case 'const':
        return v.value;
      case 'choice':
        return decided.choice(v.choice) ?? { choice: v.choice };
      case 'read': {
        const read = decided.read(v.event);
        if (read === undefined) return 'unknown';
        return 'number' in read ? read.number : evaluate(read.value);
      }
      case 'unary': {
        const arg = evaluate(v.arg);
        return typeof arg === 'number' ? applyUnary(v.fn, arg) : arg;
      }
      case 'binary': {
        const left = evaluate(v.left);
        const right = evaluate(v.right);
        if (typeof left === 'object' || left === 'undefined') return left;
        if (typeof right !== 'number') return right;
        if (typeof left !== 'number') return left;
        const result = applyBinary(v.fn, left, right);
        if (result === undefined && !isDivisionByZero(v.fn, right)) decided.overflow();
        return result ?? 'undefined';
      }
      case 'select': {
        const truth = decided.taken(v.condition) ?? truthOf(evaluate(v.condition));
        if (typeof truth !== 'boolean') return truth;
        return evaluate(truth ? v.then : v.else);
      }
    }
  }
}

const truthOf = (outcome: Evaluated): boolean | Exclude<Evaluated, number> =>
  typeof outcome === 'number' ? outcome !== 0 : outcome;
