import type { EventId, EventStructure, Value, ValueId } from '../../program/events/structure.js';
import { operandsOfValue } from '../../program/events/structure.js';
import {
  BEYOND_EXACT,
  applyBinary,
  applyUnary,
  isDivisionByZero,
} from '../../program/arithmetic.js';
import type { BitRel } from '../../model/relation/matrix.js';
import { components } from '../../model/relation/components.js';
import { emptyRel, inverse, relate, successors } from '../../model/relation/matrix.js';

/** How many different values one symbolic value may have before Remora gives up. */
export const VALUE_LIMIT = 1024;

/** The numbers that each symbolic value can be, ascending, or why they are not known. */
export type ValueSets =
  | { readonly ok: true; readonly sets: readonly (readonly number[])[] }
  | { readonly ok: false; readonly reason: string };

/** With more different values than these, an encoding takes so long that it pays to look for fewer. */
const MANY = 64;

/** Are they not known, or so many that it pays to look for fewer? */
export const areMany = (values: ValueSets): boolean =>
  !values.ok || values.sets.some((set) => set.length > MANY);

const TOO_MANY: ValueSets = {
  ok: false,
  reason: `a value can be more than ${VALUE_LIMIT} different numbers`,
};

const TOO_LARGE: ValueSets = { ok: false, reason: BEYOND_EXACT };

type Numbers = ReadonlySet<number>;

/**
 * Propagates values from constants along the writes that each read may read from. Values that depend on each other through
 * memory are a component of what depends on what. A value that flows through an execution passes each written value at
 * most once, so as many rounds as a component has of these find all of its values; values that come out of thin air are
 * not found (docs/findings.md). So a counter in memory goes as far as there are writes that count it.
 */
export function valueSets(structure: EventStructure, mayReadFrom: BitRel): ValueSets {
  const { values } = structure;
  const sources = sourcesOf(structure, mayReadFrom);
  const { numbersOf, overflows } = arithmetic(structure);
  const sets: Numbers[] = values.map(() => new Set());
  const setOf = (id: ValueId): Numbers => sets[id];
  const readIn = (event: EventId): Numbers => new Set(sources[event].flatMap((w) => [...sets[w]]));

  for (const component of components(dependence(values, sources))) {
    const members = new Set(component);
    const from = (id: ValueId): readonly ValueId[] => writtenFor(values[id], sources);
    const reads = component.filter((id) => values[id].op === 'read');
    const others = component.filter((id) => values[id].op !== 'read');
    const written = new Set(reads.flatMap(from).filter((id) => members.has(id)));
    for (let round = 0; round <= written.size; round++) {
      const read = reads.map((id) => numbersOf(id, setOf, readIn));
      if (round > 0 && read.every((set, i) => set.size === sets[reads[i]].size)) break;
      reads.forEach((id, i) => (sets[id] = read[i]));
      // What a value is made of has a smaller index.
      for (const id of others) sets[id] = numbersOf(id, setOf, readIn);
      if (component.some((id) => sets[id].size > VALUE_LIMIT)) return TOO_MANY;
    }
  }
  return overflows() ? TOO_LARGE : found(sets);
}

/** The values that a read may get; none where a value is no read. */
const writtenFor = (value: Value, sources: readonly ValueId[][]): readonly ValueId[] =>
  value.op === 'read' ? sources[value.event] : [];

/** From each value to those that it is made of, or may be read from. */
function dependence(values: readonly Value[], sources: readonly ValueId[][]): BitRel {
  const graph = emptyRel(values.length);
  values.forEach((value, id) => {
    for (const other of operandsOfValue(value)) relate(graph, id, other);
    for (const other of writtenFor(value, sources)) relate(graph, id, other);
  });
  return graph;
}

/** How often numbers are combined, and how far values are followed, before derivations are given up. */
const EFFORT = 100_000;
const DEPTH = 1000;

/**
 * The same by following each value back to the constants that it comes from, passing no read and no written
 * value twice on any way. Where values go round in circles through memory these are far fewer, and it can
 * take far longer.
 */
