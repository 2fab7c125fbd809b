import type { EventStructure, ValueId } from '../events/structure.js';
import { isWrite } from '../events/structure.js';
import { applyBinary, applyUnary } from '../program/arithmetic.js';
import type { BitRel } from '../relation/matrix.js';
import { inverse, successors } from '../relation/matrix.js';

/** How many different values one symbolic value may have before Remora gives up. */
export const VALUE_LIMIT = 1024;

/** The values that each symbolic value can have, ascending, or why they cannot be told. */
export type ValueSets =
  | { readonly ok: true; readonly sets: readonly (readonly number[])[] }
  | { readonly ok: false; readonly reason: string };

/**
 * Propagates values from constants along the writes that each read may read from. A value that
 * flows through an execution passes each write at most once, so as many rounds as there are
 * writes find all of them; values that come out of thin air are not found (docs/findings.md).
 */
export function valueSets(structure: EventStructure, mayReadFrom: BitRel): ValueSets {
  const { events, values } = structure;
  const readFrom = inverse(mayReadFrom);
  const sources = events.map((r) => successors(readFrom, r.id).map((w) => events[w]));
  let reads: readonly ReadonlySet<number>[] = events.map(() => new Set<number>());
  let sets: ReadonlySet<number>[] = [];
  let overflow = false;

  const compute = (id: ValueId): ReadonlySet<number> => {
    const value = values[id];
    switch (value.op) {
      case 'const':
        return new Set([value.value]);
      case 'choice':
        return new Set([0, 1]);
      case 'read':
        return reads[value.event];
      case 'unary':
        return new Set([...sets[value.arg]].map((a) => applyUnary(value.fn, a)));
      case 'select': {
        const found = new Set<number>();
        const conditions = sets[value.condition];
        if ([...conditions].some((c) => c !== 0)) for (const v of sets[value.then]) found.add(v);
        if (conditions.has(0)) for (const v of sets[value.else]) found.add(v);
        return found;
      }
      case 'binary': {
        const found = new Set<number>();
        for (const a of sets[value.left]) {
          for (const b of sets[value.right]) {
            const result = applyBinary(value.fn, a, b);
            if (result !== undefined) found.add(result);
            else if (b !== 0 || (value.fn !== '/' && value.fn !== '%')) overflow = true;
          }
        }
        return found;
      }
    }
  };

  const writes = events.filter(isWrite);
  for (let round = 0; round <= writes.length + 1; round++) {
    sets = [];
    for (let id = 0; id < values.length; id++) {
      sets.push(compute(id));
      if (sets[id].size > VALUE_LIMIT) {
        return { ok: false, reason: `a value can be more than ${VALUE_LIMIT} different numbers` };
      }
    }
    const next = sources.map((from) => new Set(from.flatMap((w) => [...sets[w.value!]])));
    const stable = next.every((set, i) => set.size === reads[i].size);
    if (stable) break;
    reads = next;
  }
  if (overflow) {
    return { ok: false, reason: 'a value can leave the integers that are exact (2^53)' };
  }
  return { ok: true, sets: sets.map((set) => [...set].sort((a, b) => a - b)) };
}
