import type { Local } from './local.js';
import { isOpen } from './open.js';
import type { ModelRelations, Relations, StepMask } from './relations.js';

/** What two calls that are not finished allow each other. */
export interface Allowed {
  /** The steps that the first, or the second, may take as far as the other one is concerned. */
  readonly first: StepMask;
  readonly second: StepMask;
}

/** What pairs of calls allow each other, each worked out once. */
export class PairMasks {
  private readonly sequential: Allowed[][] = [];
  private readonly apart: Allowed[][] = [];

  constructor(private readonly relations: ModelRelations) {}

  /** Of two calls of one thread, in program order. */
  inOrder(first: Local, second: Local): Allowed {
    const row = (this.sequential[first.id] ??= []);
    return (row[second.id] ??= this.allowed(first, second));
  }

  /** Of calls of two threads. */
  between(first: Local, second: Local): Allowed {
    const row = (this.apart[first.id] ??= []);
    return (row[second.id] ??= this.allowed(first, second));
  }

  relationsOf(first: Local, second: Local): Relations {
    return this.relations.of([first.site, second.site], [first.executed, second.executed]);
  }

  private allowed(first: Local, second: Local): Allowed {
    const relations = this.relationsOf(first, second);
    const shift = 2 * first.site.events.length;
    const done = first.done | (second.done << shift);
    const open = (step: number): boolean => isOpen(relations, done, step);
    let mask = 0;
    for (let step = 0; step < shift + 2 * second.site.events.length; step++) {
      if (open(step)) mask |= 1 << step;
    }
    return { first: mask & ((1 << shift) - 1), second: mask >>> shift };
  }
}
