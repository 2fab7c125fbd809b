import type { Domain, Interpretation } from '../../model/interpret.js';
import { interpret } from '../../model/interpret.js';
import { operatorFunctions } from '../../model/operators/operations.js';
import type { CostTable } from '../../model/operators/costs.js';
import {
  COSTS,
  EDGE,
  OPERATOR,
  costSpace,
  costsOfPairs,
  settled,
} from '../../model/operators/costs.js';
import type { Model } from '../../model/term.js';
import type { Execution } from '../../model/relation/concrete.js';
import { has, pairs } from '../../model/relation/matrix.js';

/**
 * The cost of reasons, as an interpretation of a model: for each pair of a relation, how many base edges the shortest reason
 * for it has. A pair that is not in the relation has infinite cost. A base edge that depends on something open (`Openness`)
 * costs more than any number of edges that do not.
 *
 * Every operator adds a little to the cost of its operands (`COSTS`). So a reason costs more than each of its parts, even if a
 * `let rec` leads back to the same pair. And of two reasons with equally many base edges, the one with fewer operators is
 * cheaper.
 */

/** The cost of something open. All edges of a reason together cost less. */
export const OPEN = 2 ** 40;

/** How many open facts a base edge depends on: facts that other executions may choose differently. Events by positions. */
export type Openness = (relation: string, from: number, to: number) => number;

/** The costs of the reasons for all terms of a model. They are computed when they are needed. */
export type ReasonCosts = Interpretation<CostTable, CostTable>;

/** @param known costs of terms that were worked out before, as for `interpret` */
export const costsIn = (
  model: Model,
  execution: Execution,
  open: Openness = () => 0,
  known?: KnownCosts,
): ReasonCosts => interpret(model, costDomain(execution, open), known);

type KnownCosts = Parameters<typeof interpret<CostTable, CostTable>>[2];

function costDomain(
  { size, sets, relations }: Execution,
  open: Openness,
): Domain<CostTable, CostTable> {
  const space = costSpace(size);
  const equal = (a: CostTable, b: CostTable) => a === b || a.every((cost, i) => cost === b[i]);
  return {
    ...operatorFunctions<CostTable, CostTable>((op, kind) => {
      const cost = COSTS[op];
      return (a: CostTable, b: CostTable) => cost(space, a, b, kind);
    }),
    emptySet: () => space.emptySet,
    emptyRel: () => space.emptyRel,
    baseSet(name) {
      const set = given(name, sets.get(name));
      return settled(
        space,
        space.emptySet.map((_, i) => (has(set, i) ? 0 : Infinity)),
      );
    },
    baseRel(name) {
      if (name === 'id') return costsOfPairs(space, (i, j) => (i === j ? OPERATOR : Infinity));
      const costs = space.emptyRel.slice();
      for (const [i, j] of pairs(given(name, relations.get(name)))) {
        costs[i * size + j] = EDGE + OPEN * open(name, i, j);
      }
      return settled(space, costs);
    },
    universe: () => new Float64Array(size),
    equalSet: equal,
    equalRel: equal,
  };
}

function given<T>(name: string, value: T | undefined): T {
  if (value === undefined) throw new Error(`the execution has no '${name}'`);
  return value;
}
