import type { Event, EventStructure } from '../../program/events/structure.js';
import { INITIAL } from '../../program/events/structure.js';
import { enumerateCandidates } from '../../check/enumerate/candidates.js';
import { definitionOf } from '../../check/order-in-every-run.js';
import { valueText } from '../../parse/values.js';
import type { Verified } from '../../check/witness/verify.js';
import { evaluate } from '../../model/relation/concrete.js';
import type { BitRel } from '../../model/relation/matrix.js';
import * as m from '../../model/relation/matrix.js';
import type { Model } from '../../model/term.js';
import {
  implementedCalls,
  implementedGroups,
  specifiedCalls,
  stampText,
  standsFor,
} from './subevents.js';

/** A client in one of both forms. */
export interface OrderSide {
  readonly structure: EventStructure;
  readonly model: Model;
}

/** An execution of an implementation that is none of the specification with its order. */
export interface OrderDeparture {
  /** What the calls return: `a1 = 1`. */
  readonly outcome: string;
  /** Subevents that the specification orders, and what stands for them is not ordered; none: it forbids the outcome. */
  readonly pair?: readonly [string, string];
}

/** `kept`: how many executions of the implementation were looked at. */
export type OrderAnswer =
  | { readonly kind: 'kept'; readonly executions: number }
  | { readonly kind: 'departs'; readonly departure: OrderDeparture }
  | { readonly kind: 'unknown'; readonly reason: string };

/**
 * The rest of local soundness (LOCO paper, Def. 3.13) for one client: each execution of the implementation is an execution of the
 * specification with the same results, in which whatever happens before something else does so in the implementation,
 * too, where each subevent is what stands for it. The axioms must hold for as much of `hb` as the implementation has.
 *
 * @param limit how many candidates are tried on each side
 */
export function ordersKept(
  specification: OrderSide,
  implementation: OrderSide,
  limit: number,
): OrderAnswer {
  const { cuts, bound } = implementation.structure;
  if (cuts.length > 0) return { kind: 'unknown', reason: `loops were unrolled ${bound} times` };
  const specified = new Map<string, Verified[]>();
  const keep = (verified: Verified): void => {
    const key = outcomeOf(verified, specification.structure, specification.structure);
    specified.set(key, [...(specified.get(key) ?? []), verified]);
  };
  const all = enumerateCandidates(specification.structure, specification.model, keep, { limit });
  let executions = 0;
  let departure: OrderDeparture | undefined;
  const made = enumerateCandidates(
    implementation.structure,
    implementation.model,
    (verified) => {
      executions += 1;
      const outcome = outcomeOf(verified, specification.structure, implementation.structure);
      const pair = missingPair(
        specified.get(outcome) ?? [],
        verified,
        specification,
        implementation,
      );
      if (pair === undefined) return false;
      departure = pair === 'none' ? { outcome } : { outcome, pair };
      return true;
    },
    { limit },
  );
  if (all.incomplete !== undefined) return { kind: 'unknown', reason: all.incomplete };
  if (departure !== undefined) return { kind: 'departs', departure };
  if (made.incomplete !== undefined) return { kind: 'unknown', reason: made.incomplete };
  return { kind: 'kept', executions };
}

/** The results of all calls, as the client names them. */
function outcomeOf({ run }: Verified, client: EventStructure, own: EventStructure): string {
  return client.program.threads
    .flatMap(({ registers }, thread) =>
      registers.map((name) => {
        const register = own.program.threads[thread].registers.indexOf(name);
        return `${name} = ${valueText(run.final({ kind: 'register', thread, register }) ?? 0)}`;
      }),
    )
    .join(', ');
}

/** Undefined: one of some executions of the specification is kept. Otherwise a pair that the last of them has too many. */
function missingPair(
  specified: readonly Verified[],
  made: Verified,
  specification: OrderSide,
  implementation: OrderSide,
): readonly [string, string] | 'none' | undefined {
  const order = made.judgement.rel(definitionOf(implementation.model, 'hb'));
  let missing: readonly [string, string] | 'none' = 'none';
  for (const one of specified) {
    const images = imagesOf(one, made, specification, implementation);
    const pair = firstPair(one, images, order, specification.model);
    if (pair !== undefined) {
      const [a, b] = pair.map((i) => named(one.events[i], specification, implementation));
      missing = [a, b];
    }
    if (pair === undefined && holdsWith(one, images, order, specification.model)) return undefined;
  }
  return missing;
}

/** For each event of an execution of the specification, the position of what stands for it, where something does. */
function imagesOf(
  one: Verified,
  made: Verified,
  specification: OrderSide,
  implementation: OrderSide,
): readonly (number | undefined)[] {
  const images = one.events.map((): number | undefined => undefined);
  const position = new Map(made.events.map((e, i) => [e.id, i]));
  for (const thread of specification.structure.program.threads.keys()) {
    const calls = implementedCalls(implementation.structure, thread);
    for (const [k, call] of specifiedCalls(specification.structure, thread).entries()) {
      const events = calls[k].filter((e) => position.has(e.id));
      for (const subevent of call) {
        const at = one.events.indexOf(subevent);
        const by = at < 0 ? undefined : standsFor(subevent, events);
        if (by !== undefined) images[at] = position.get(by.id);
      }
    }
  }
  return images;
}

/** Subevents in an order that the implementation does not keep, by their positions. */
function firstPair(
  { events, judgement }: Verified,
  images: readonly (number | undefined)[],
  order: BitRel,
  model: Model,
): readonly [number, number] | undefined {
  const specified = judgement.rel(definitionOf(model, 'hb'));
  for (const [a, from] of events.entries()) {
    if (from.thread === INITIAL || from.mark !== undefined) continue;
    for (const b of m.successors(specified, a)) {
      if (events[b].mark !== undefined) continue;
      const [x, y] = [images[a], images[b]];
      if (x === undefined || y === undefined || !m.related(order, x, y)) return [a, b];
    }
  }
  return undefined;
}

/** Does an execution still satisfy the axioms, with all of `hb` that the implementation has? */
function holdsWith(
  { events, execution, judgement }: Verified,
  images: readonly (number | undefined)[],
  order: BitRel,
  model: Model,
): boolean {
  const term = definitionOf(model, 'hb');
  const more = m.unionRel(judgement.rel(term), m.emptyRel(events.length));
  for (const [a, x] of images.entries()) {
    for (const [b, y] of images.entries()) {
      if (x !== undefined && y !== undefined && m.related(order, x, y)) m.relate(more, a, b);
    }
  }
  const from = { set: judgement.set, rel: () => more };
  return evaluate(model, execution, { has: (id) => id === term, from }).consistent;
}

/** `T1 bal.bar(o1) aGF(2)` */
function named(event: Event, { structure }: OrderSide, implementation: OrderSide): string {
  const { thread } = event;
  const rank = specifiedCalls(structure, thread).findIndex((call) => call.includes(event));
  const call = implementedGroups(implementation.structure, thread)[rank];
  const { groups = [], program } = implementation.structure;
  return `${program.threads[thread].name} ${groups[call].call} ${stampText(event)}`;
}
