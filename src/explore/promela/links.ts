import type { Slot } from '../../machine/compute.js';
import type { Control, ControlId } from '../../machine/control.js';
import type { Local } from '../../machine/local.js';
import type { Machine } from '../../machine/machine.js';
import type { ExpressionOver } from '../../program/expression.js';
import { int, nameExpression } from '../../program/expression.js';
import { and, equals, or } from '../../program/formula.js';

/**
 * What other threads have to know of a thread, because of guesses between their calls: how far its calls are that these are about. That is a number, which is
 * in the slot where states have the control of the thread.
 */
export class LinkStates {
  /** By thread: for each state its number, and a control in which the thread is in it. */
  private readonly known: readonly Map<string, readonly [number, Control]>[];

  constructor(private readonly machine: Machine) {
    this.known = machine.codes.map(() => new Map());
    for (const control of machine.controls.all.flat()) this.numberOf(control);
  }

  numberOf(control: Control): number {
    const { thread, calls, linked } = control;
    const known = this.known[thread];
    const key = linked.map((i) => calls[i].local.id).join();
    const [number] = known.get(key) ?? [known.size, control];
    if (number === known.size) known.set(key, [number, control]);
    return number;
  }

  /** The number when a thread comes to another control; undefined: it stays. */
  changed(from: Control, to: ControlId): number | undefined {
    const number = this.numberOf(this.machine.controls.all[from.thread][to]);
    return number === this.numberOf(from) ? undefined : number;
  }

  /** When calls of other threads allow a step of a call. */
  allow(local: Local, step: number): ExpressionOver<Slot> {
    const { links } = this.machine;
    const parts = this.known.map((states, u): ExpressionOver<Slot> => {
      if (u === local.site.thread) return int(1);
      const all = [...states.values()];
      const allowed = all.filter(([, other]) => {
        return (links.openBeside(other, local) & (1 << step)) !== 0;
      });
      if (allowed.length === all.length) return int(1);
      return or(...allowed.map(([number]) => equals<Slot>(nameExpression(u), number)));
    });
    return and(...parts);
  }
}
