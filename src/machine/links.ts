import type { Control } from './control.js';
import type { Controls } from './controls.js';
import type { Local } from './local.js';
import type { Pairs } from './masks.js';
import type { StepMask } from './relations.js';
import type { Threads } from './threads.js';

/** What threads have to say in the steps of others, by guesses between their calls. */
export class Links {
  constructor(
    private readonly controls: Controls,
    private readonly pairs: Pairs,
    private readonly threads: Threads,
  ) {}

  /** The steps of a call that calls of other threads allow in a state. */
  openIn(s: Int32Array, t: number, local: Local): StepMask {
    let open = -1;
    for (let u = 0; u < this.controls.all.length; u++) {
      if (u !== t) open &= this.openBeside(this.of(s, u), local);
    }
    return open;
  }

  /** The steps of a call that the calls of another thread allow. */
  openBeside({ calls, linked }: Control, local: Local): StepMask {
    let open = -1;
    for (let k = 0; k < linked.length; k++) {
      const other = calls[linked[k]].local;
      if (this.threads.areLinked(other.class, local.class)) {
        open &= this.pairs.between(other, local).open[1];
      }
    }
    return open;
  }

  /** Do calls of other threads allow a step, and does it decide no guess between them? */
  isIndifferent(s: Int32Array, t: number, local: Local, step: number): boolean {
    for (let u = 0; u < this.controls.all.length; u++) {
      if (u === t) continue;
      const { calls, linked } = this.of(s, u);
      for (let k = 0; k < linked.length; k++) {
        const other = calls[linked[k]].local;
        if (!this.threads.areLinked(other.class, local.class)) continue;
        const { open, decides } = this.pairs.between(other, local);
        if ((open[1] & ~decides[1] & (1 << step)) === 0) return false;
      }
    }
    return true;
  }

  private of(s: Int32Array, t: number): Control {
    return this.controls.all[t][s[t]];
  }
}
