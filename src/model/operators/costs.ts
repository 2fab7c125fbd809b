import type { Kind } from '../term-node.js';
import type { Operator } from './facts.js';

/**
 * What the cheapest reason costs for which an event is in a set, by event, or a pair in a relation, by `a * size + b`.
 * Infinity: it is not in there.
 */
export type CostTable = Float64Array;

/** The cost of a pair that no other pair gives. The operators of one reason together cost less. */
export const EDGE = 2 ** 24;

/** What an operator adds to the cost of its operands, so that a reason costs more than each of its parts. */
export const OPERATOR = 1;
/** What a step of a path adds: more than the operands of a long union. */
export const STEP = 64;

/** What costs are about: the events of one execution. */
export interface CostSpace {
  readonly size: number;
  /**
   * The table of every empty set, and of every empty relation. Most terms are empty in most executions, and from these two nothing
   * is computed.
   */
  readonly emptySet: CostTable;
  readonly emptyRel: CostTable;
}

export const costSpace = (size: number): CostSpace => ({
  size,
  emptySet: new Float64Array(size).fill(Infinity),
  emptyRel: new Float64Array(size * size).fill(Infinity),
});

/** Costs of reasons for the result, from those for the operands. Of a unary operator, `b` is not looked at. */
type Cost = (space: CostSpace, a: CostTable, b: CostTable, kind: Kind) => CostTable;

/** What a reason costs for what each operator makes of its operands; `kind` is that of the result. */
export const COSTS: Readonly<Record<Operator, Cost>> = {
  // Most terms are unions: a loop of their own is several times as fast as one that calls a function.
  union(space, a, b) {
    if (isEmpty(space, a) && isEmpty(space, b)) return a;
    const costs = new Float64Array(a.length);
    for (let i = 0; i < costs.length; i++) costs[i] = (a[i] < b[i] ? a[i] : b[i]) + OPERATOR;
    return costs;
  },
  inter(space, a, b) {
    if (isEmpty(space, a)) return a;
    if (isEmpty(space, b)) return b;
    const costs = new Float64Array(a.length);
    for (let i = 0; i < costs.length; i++) costs[i] = (a[i] > b[i] ? a[i] : b[i]) + OPERATOR;
    return settled(space, costs);
  },
  diff(space, a, b) {
    if (isEmpty(space, a)) return a;
    const costs = new Float64Array(a.length);
    for (let i = 0; i < costs.length; i++)
      costs[i] = b[i] === Infinity ? a[i] + OPERATOR : Infinity;
    return settled(space, costs);
  },
  compl: (_, a, __, kind) =>
    a.map((cost) => (cost < Infinity ? Infinity : kind === 'set' ? 0 : EDGE)),
  seq(space, a, b) {
    if (isEmpty(space, a) || isEmpty(space, b)) return space.emptyRel;
    const { size } = space;
    const costs = space.emptyRel.slice();
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
    return settled(space, costs);
  },
  product(space, a, b) {
    if (isEmpty(space, a) || isEmpty(space, b)) return space.emptyRel;
    const { size } = space;
    const costs = space.emptyRel.slice();
    for (let i = 0; i < size; i++) {
      if (a[i] === Infinity) continue;
      for (let j = 0; j < size; j++) costs[i * size + j] = a[i] + b[j] + EDGE;
    }
    return costs;
  },
  inverse: (space, a) =>
    isEmpty(space, a) ? a : costsOfPairs(space, (i, j) => a[j * space.size + i] + OPERATOR),
  plus: closure,
  star: (space, a) => reflexive(space, closure(space, a)),
  opt: reflexive,
  identity(space, a) {
    if (isEmpty(space, a)) return space.emptyRel;
    const { size } = space;
    const costs = space.emptyRel.slice();
    for (let i = 0; i < size; i++) costs[i * size + i] = a[i] + OPERATOR;
    return costs;
  },
  domain: ({ size }, a) => costsOfEvents(size, (i) => least(size, (j) => a[i * size + j])),
  range: ({ size }, a) => costsOfEvents(size, (j) => least(size, (i) => a[i * size + j])),
};

const isEmpty = ({ emptySet, emptyRel }: CostSpace, costs: CostTable): boolean =>
  costs === emptyRel || costs === emptySet;

/** The same costs; where none is finite, the table that stands for what is empty. */
export function settled({ size, emptySet, emptyRel }: CostSpace, costs: CostTable): CostTable {
  for (const cost of costs) if (cost < Infinity) return costs;
  return costs.length === size ? emptySet : emptyRel;
}

/** Costs of all pairs of events. */
export function costsOfPairs(
  { size }: CostSpace,
  cost: (a: number, b: number) => number,
): CostTable {
  const costs = new Float64Array(size * size);
  for (let a = 0, i = 0; a < size; a++) for (let b = 0; b < size; b++, i++) costs[i] = cost(a, b);
  return costs;
}

function costsOfEvents(size: number, cost: (event: number) => number): CostTable {
  const costs = new Float64Array(size);
  for (let i = 0; i < size; i++) costs[i] = cost(i) + OPERATOR;
  return costs;
}

function closure(space: CostSpace, a: CostTable): CostTable {
  return isEmpty(space, a) ? a : shortestPaths(a, space.size);
}

function reflexive(space: CostSpace, a: CostTable): CostTable {
  return costsOfPairs(space, (i, j) => (i === j ? OPERATOR : a[i * space.size + j] + OPERATOR));
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
