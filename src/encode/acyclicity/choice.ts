import { closure } from './closure.js';
import type { LessSink, NodeSink } from './difference.js';
import { differenceLogic } from './difference.js';
import { elimination } from './elimination.js';
import type { Cycles } from './no-cycle.js';
import { ranks } from './ranks.js';
import { transitive } from './transitive.js';

/** The ways to encode that a graph has no cycle (docs/engines.md); the first is the default. */
export const ACYCLICITIES = ['elimination', 'ranks', 'closure', 'difference'] as const;
export type Acyclicity = (typeof ACYCLICITIES)[number];

/** Does an encoding need integers? Then the solver has to be made with them. */
export const needsIntegers = (acyclicity: Acyclicity): boolean => acyclicity === 'difference';

/** The default, which takes clauses alone. */
export const ELIMINATION: Cycles = { graph: elimination, order: transitive };

/** The encoding of one graph after the other in one solver, to which `less` leads; `isNode` hears of each integer that stands for a node. */
export function cyclesFor(acyclicity: Acyclicity, less: LessSink, isNode?: NodeSink): Cycles {
  switch (acyclicity) {
    case 'elimination':
      return ELIMINATION;
    case 'ranks':
      return { graph: ranks, order: transitive };
    case 'closure':
      return { graph: closure, order: transitive };
    case 'difference': {
      const graph = differenceLogic(less, isNode);
      return { graph, order: graph };
    }
  }
}
