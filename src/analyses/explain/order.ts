import type { EventId } from '../../program/events/structure.js';
import { termNames } from '../../model/print.js';
import type { Axiom, Model } from '../../model/term.js';
import type { BitRel } from '../../model/relation/matrix.js';
import { successors } from '../../model/relation/matrix.js';
import type { Verified } from '../../check/witness/verify.js';
import type { Happening, ToldExecution } from '../timeline/events.js';
import { happenings, pairsOf } from '../timeline/events.js';
import type { ToldEvent } from '../timeline/from-execution.js';
import { eventsInOrder } from '../timeline/sequence.js';
import type { Order } from './explanation.js';
import { eventInWords } from './event-words.js';

/** An execution, event by event, in an order that agrees with a relation of its model. */
export interface OrderedExecution {
  readonly happenings: readonly Happening[];
  /** The relation, as cat text. */
  readonly axiom: string;
  /** The words of each event. */
  readonly told: ReadonlyMap<EventId, ToldEvent>;
}

/**
 * An execution in an order that agrees with the model: with the relation of the last axiom that forbids cycles. Undefined if the
 * model has no such axiom.
 *
 * Of all such orders, it takes one in which each thread goes on as long as it can, beginning with the first.
 */
export function orderOf(execution: VerifiedExecution, model: Model): OrderedExecution | undefined {
  const axiom = orderingAxiom(model);
  if (axiom === undefined) return undefined;
  const { structure, verified, source } = execution;
  const relation = verified.judgement.rel(axiom.term);
  if (hasCycle(relation, verified.events.length)) return undefined;
  const order = happenings(execution, pairsOf(execution, relation));
  const told = order
    .filter(({ posts }) => !posts)
    .map(({ event }, i) => {
      const text = eventInWords(structure, verified.run, event, source);
      return [event.id, { number: i + 1, text }] as const;
    });
  return { happenings: order, axiom: termNames(model).text(axiom.term), told: new Map(told) };
}

type VerifiedExecution = ToldExecution & { readonly verified: Verified };

/** The same in words. */
export const orderInWords = ({
  axiom,
  told,
}: OrderedExecution): Extract<Order, { kind: 'events' }> => ({
  kind: 'events',
  axiom,
  steps: [...told.values()].map(({ text }) => text),
});

/**
 * The last axiom that forbids cycles. Its relation is taken for the order of events. Of libraries it is the first: that is about
 * all of them, and those of each come after it.
 */
export function orderingAxiom({ axioms, instructions }: Model): Axiom | undefined {
  const forbidding = axioms.filter((a) => !a.flag && !a.negated && a.test !== 'empty');
  return instructions.libraries.length > 0 ? forbidding.at(0) : forbidding.at(-1);
}

/** Whatever is on a cycle of the relation, or behind one, has no place in an order. */
const hasCycle = (relation: BitRel, count: number): boolean =>
  eventsInOrder(
    count,
    (i) => successors(relation, i),
    () => 0,
  ).length < count;
