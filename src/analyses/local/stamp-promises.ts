import type { Model } from '../../model/term.js';
import { opt, related } from '../../model/relation/matrix.js';
import { sureOrder } from '../../check/order-in-every-run.js';
import { once } from '../../parse/once.js';
import type { Event } from '../../program/events/structure.js';
import type { Stamp, StampOrder } from './stamp-order.js';
import type { SpecifiedCall } from './subevents.js';
import { meantBy, stampText, standsFor } from './subevents.js';

/** A stamp promise that a call of an implementation does not keep. */
export interface BrokenPromise {
  /** The stamp of the specification. */
  readonly stamp: string;
  /** The stamp of what stands for it; undefined: nothing does. */
  readonly by?: string;
  /** What the stamp keeps in order with itself, and what stands for it does not. */
  readonly other?: { readonly stamp: string; readonly side: 'earlier' | 'later' };
  /** The stamps of the events of the call, in program order. */
  readonly events: readonly string[];
}

/**
 * Does what stands for the stamps of a call keep what they promise (LOCO paper, Def. 3.13)? Whatever has a stamp that
 * comes before one of the call's comes before an event of the implementation that happens before what stands for that one; and
 * the same afterwards. It is decided on every way through the call, by what is sure in any program.
 *
 * @param model that of the libraries below
 * @returns the first promise that is broken
 */
export function brokenPromise(
  specified: readonly SpecifiedCall[],
  implemented: readonly SpecifiedCall[],
  model: Model,
  order: StampOrder,
): BrokenPromise | undefined {
  for (const made of implemented) {
    // What stands for a stamp often has it itself, and then nothing need be known.
    const sure = once(() => opt(sureOrder(model, made.events)));
    const subevents = new Map(
      meantBy(made, specified).flatMap(({ events }) => events.map((e) => [stampText(e), e])),
    );
    for (const subevent of subevents.values()) {
      const by = standsFor(subevent, made.events);
      const about = { stamp: stampText(subevent), events: made.events.map(stampText) };
      if (by === undefined) return about;
      const at = made.events.indexOf(by);
      const other = unkept(subevent, by, made.events, order, {
        earlier: (i) => related(sure(), i, at),
        later: (i) => related(sure(), at, i),
      });
      if (other !== undefined) return { ...about, by: stampText(by), other };
    }
  }
  return undefined;
}

/** A stamp that is in order with that of a subevent, and with no event of the call on the right side of what stands for it. */
function unkept(
  subevent: Stamp,
  by: Event,
  events: readonly Event[],
  { stamps, inOrder }: StampOrder,
  isOn: Readonly<Record<'earlier' | 'later', (position: number) => boolean>>,
): BrokenPromise['other'] {
  const missing = (side: 'earlier' | 'later', holds: (a: Stamp, b: Stamp) => boolean) =>
    stamps.find(
      (stamp) =>
        holds(stamp, subevent) &&
        !holds(stamp, by) &&
        !events.some((e, i) => holds(stamp, e) && isOn[side](i)),
    );
  const earlier = missing('earlier', inOrder);
  if (earlier !== undefined) return { stamp: stampText(earlier), side: 'earlier' };
  const later = missing('later', (a, b) => inOrder(b, a));
  return later && { stamp: stampText(later), side: 'later' };
}
