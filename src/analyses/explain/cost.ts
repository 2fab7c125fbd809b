import type { Domain, Interpretation } from '../../model/interpret.js';
import { interpret } from '../../model/interpret.js';
import type { Model } from '../../model/term.js';
import type { Execution } from '../../model/relation/concrete.js';
import { has, pairs as pairsOf } from '../../model/relation/matrix.js';

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

/** The costs of all terms of a model. They are computed when they are needed. */
export type Costs = Interpretation<CostTable, CostTable>;

/** @param known costs of terms that were worked out before, as for `interpret` */
export const costsIn = (
  model: Model,
  execution: Execution,
  open: Openness = () => 0,
  known?: KnownCosts,
): Costs => interpret(model, costDomain(execution, open), known);

type KnownCosts = Parameters<typeof interpret<CostTable, CostTable>>[2];

/** Most terms are empty in most executions: these are two tables, and nothing is computed from them. */
function costDomain(
  { size, sets, relations }: Execution,
  open: Openness,
): Domain<CostTable, CostTable> {
  const nothing = new Float64Array(size).fill(Infinity);
  const none = new Float64Array(size * size).fill(Infinity);
  const isNone = (costs: CostTable): boolean => costs === none || costs === nothing;
  const settled = (costs: CostTable): CostTable => {
    for (const cost of costs) if (cost < Infinity) return costs;
    return costs.length === size ? nothing : none;
  };
  const each = (length: number, cost: (i: number) => number): CostTable => {
    const costs = new Float64Array(length);
    for (let i = 0; i < costs.length; i++) costs[i] = cost(i);
    return costs;
  };
  const pairs = (cost: (a: number, b: number) => number): CostTable => {
    const costs = new Float64Array(size * size);
    for (let a = 0, i = 0; a < size; a++) for (let b = 0; b < size; b++, i++) costs[i] = cost(a, b);
    return costs;
  };

  // Most terms are unions: a loop of their own is several times as fast as one that calls a function.
  const union = (a: CostTable, b: CostTable): CostTable => {
    if (isNone(a) && isNone(b)) return a;
    const costs = new Float64Array(a.length);
    for (let i = 0; i < costs.length; i++) costs[i] = (a[i] < b[i] ? a[i] : b[i]) + OPERATOR;
    return costs;
  };
  const inter = (a: CostTable, b: CostTable): CostTable => {
    if (isNone(a)) return a;
    if (isNone(b)) return b;
    const costs = new Float64Array(a.length);
    for (let i = 0; i < costs.length; i++) costs[i] = (a[i] > b[i] ? a[i] : b[i]) + OPERATOR;
    return settled(costs);
  };
  const diff = (a: CostTable, b: CostTable): CostTable => {
    if (isNone(a)) return a;
    const costs = new Float64Array(a.length);
    for (let i = 0; i < costs.length; i++)
      costs[i] = b[i] === Infinity ? a[i] + OPERATOR : Infinity;
    return settled(costs);
  };
  const compl = (a: CostTable, cost: number) =>
    each(a.length, (i) => (a[i] === Infinity ? cost : Infinity));
  const equal = (a: CostTable, b: CostTable) => a === b || a.every((cost, i) => cost === b[i]);

  const seq = (a: CostTable, b: CostTable): CostTable => {
    if (isNone(a) || isNone(b)) return none;
    const costs = none.slice();
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
    return settled(costs);
  };
  const product = (a: CostTable, b: CostTable): CostTable => {
    if (isNone(a) || isNone(b)) return none;
    const costs = none.slice();
    for (let i = 0; i < size; i++) {
      if (a[i] === Infinity) continue;
      for (let j = 0; j < size; j++) costs[i * size + j] = a[i] + b[j] + EDGE;
    }
    return costs;
  };
  const plus = (a: CostTable): CostTable => (isNone(a) ? none : shortestPaths(a, size));
  const opt = (a: CostTable): CostTable =>
    pairs((i, j) => (i === j ? OPERATOR : a[i * size + j] + OPERATOR));
  const identity = (a: CostTable): CostTable => {
    if (isNone(a)) return none;
    const costs = none.slice();
    for (let i = 0; i < size; i++) costs[i * size + i] = a[i] + OPERATOR;
    return costs;
  };

  return {
    emptySet: () => nothing,
    emptyRel: () => none,
    baseSet: (name) => {
      const set = given(name, sets.get(name));
      return settled(each(size, (i) => (has(set, i) ? 0 : Infinity)));
    },
    baseRel: (name) => {
      if (name === 'id') return pairs((i, j) => (i === j ? OPERATOR : Infinity));
      const costs = none.slice();
      for (const [i, j] of pairsOf(given(name, relations.get(name)))) {
        costs[i * size + j] = EDGE + OPEN * open(name, i, j);
      }
      return settled(costs);
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
    product,
    inverse: (a) => (isNone(a) ? none : pairs((i, j) => a[j * size + i] + OPERATOR)),
    plus,
    star: (a) => opt(plus(a)),
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
