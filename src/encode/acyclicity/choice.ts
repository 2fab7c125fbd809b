import { closure } from './closure.js';
import type { LessSink } from './difference.js';
import { difference } from './difference.js';
import { elimination } from './elimination.js';
import type { NoCycle } from './no-cycle.js';
import { ranks } from './ranks.js';

/** The ways to encode that a graph has no cycle (docs/encodings.md); the first is the default. */
export const ACYCLICITIES = ['elimination', 'ranks', 'closure', 'difference'] as const;
export type Acyclicity = (typeof ACYCLICITIES)[number];

/** Does an encoding need integers? Then the solver has to be made with them. */
export const needsIntegers = (acyclicity: Acyclicity): boolean => acyclicity === 'difference';

/** The encoding of one graph after the other in one solver, to which `less` leads. */
export function noCycleFor(acyclicity: Acyclicity, less: LessSink): NoCycle {
  switch (acyclicity) {
    case 'elimination':
      return elimination;
    case 'ranks':
      return ranks;
    case 'closure':
      return closure;
    case 'difference':
      return difference(less);
  }
}