export function derivedValueSets(structure: EventStructure, mayReadFrom: BitRel): ValueSets {
  const { values } = structure;
  const sources = sourcesOf(structure, mayReadFrom);
  const { numbersOf, overflows, effort } = arithmetic(structure);
  const ways = waysOf(structure, sources);
  const known = new Map<string, Numbers>();
  let failed = false;
  let depth = 0;

  /** The numbers that a value can be without the reads and the written values that are passed already. */
  const derive = (id: ValueId, passed: bigint): Numbers => {
    const key = `${id} ${passed & ways[id]}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    failed ||= effort() > EFFORT || depth > DEPTH;
    if (failed) return new Set();
    const read = (event: EventId): Numbers => {
      const all = new Set<number>();
      if ((passed & bit(id)) !== 0n) return all;
      for (const written of sources[event]) {
        if ((passed & bit(written)) !== 0n) continue;
        // What a NIC copies is a read, and is noted when its own write is looked for.
        const copied = values[written].op === 'read' ? 0n : bit(written);
        for (const n of derive(written, passed | bit(id) | copied)) all.add(n);
      }
      return all;
    };
    depth += 1;
    const numbers = numbersOf(id, (other) => derive(other, passed), read);
    depth -= 1;
    failed ||= numbers.size > VALUE_LIMIT;
    known.set(key, numbers);
    return numbers;
  };
  const sets = values.map((_, id) => derive(id, 0n));
  return failed ? TOO_MANY : overflows() ? TOO_LARGE : found(sets);
}

const found = (sets: readonly Numbers[]): ValueSets => ({
  ok: true,
  sets: sets.map((set) => [...set].sort((a, b) => a - b)),
});

/** By event: the values that a read may get, as what its writes write. */
function sourcesOf({ events }: EventStructure, mayReadFrom: BitRel): readonly ValueId[][] {
  const readFrom = inverse(mayReadFrom);
  return events.map((r) => successors(readFrom, r.id).map((w) => events[w].value!));
}

const bit = (id: ValueId): bigint => 1n << BigInt(id);

/** By value: the reads and the written values, as bits, that it may come through. */
function waysOf({ values }: EventStructure, sources: readonly ValueId[][]): readonly bigint[] {
  const ways = values.map(() => 0n);
  for (let changed = true; changed;) {
    changed = false;
    values.forEach((value, id) => {
      const all =
        value.op === 'read'
          ? sources[value.event].reduce((bits, w) => bits | ways[w] | bit(w), bit(id))
          : operandsOfValue(value).reduce((bits, operand) => bits | ways[operand], 0n);
      changed ||= all !== ways[id];
      ways[id] = all;
    });
  }
  return ways;
}

/** What the operators of values make of sets of numbers. */
export function arithmetic({ values }: EventStructure) {
  let overflow = false;
  let combined = 0;

  const numbersOf = (
    id: ValueId,
    of: (id: ValueId) => Numbers,
    read: (event: EventId) => Numbers,
  ): Numbers => {
    const value = values[id];
    switch (value.op) {
      case 'const':
        return new Set([value.value]);
      case 'choice':
        return new Set([0, 1]);
      case 'read':
        return read(value.event);
      case 'unary':
        return new Set([...of(value.arg)].map((a) => applyUnary(value.fn, a)));
      case 'select': {
        const found = new Set<number>();
        const conditions = of(value.condition);
        if ([...conditions].some((c) => c !== 0)) for (const v of of(value.then)) found.add(v);
        if (conditions.has(0)) for (const v of of(value.else)) found.add(v);
        return found;
      }
      case 'binary': {
        const found = new Set<number>();
        const [left, right] = [of(value.left), of(value.right)];
        combined += 1 + left.size * right.size;
        for (const a of left) {
          for (const b of right) {
            const result = applyBinary(value.fn, a, b);
            if (result !== undefined) found.add(result);
            else if (!isDivisionByZero(value.fn, b)) overflow = true;
          }
        }
        return found;
      }
    }
  };
  /** Has a value been too large? How often were numbers combined? */
  return { numbersOf, overflows: () => overflow, effort: () => combined };
}
