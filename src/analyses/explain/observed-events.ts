import type { EventId, EventStructure, ValueId } from '../../program/events/structure.js';
import { INITIAL, operandsOfValue } from '../../program/events/structure.js';
import type { Query, Subject } from '../../program/program.js';
import { observedSubjects, subjectName } from '../../program/subjects.js';
import type { Verified } from '../../check/witness/verify.js';
import type { CandidateCase } from './candidates.js';

/** The names that a query asks about, and for each the events that its final value comes from. */
export type ObservedNames = ReadonlyMap<string, ReadonlySet<EventId>>;

/**
 * The names that a query asks about, and the events that give them their values in an execution: for each name the last
 * write, and the reads that the final value is computed from. Initial writes are left out.
 *
 * @param throughout whether to go on: to the writes that these read from, the reads that their values are computed from, and
 *   so on
 */
export function observedEvents(
  structure: EventStructure,
  query: Query,
  { witness, run }: Pick<Verified, 'witness' | 'run'>,
  throughout: boolean,
): ObservedNames {
  const { program, events, values, registers } = structure;
  const overwritten = new Set(witness.mo.map(([earlier]) => earlier));
  const sources = new Map(witness.rf.map(([write, read]) => [read, write]));

  const addValue = (id: ValueId, to: Set<EventId>): void => {
    const value = values[id];
    if (value.op === 'read') {
      if (to.has(value.event)) return;
      to.add(value.event);
      if (throughout) addWrite(sources.get(value.event), to);
    } else if (value.op === 'select') {
      addValue(run.value(value.condition) !== 0 ? value.then : value.else, to);
    } else for (const operand of operandsOfValue(value)) addValue(operand, to);
  };
  const addWrite = (id: EventId | undefined, to: Set<EventId>): void => {
    if (id === undefined || events[id].thread === INITIAL) return;
    to.add(id);
    addValue(events[id].value!, to);
  };
  const eventsOf = (subject: Subject): ReadonlySet<EventId> => {
    const found = new Set<EventId>();
    if (subject.kind === 'register') addValue(registers[subject.thread][subject.register], found);
    else {
      const isLast = (id: EventId) => run.executed(id) && !overwritten.has(id);
      const writes = events.filter(
        (e) => e.location === subject.location && e.value !== undefined && isLast(e.id),
      );
      addWrite(writes[0]?.id, found);
    }
    return found;
  };
  return new Map(
    observedSubjects({ program, queries: [query] }).map((s) => [
      subjectName(program, s),
      eventsOf(s),
    ]),
  );
}

/**
 * The names whose values some of the facts are about. Such a fact says which write a read reads from, or which of two writes
 * comes later. That a write comes after the initial one does not count: it always does.
 */
export const observedIn = (
  { events }: EventStructure,
  asked: ObservedNames,
  facts: CandidateCase,
): readonly string[] => {
  const telling = facts.flatMap((fact) => {
    if (fact.kind !== 'pair') return [];
    if (fact.relation === 'rf') return [fact.to];
    const isOrder = fact.relation === 'mo' && events[fact.from].thread !== INITIAL;
    return isOrder ? [fact.from, fact.to] : [];
  });
  return [...asked].flatMap(([name, its]) => (telling.some((id) => its.has(id)) ? [name] : []));
};
