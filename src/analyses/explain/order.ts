import { valueText } from '../../parse/values.js';
import type { Event, EventId, EventStructure } from '../../program/events/structure.js';
import { termNames } from '../../model/print.js';
import type { Axiom, Model } from '../../model/term.js';
import type { Program } from '../../program/program.js';
import type { BitRel } from '../../model/relation/matrix.js';
import { successors } from '../../model/relation/matrix.js';
import type { WitnessMeaning } from '../../check/witness/witness.js';
import type { Verified } from '../../check/witness/verify.js';
import type { Happening, ToldExecution } from '../timeline/events.js';
import { happenings, pairsOf } from '../timeline/events.js';
import type { ToldEvent } from '../timeline/from-execution.js';
import { eventsInOrder } from '../timeline/sequence.js';
import type { Order } from './explanation.js';
import { referenceOf, sourceOf, eventValuesOf } from './labels.js';

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
      const text = eventInWords(structure, verified, event, source);
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

/** What an event of a call of a library does to its cell. */
function doing(structure: EventStructure, run: WitnessMeaning, e: Event): string {
  const { read, written } = eventValuesOf(structure, run, e);
  const place = e.location === undefined ? '' : structure.program.locations[e.location].name;
  const parts = [
    ...(read === undefined ? [] : [`reads ${place} = ${valueText(read)}`]),
    ...(written === undefined ? [] : [`writes ${place} = ${valueText(written)}`]),
  ];
  return parts.length === 0 ? '' : `: ${parts.join(', ')}`;
}

/** What an event does, in words. */
function eventInWords(
  structure: EventStructure,
  { run }: Verified,
  e: Event,
  source: Program,
): string {
  const { program } = structure;
  const { labels } = program.instructions;
  const label = labels.find((one) => one.name === e.label);
  const { name } = program.threads[e.thread];
  const reference = referenceOf(program, source, e);
  if (reference !== undefined) return `${reference}${doing(structure, run, e)}`;
  const location = e.location === undefined ? undefined : program.locations[e.location];
  const text = sourceOf(source, e);
  const isNic = label?.by === 'nic';
  const who = isNic ? `the NIC of ${name}` : name;
  const cause = text === undefined ? '' : `, for ${text}`;
  const isPart = location?.wire === true || label?.occasions !== undefined;
  if (isPart && label?.words !== undefined) return `${who} ${label.words}${cause}`;
  if (location === undefined) {
    const isPlain = e.node === undefined && e.work === undefined;
    return isPlain && label?.words !== undefined
      ? `${who} ${label.words}`
      : `${who} passes ${text}`;
  }
  const { read, written } = eventValuesOf(structure, run, e);
  const place = location.hidden === true ? 'its constant' : location.name;
  if (read !== undefined && written !== undefined) {
    const where = isNic ? ` in node ${location.node}${cause}` : `, by its ${e.label}`;
    return `${who} finds ${place} = ${valueText(read)} and makes it ${valueText(written)}${where}`;
  }
  if (written !== undefined) {
    const where = isNic ? ` into node ${location.node}'s memory` : '';
    return `${who} writes ${place} = ${valueText(written)}${where}`;
  }
  return `${who} reads ${place} = ${valueText(read!)}${isNic ? ` in node ${location.node}${cause}` : ''}`;
}
