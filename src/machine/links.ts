import type { Control } from './control.js';
import type { Controls } from './controls.js';
import type { Layout } from './layout.js';
import type { Local } from './local.js';
import { placeOfOrder } from './local.js';
import type { CallPair, Pairs } from './masks.js';
import type { Orders } from './orders.js';
import type { StepMask } from './relations.js';
import type { Threads } from './threads.js';

/** What calls have to say in the steps of others beyond what a thread knows of its own: by guesses between threads, and by which step came first. */
export class Links {
  constructor(
    private readonly layout: Layout,
    private readonly controls: Controls,
    private readonly pairs: Pairs,
    private readonly threads: Threads,
    private readonly orders: Orders,
  ) {}

  /** The steps of a call of a control that other threads, and the order of what was done, allow in a state. */
  openIn(s: Int32Array, control: Control, i: number): StepMask {
    const { thread: t, calls } = control;
    const { local } = calls[i];
    let open = this.openByOwn(s, control, i);
    for (let u = 0; u < this.controls.all.length; u++) {
      if (u === t) continue;
      const other = this.of(s, u);
      open &= this.openBeside(other, local);
      if (this.orders.some) open &= this.openByOrder(s, other, control, i);
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

  /** Do other calls allow a step, and does it decide no guess between threads? */
  isIndifferent(s: Int32Array, control: Control, i: number, step: number): boolean {
    const { thread: t, calls: own } = control;
    const { local } = own[i];
    if ((this.openIn(s, control, i) & (1 << step)) === 0) return false;
    for (let u = 0; u < this.controls.all.length; u++) {
      if (u === t) continue;
      const { calls, linked } = this.of(s, u);
      for (let k = 0; k < linked.length; k++) {
        const other = calls[linked[k]].local;
        if (!this.threads.areLinked(other.class, local.class)) continue;
        if ((this.pairs.between(other, local).decides[1] & (1 << step)) !== 0) return false;
      }
    }
    return true;
  }

  private openByOrder(s: Int32Array, other: Control, control: Control, i: number): StepMask {
    const { local } = control.calls[i];
    let open = -1;
    for (let k = 0; k < other.linked.length; k++) {
      const j = other.linked[k];
      const { local: one } = other.calls[j];
      if (!this.threads.areLinked(one.class, local.class)) continue;
      const { ordered } = this.pairs.between(one, local);
      if (ordered.length > 0) open &= this.openAsTaken(s, ordered, [other, j], [control, i], 1);
    }
    return open;
  }

  private openByOwn(s: Int32Array, control: Control, i: number): StepMask {
    if (!this.orders.some) return -1;
    const { calls } = control;
    const { local } = calls[i];
    let open = -1;
    for (let j = 0; j < calls.length; j++) {
      if (j === i) continue;
      const { local: other } = calls[j];
      const { ordered } =
        j < i ? this.pairs.inOrder(other, local) : this.pairs.inOrder(local, other);
      if (ordered.length === 0) continue;
      open &=
        j < i
          ? this.openAsTaken(s, ordered, [control, j], [control, i], 1)
          : this.openAsTaken(s, ordered, [control, i], [control, j], 0);
    }
    return open;
  }

  /** The steps that two calls allow one of them, by which steps were taken first. */
  private openAsTaken(
    s: Int32Array,
    ordered: CallPair['ordered'],
    one: readonly [Control, number],
    other: readonly [Control, number],
    side: 0 | 1,
  ): StepMask {
    let open = -1;
    for (const { steps, open: byFirst } of ordered) {
      const [first, second] = [this.timeOf(s, one, steps[0]), this.timeOf(s, other, steps[1])];
      open &= byFirst[first < second ? 0 : 1][side];
    }
    return open;
  }

  private timeOf(
    s: Int32Array,
    [{ thread, calls }, i]: readonly [Control, number],
    step: number,
  ): number {
    const { values, widths } = this.layout;
    const place = placeOfOrder(this.orders, calls[i].local, step);
    if (place === undefined) throw new Error('a step whose order matters is not remembered');
    return s[values[thread] + i * widths[thread] + place];
  }

  private of(s: Int32Array, t: number): Control {
    return this.controls.all[t][s[t]];
  }
}
