import type { EventId, EventStructure, ValueId } from '../../program/events/structure.js';
import { implies } from '../../program/events/structure.js';
import type { Bound } from './domain.js';
import type { BitRel } from '../../model/relation/matrix.js';
import * as m from '../../model/relation/matrix.js';
import { narrowedBounds } from './refine.js';
import { operandsOfValue } from '../../program/events/structure.js';
import { arithmetic } from './values.js';

/**
 * Narrows the bound of reads-from by what programs assume, successes and failures of CAS included: where a condition is
 * about one read alone and must hold wherever the read is executed, the read does not read from what writes a
 * constant with which it is false. Undefined: nothing is narrower.
 *
 * Runs that get beyond the loop bound may never come to a condition, so this is not about them.
 */
export function narrowedByAssumptions(
  structure: EventStructure,
  readsFrom: Bound<BitRel>,
): Bound<BitRel> | undefined {
  const { events, values } = structure;
  const out = m.emptyRel(events.length);
  const sources = m.inverse(readsFrom.may);
  /** The number that a value is in any case, such as what a NIC puts that was written to be put. */
  const constant = (id: ValueId, passed: readonly ValueId[] = []): number | undefined => {
    const value = values[id];
    if (value.op === 'const') return value.value;
    if (value.op !== 'read' || passed.includes(id)) return undefined;
    const writes = m.successors(sources, value.event);
    return writes.length === 1 ? constant(events[writes[0]].value!, [...passed, id]) : undefined;
  };
  const { numbersOf } = arithmetic(structure);
  /** Is a condition, which depends on one read alone, 0 where that reads a number? One without a value, such as 1 / 0, is not. */
  const isFalseWith = (condition: ValueId, number: number): boolean => {
    const read = new Set([number]);
    const of = (id: ValueId): ReadonlySet<number> => numbersOf(id, of, () => read);
    const found = of(condition);
    return found.size === 1 && found.has(0);
  };
  for (const { path, condition } of structure.constraints) {
    const read = onlyRead(structure, condition);
    if (read === undefined || !implies(events[read].path, path)) continue;
    for (const write of m.successors(sources, read)) {
      const number = constant(events[write].value!);
      if (number === undefined) continue;
      if (isFalseWith(condition, number)) m.relate(out, write, read);
    }
  }
  return m.isEmpty(out) ? undefined : narrowedBounds('rf', readsFrom, out, structure);
}

/** The one read that a value depends on; undefined: it depends on none, on several, or on a choice. */
function onlyRead({ values }: EventStructure, id: ValueId): EventId | undefined {
  const reads = new Set<EventId>();
  const isPlain = (at: ValueId): boolean => {
    const value = values[at];
    if (value.op === 'choice') return false;
    if (value.op === 'read') reads.add(value.event);
    return reads.size <= 1 && operandsOfValue(value).every(isPlain);
  };
  return isPlain(id) ? [...reads][0] : undefined;
}
