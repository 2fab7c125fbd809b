import type { Domain, Interpretation } from '../../model/interpret.js';
import { interpret } from '../../model/interpret.js';
import type { Model } from '../../model/term.js';
import type { Execution } from '../../model/relation/concrete.js';
import { has, related } from '../../model/relation/matrix.js';

/**
 * The cost of reasons, as an interpretation of a model: for each pair of a relation, how many base edges the shortest reason
 * for it has. A pair that is not in the relation has infinite cost. A base edge that depends on something open (`Openness`)
 * costs more than any number of edges that do not.
 *
 * Every operator adds a little to the cost of its operands. So a reason costs more than each of its parts, even if a
 * `let rec` leads back to the same pair. And of two reasons with equally many base edges, the one with fewer operators is
 * cheaper.
 */

/** Costs by event, or by `event * size + event`. */
export type CostTable = Float64Array;

/** The cost of one base edge. All operators of a reason together cost less. */
export const EDGE = 2 ** 24;

/** The cost of something open. All edges of a reason together cost less. */
export const OPEN = 2 ** 40;

/** How many open facts a base edge depends on: facts that other executions may choose differently. Events by positions. */
export type Openness = (relation: string, from: number, to: number) => number;

/** What an operator adds. A step of a path costs more than an operand of a long union. */
export const OPERATOR = 1;
export const STEP = 64;

/** The costs of all terms of a model in an execution. They are computed when they are needed. */
export function costsIn(
  model: Model,
  execution: Execution,
  open: Openness = () => 0,
): Interpretation<CostTable, CostTable> {
  return interpret(model, costDomain(execution, open));
}

function costDomain(
  { size, sets, relations }: Execution,
  open: Openness,
): Domain<CostTable, CostTable> {
  const nowhere = (length: number): CostTable => new Float64Array(length).fill(Infinity);
  const emptySet = (): CostTable => nowhere(size);
  const emptyRel = (): CostTable => nowhere(size * size);
  const fill = (costs: CostTable, cost: (i: number) => number): CostTable => {
    for (let i = 0; i < costs.length; i++) costs[i] = cost(i);
    return costs;
  };
  const each = (length: number, cost: (i: number) => number) =>
    fill(new Float64Array(length), cost);
  const pairs = (cost: (a: number, b: number) => number): CostTable => {
    const costs = new Float64Array(size * size);
    for (let a = 0, i = 0; a < size; a++) for (let b = 0; b < size; b++, i++) costs[i] = cost(a, b);
    return costs;
  };

  // Most terms are unions: a loop of their own is several times as fast as one that calls a function.
  const union = (a: CostTable, b: CostTable): CostTable => {
    const costs = new Float64Array(a.length);
    for (let i = 0; i < costs.length; i++) costs[i] = (a[i] < b[i] ? a[i] : b[i]) + OPERATOR;
    return costs;
  };
  const inter = (a: CostTable, b: CostTable): CostTable => {
    const costs = new Float64Array(a.length);
    for (let i = 0; i < costs.length; i++) costs[i] = (a[i] > b[i] ? a[i] : b[i]) + OPERATOR;
    return costs;
  };
  const diff = (a: CostTable, b: CostTable) =>
    each(a.length, (i) => (b[i] === Infinity ? a[i] + OPERATOR : Infinity));
  const compl = (a: CostTable, cost: number) =>
    each(a.length, (i) => (a[i] === Infinity ? cost : Infinity));
  const equal = (a: CostTable, b: CostTable) => a.every((cost, i) => cost === b[i]);

  const seq = (a: CostTable, b: CostTable): CostTable => {
    const costs = emptyRel();
    for (let i = 0; i < size; i++) {
      for (let k = 0; k < size; k++) {
        const first = a[i * size + k];
        if (first === Infinity) continue;
        for (let j = 0; j < size; j++) {
          const cost = first + b[k * size + j] + STEP;
          if (cost < costs[i * size + j]) costs[i * size + j] = cost;
        }
      }
    }
    return costs;
  };

  const opt = (a: CostTable): CostTable =>
    pairs((i, j) => (i === j ? OPERATOR : a[i * size + j] + OPERATOR));
  const identity = (a: CostTable): CostTable =>
    pairs((i, j) => (i === j ? a[i] + OPERATOR : Infinity));

  return {
    emptySet,
    emptyRel,
    baseSet: (name) => each(size, (i) => (has(given(name, sets.get(name)), i) ? 0 : Infinity)),
    baseRel: (name) => {
      if (name === 'id') return pairs((i, j) => (i === j ? OPERATOR : Infinity));
      const rel = given(name, relations.get(name));
      return pairs((i, j) => (related(rel, i, j) ? EDGE + OPEN * open(name, i, j) : Infinity));
    },
    universe: () => new Float64Array(size),
    unionSet: union,
    interSet: inter,
    diffSet: diff,
    complSet: (a) => compl(a, 0),
    unionRel: union,
    interRel: inter,
    diffRel: diff,
    complRel: (a) => compl(a, EDGE),
    seq,
    product: (a, b) => pairs((i, j) => a[i] + b[j] + EDGE),
    inverse: (a) => pairs((i, j) => a[j * size + i] + OPERATOR),
    plus: (a) => shortestPaths(a, size),
    star: (a) => opt(shortestPaths(a, size)),
    opt,
    identity,
    domain: (a) => each(size, (i) => least(size, (j) => a[i * size + j]) + OPERATOR),
    range: (a) => each(size, (j) => least(size, (i) => a[i * size + j]) + OPERATOR),
    equalSet: equal,
    equalRel: equal,
  };
}

/** The costs of the shortest paths of at least one step (Floyd and Warshall). */
export function shortestPaths(step: CostTable, size: number): CostTable {
  const costs = step.map((cost) => cost + STEP);
  for (let k = 0; k < size; k++) {
    for (let i = 0; i < size; i++) {
      const first = costs[i * size + k];
      if (first === Infinity) continue;
      for (let j = 0; j < size; j++) {
        const cost = first + costs[k * size + j];
        if (cost < costs[i * size + j]) costs[i * size + j] = cost;
      }
    }
  }
  return costs;
}

function least(size: number, cost: (i: number) => number): number {
  let found = Infinity;
  for (let i = 0; i < size; i++) found = Math.min(found, cost(i));
  return found;
}

function given<T>(name: string, value: T | undefined): T {
  if (value === undefined) throw new Error(`the execution has no '${name}'`);
  return value;
}
