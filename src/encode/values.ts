import type { EventId, EventStructure, Path, Value, ValueId } from '../program/events/structure.js';
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
export const createValueLiterals = (
  structure: EventStructure,
  sets: readonly (readonly number[])[],
  formula: Formula,
  sources?: SourceLiterals,
): ValueLiterals => new OneHot(structure, sets, formula, sources);

type Cases = ReadonlyMap<number, Lit>;
type Ways = readonly (readonly [number, Lit])[];

class OneHot implements ValueLiterals {
  readonly choices: readonly Lit[];
  private readonly memo: (Cases | undefined)[] = [];

  constructor(
    private readonly structure: EventStructure,
    private readonly sets: readonly (readonly number[])[],
    private readonly formula: Formula,
    private readonly sources: SourceLiterals | undefined,
  ) {
    this.choices = Array.from({ length: structure.choices }, () => formula.fresh());
  }

  is(id: ValueId, number: number): Lit {
    return this.cases(id).get(number) ?? FALSE;
  }

  cases(id: ValueId): Cases {
    return (this.memo[id] ??= this.compute(id));
  }

  truth(id: ValueId): Lit {
    return this.formula.or(...[...this.cases(id)].filter(([n]) => n !== 0).map(([, lit]) => lit));
  }

  path(branches: Path): Lit {
    return this.formula.and(
      ...branches.map((b) => (b.taken ? this.truth(b.condition) : -this.truth(b.condition))),
    );
  }

  private compute(id: ValueId): Cases {
    const value = this.structure.values[id];
    switch (value.op) {
      case 'const':
        return new Map([[value.value, TRUE]]);
      case 'choice': {
        const lit = this.choices[value.choice];
        return new Map([
          [0, -lit],
          [1, lit],
        ]);
      }
      case 'read':
        return this.read(value.event, this.sets[id]);
      case 'unary':
        return this.join(
          [...this.cases(value.arg)].map(([n, lit]) => [applyUnary(value.fn, n), lit]),
        );
      case 'binary':
        return this.join(this.combined(value));
      case 'select': {
        const condition = this.truth(value.condition);
        const side = (id: ValueId, taken: Lit) =>
          [...this.cases(id)].map(([n, lit]) => [n, this.formula.and(taken, lit)] as const);
        return this.join([...side(value.then, condition), ...side(value.else, -condition)]);
      }
    }
  }

  private combined({ fn, left, right }: Extract<Value, { op: 'binary' }>): Ways {
    const ways: [number, Lit][] = [];
    for (const [a, isLeft] of this.cases(left)) {
      for (const [b, isRight] of this.cases(right)) {
        const result = applyBinary(fn, a, b);
        if (result !== undefined) ways.push([result, this.formula.and(isLeft, isRight)]);
      }
    }
    return ways;
  }

  private read(event: EventId, numbers: readonly number[]): Cases {
    if (numbers.length < 2) return new Map(numbers.map((number) => [number, TRUE]));
    const ways: [number, Lit][] = [];
    for (const [write, lit] of this.sources?.(event) ?? []) {
      const written = this.sets[this.structure.events[write].value!];
      if (written.length !== 1) return oneOf(numbers, this.formula);
      ways.push([written[0], lit]);
    }
    return ways.length > 0 ? this.join(ways) : oneOf(numbers, this.formula);
  }

  /** Ways to be each number, joined to one literal a number. */
  private join(ways: Ways): Cases {
    const byNumber = new Map<number, Lit[]>();
    for (const [number, lit] of ways) {
      if (lit === FALSE) continue;
      byNumber.set(number, [...(byNumber.get(number) ?? []), lit]);
    }
    return new Map([...byNumber].map(([number, lits]) => [number, this.formula.or(...lits)]));
  }
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
