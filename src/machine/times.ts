import type { Control } from './control.js';
import type { Controls } from './controls.js';
import type { Slot } from './compute.js';
import type { Layout } from './layout.js';
import { placeOfOrder } from './local.js';
import type { Orders } from './orders.js';

/** When steps were taken, as far as states remember it: of each group the times are 1, 2, 3, and so on. */
export class Times {
  private readonly known = new WeakMap<Control, readonly (readonly [group: number, Slot])[]>();

  constructor(
    private readonly layout: Layout,
    private readonly controls: Controls,
    private readonly orders: Orders,
  ) {}

  /** Counts anew, so that states with the same orders are the same. */
  renumber(s: Int32Array): void {
    const groups = new Map<number, Slot[]>();
    for (const [t, all] of this.controls.all.entries()) {
      for (const [group, slot] of this.slotsIn(all[s[t]])) {
        const slots = groups.get(group);
        if (slots === undefined) groups.set(group, [slot]);
        else slots.push(slot);
      }
    }
    for (const slots of groups.values()) {
      slots.sort((a, b) => s[a] - s[b]);
      for (let k = 0; k < slots.length; k++) s[slots[k]] = k + 1;
    }
  }

  /** The times that the calls of a thread have. */
  private slotsIn(control: Control): readonly (readonly [group: number, Slot])[] {
    const known = this.known.get(control) ?? this.findIn(control);
    this.known.set(control, known);
    return known;
  }

  private findIn({ thread, calls }: Control): readonly (readonly [group: number, Slot])[] {
    const { values, widths } = this.layout;
    return calls.flatMap(({ local }, i) =>
      this.orders.of(local.class).flatMap((step) => {
        if (local.isFinished || (local.done & (1 << step)) === 0) return [];
        const place = placeOfOrder(this.orders, local, step)!;
        const slot = values[thread] + i * widths[thread] + place;
        return [[this.orders.groupOf(local.class), slot] as const];
      }),
    );
  }
}
