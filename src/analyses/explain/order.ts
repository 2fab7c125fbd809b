import { valueText } from '../../parse/values.js';
import type { Event, EventStructure } from '../../program/events/structure.js';
import { INITIAL } from '../../program/events/structure.js';
import { namesOf } from '../../model/print.js';
import type { Axiom, Model } from '../../model/term.js';
import type { Program } from '../../program/program.js';
import type { BitRel } from '../../model/relation/matrix.js';
import { successors } from '../../model/relation/matrix.js';
import type { Run } from '../../check/witness/witness.js';
import type { Verified } from '../../check/witness/verify.js';
import { inOrder } from '../timeline/sequence.js';
import type { Order } from './explanation.js';
import { referenceOf, sourceOf, valuesOf } from './labels.js';

/**
 * An execution in words, event by event, in an order that agrees with the model: with the relation of the last axiom that
 * forbids cycles. Undefined if the model has no such axiom.
 *
 * Of all such orders, it takes one in which each thread goes on as long as it can, beginning with the first.
 */
export function orderOf(
  structure: EventStructure,
  model: Model,
  verified: Verified,
  source: Program,
): Extract<Order, { kind: 'events' }> | undefined {
  const axiom = orderingAxiom(model);
  if (axiom === undefined) return undefined;
  const { events, judgement } = verified;
  const sequence = linearised(events, judgement.rel(axiom.term));
  if (sequence === undefined) return undefined;
  const own = sequence.filter((i) => events[i].thread !== INITIAL && events[i].mark === undefined);
  const steps = own.map((i) => eventInWords(structure, verified, events[i], source));
  return { kind: 'events', axiom: namesOf(model).text(axiom.term), steps };
}

/**
 * The last axiom that forbids cycles. Its relation is taken for the order of events. Of libraries it is the first: that is about
 * all of them, and those of each come after it.
 */
export function orderingAxiom({ axioms, instructions }: Model): Axiom | undefined {
  const forbidding = axioms.filter((a) => !a.flag && !a.negated && a.test !== 'empty');
  return instructions.libraries.length > 0 ? forbidding.at(0) : forbidding.at(-1);
}

/** The positions of the events in an order; undefined if the relation has a cycle. */
function linearised(events: readonly Event[], rel: BitRel): readonly number[] | undefined {
  const sequence = inOrder(
    events.length,
    (i) => successors(rel, i),
    (i) => events[i].thread,
  );
  return sequence.length === events.length ? sequence : undefined;
}

/** What an event of a call of a library does to its cell. */
function doing(structure: EventStructure, run: Run, e: Event): string {
  const { read, written } = valuesOf(structure, run, e);
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
  if (location === undefined) {
    const isPlain = e.node === undefined && e.work === undefined;
    return isPlain && label?.words !== undefined
      ? `${who} ${label.words}`
      : `${who} passes ${text}`;
  }
  const { read, written } = valuesOf(structure, run, e);
  const place = location.hidden === true ? 'its constant' : location.name;
  const cause = text === undefined ? '' : `, for ${text}`;
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
