import type { Verified } from '../../check/witness/verify.js';
import type { BitRel } from '../../model/relation/matrix.js';
import { pairs } from '../../model/relation/matrix.js';
import type { Event, EventId, EventStructure } from '../../program/events/structure.js';
import { INITIAL } from '../../program/events/structure.js';
import type { Program } from '../../program/program.js';
import { Sequence } from './sequence.js';

/** What an execution is told from. */
export interface ToldExecution {
  readonly structure: EventStructure;
  readonly verified: Pick<Verified, 'run' | 'events' | 'execution'>;
  /** The program as written. */
  readonly source: Program;
}

/** Two events of which the first has to come before the other. */
export interface Precedence {
  readonly from: EventId;
  readonly to: EventId;
}

/** An event, or that its thread leaves to its card what the event belongs to. */
export interface Happening {
  readonly event: Event;
  readonly posts: boolean;
}

/** The pairs of a relation over the events of an execution. */
export function pairsOf({ verified: { events } }: ToldExecution, relation: BitRel): Precedence[] {
  const found: Precedence[] = [];
  for (const [from, to] of pairs(relation)) {
    found.push({ from: events[from].id, to: events[to].id });
  }
  return found;
}

/** The events that the program's threads and their cards do. */
export const ownEvents = ({ verified }: ToldExecution): readonly Event[] =>
  verified.events.filter((e) => e.thread !== INITIAL && e.mark === undefined);

/**
 * What happens, one after the other, as it is told in words and as it is drawn: in an order that agrees with the pairs, which have
 * no cycle. As far as they allow it, a thread does one thing after the other, and a value comes from a write that is there.
 */
export function happenings(
  told: ToldExecution,
  order: readonly Precedence[],
): readonly Happening[] {
  const own = ownEvents(told);
  const index = new Map(own.map(({ id }, i) => [id, i]));
  const items = own.map((event): Happening => ({ event, posts: false }));
  const isNic = (e: Event): boolean => isOfNic(told.structure, e);
  const begins = own.filter((e, i) => isNic(e) && own.findIndex((o) => sameUse(o, e)) === i);
  for (const event of begins) items.push({ event, posts: true });
  const sequence = new Sequence(items.length);
  const post = new Map(begins.map(({ id }, i) => [id, own.length + i]));
  for (const [i, e] of own.entries()) {
    const first = begins.find((b) => sameUse(b, e));
    if (first !== undefined) sequence.before(post.get(first.id)!, i);
  }
  const oneBefore = ({ from, to }: Precedence): void => {
    const [a, b] = [index.get(from), index.get(to)];
    if (a !== undefined && b !== undefined) sequence.before(a, b);
  };
  order.forEach(oneBefore);
  const acts = own.flatMap((e, i) => {
    const posted = post.get(e.id);
    if (posted !== undefined) return [{ item: posted, thread: e.thread }];
    return isNic(e) ? [] : [{ item: i, thread: e.thread }];
  });
  for (const [i, { item, thread }] of acts.entries()) {
    const next = acts.slice(i + 1).find((other) => other.thread === thread);
    if (next !== undefined) sequence.before(item, next.item);
  }
  pairsOf(told, told.verified.execution.relations.get('rf')!).forEach(oneBefore);
  return sequence.inOrder((i) => items[i].event.thread).map((i) => items[i]);
}

export const isOfNic = ({ program }: EventStructure, { label }: Event): boolean =>
  program.instructions.labels.some(({ name, by }) => name === label && by === 'nic');

const sameUse = (a: Event, b: Event): boolean =>
  a.thread === b.thread && (a.use ?? a.call) === (b.use ?? b.call);
