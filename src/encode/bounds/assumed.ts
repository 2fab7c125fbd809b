import { applyBinary, applyUnary } from '../../program/arithmetic.js';
import type { EventId, EventStructure, ValueId } from '../../program/events/structure.js';
import { implies } from '../../program/events/structure.js';
import type { Bound } from './domain.js';
import type { BitRel } from '../../model/relation/matrix.js';
import * as m from '../../model/relation/matrix.js';
import { narrowed } from './refine.js';

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
  for (const { path, condition } of structure.constraints) {
    const read = onlyRead(structure, condition);
    if (read === undefined || !implies(events[read].path, path)) continue;
    for (const write of m.successors(sources, read)) {
      const number = constant(events[write].value!);
      if (number === undefined) continue;
      if (evaluate(structure, condition, number) === 0) m.relate(out, write, read);
    }
  }
  return m.isEmpty(out) ? undefined : narrowed('rf', readsFrom, out, structure);
}

/** The one read that a value depends on; undefined: it depends on none, on several, or on a choice. */
function onlyRead({ values }: EventStructure, id: ValueId): EventId | undefined {
  const reads = new Set<EventId>();
  const isPlain = (at: ValueId): boolean => {
    const value = values[at];
    switch (value.op) {
      case 'const':
        return true;
      case 'choice':
        return false;
      case 'read':
        reads.add(value.event);
        return reads.size === 1;
      case 'unary':
        return isPlain(value.arg);
      case 'binary':
        return isPlain(value.left) && isPlain(value.right);
      case 'select':
        return isPlain(value.condition) && isPlain(value.then) && isPlain(value.else);
    }
  };
  return isPlain(id) ? [...reads][0] : undefined;
}

/** A value where the one read that it depends on reads a number; undefined: it has none. */
function evaluate({ values }: EventStructure, id: ValueId, number: number): number | undefined {
  const at = (other: ValueId): number | undefined => {
    const value = values[other];
    switch (value.op) {
      case 'const':
        return value.value;
      case 'read':
        return number;
      case 'choice':
        return undefined;
      case 'unary': {
        const arg = at(value.arg);
        return arg === undefined ? undefined : applyUnary(value.fn, arg);
      }
      case 'binary': {
        const [left, right] = [at(value.left), at(value.right)];
        if (left === undefined || right === undefined) return undefined;
        return applyBinary(value.fn, left, right);
      }
      case 'select': {
        const condition = at(value.condition);
        return condition === undefined ? undefined : at(condition === 0 ? value.else : value.then);
      }
    }
  };
  return at(id);
}
