import type { EventId, EventStructure, Path, ValueId } from '../program/events/structure.js';
import { applyBinary, applyUnary } from '../program/arithmetic.js';
import { assertAtMostOne } from './at-most-one.js';
import type { Formula, Lit } from './formula.js';
import { FALSE, TRUE } from './formula.js';
import type { SourceLiterals } from './sources.js';

/** Literals for symbolic values: one for each number that a value can be. */
export interface ValueLiterals {
  /** When is a value a given number? */
  is(id: ValueId, number: number): Lit;
  /** The numbers that a value can be, and when it is each. */
  cases(id: ValueId): ReadonlyMap<number, Lit>;
  /** When is a value not 0? */
  truth(id: ValueId): Lit;
  /** When are all branches of a path taken? */
  path(path: Path): Lit;
  readonly choices: readonly Lit[];
}

/**
 * One-hot literals over the value sets of the bounds. A value that can only be one number costs nothing. A read
 * that reads from writes of constants has the number that its source writes. The value of any other read is free
 * among its set, and reads-from ties it to a write (base.ts).
 *
 * @param sources those of reads; without them, all reads are free
 */
export function createValueLiterals(
  structure: EventStructure,
  sets: readonly (readonly number[])[],
  formula: Formula,
  sources?: SourceLiterals,
): ValueLiterals {
  const { values } = structure;
  const memo: (ReadonlyMap<number, Lit> | undefined)[] = [];
  const choices = Array.from({ length: structure.choices }, () => formula.fresh());

  /** Ways to be each number, joined to one literal a number. */
  const join = (ways: readonly (readonly [number, Lit])[]): ReadonlyMap<number, Lit> => {
    const byNumber = new Map<number, Lit[]>();
    for (const [number, lit] of ways) {
      if (lit === FALSE) continue;
      byNumber.set(number, [...(byNumber.get(number) ?? []), lit]);
    }
    return new Map([...byNumber].map(([number, lits]) => [number, formula.or(...lits)]));
  };

  const compute = (id: ValueId): ReadonlyMap<number, Lit> => {
    const value = values[id];
    switch (value.op) {
      case 'const':
        return new Map([[value.value, TRUE]]);
      case 'choice': {
        const lit = choices[value.choice];
        return new Map([
          [0, -lit],
          [1, lit],
        ]);
      }
      case 'read':
        return read(value.event, sets[id]);
      case 'unary':
        return join([...cases(value.arg)].map(([n, lit]) => [applyUnary(value.fn, n), lit]));
      case 'binary': {
        const ways: [number, Lit][] = [];
        for (const [a, left] of cases(value.left)) {
          for (const [b, right] of cases(value.right)) {
            const result = applyBinary(value.fn, a, b);
            if (result !== undefined) ways.push([result, formula.and(left, right)]);
          }
        }
        return join(ways);
      }
      case 'select': {
        const condition = truth(value.condition);
        const side = (id: ValueId, taken: Lit) =>
          [...cases(id)].map(([n, lit]) => [n, formula.and(taken, lit)] as const);
        return join([...side(value.then, condition), ...side(value.else, -condition)]);
      }
    }
  };

  const read = (event: EventId, numbers: readonly number[]): ReadonlyMap<number, Lit> => {
    if (numbers.length < 2) return new Map(numbers.map((number) => [number, TRUE]));
    const ways: [number, Lit][] = [];
    for (const [write, lit] of sources?.(event) ?? []) {
      const written = sets[structure.events[write].value!];
      if (written.length !== 1) return oneOf(numbers, formula);
      ways.push([written[0], lit]);
    }
    return ways.length > 0 ? join(ways) : oneOf(numbers, formula);
  };

  const cases = (id: ValueId): ReadonlyMap<number, Lit> => (memo[id] ??= compute(id));
  const is = (id: ValueId, number: number): Lit => cases(id).get(number) ?? FALSE;
  const truth = (id: ValueId): Lit =>
    formula.or(...[...cases(id)].filter(([n]) => n !== 0).map(([, lit]) => lit));
  const path = (branches: Path): Lit =>
    formula.and(...branches.map((b) => (b.taken ? truth(b.condition) : -truth(b.condition))));

  return { is, cases, truth, path, choices };
}

/** Exactly one of some numbers, of which there are at least two: free variables, as few as do. */
function oneOf(numbers: readonly number[], formula: Formula): ReadonlyMap<number, Lit> {
  if (numbers.length === 2) {
    const lit = formula.fresh();
    return new Map([
      [numbers[0], -lit],
      [numbers[1], lit],
    ]);
  }
  const lits = numbers.map(() => formula.fresh());
  formula.assert(...lits);
  assertAtMostOne(lits, formula);
  return new Map(numbers.map((n, i) => [n, lits[i]]));
}
