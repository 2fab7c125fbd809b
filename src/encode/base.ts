import type { BaseBounds } from './bounds/base.js';
import { flushPair, queuePairs } from '../program/events/relations.js';
import type { Event, EventId, EventStructure, ValueId } from '../program/events/structure.js';
import { exclusive, isRead, isWrite } from '../program/events/structure.js';
import type { Chosen, ChosenOrder, Varying } from '../model/bases.js';
import { VARYING, isVarying } from '../model/bases.js';
import { groupBy } from '../model/relation/groups.js';
import { related } from '../model/relation/matrix.js';
import type { Formula, Lit } from './formula.js';
import { FALSE, TRUE } from './formula.js';
import type { ValueLiterals } from './values.js';

/** Literals of the base relations that an execution chooses or that its path determines. */
export interface BaseLiterals {
  executed(event: number): Lit;
  base(name: string, a: number, b: number): Lit;
  /** All pairs that can be in a relation that an execution chooses, in lexicographic order. */
  pairs(name: Chosen): readonly BasePair[];
  /** When is a write the last of its location in modification order? */
  last(write: number): Lit;
}

export interface BasePair {
  readonly pair: readonly [EventId, EventId];
  /** When is it in the relation? Only where both events are executed. */
  readonly lit: Lit;
}

/**
 * Well-formed executions (the semantics page, "Executions"): every executed read reads from one
 * executed write of its location and value; modification order is total on each location; NIC flush
 * order decides each of its pairs; the k-th poll of a queue pair polls its k-th NIC write.
 */
export function encodeBase(
  structure: EventStructure,
  bounds: BaseBounds,
  values: ValueLiterals,
  formula: Formula,
): BaseLiterals {
  const { events } = structure;
  const size = events.length;
  const execution = events.map((e) => values.path(e.path));
  const executed = (id: number): Lit => execution[id];
  const may = (name: string, a: number, b: number): boolean =>
    related(bounds.relations.get(name)!.may, a, b);
  const both = (a: number, b: number): Lit => formula.and(executed(a), executed(b));

  const table = Object.fromEntries(
    VARYING.map((name) => [name, new Map<number, Lit>()]),
  ) as Readonly<Record<Varying, Map<number, Lit>>>;
  const base = (name: string, a: number, b: number): Lit =>
    isVarying(name) ? (table[name].get(a * size + b) ?? FALSE) : both(a, b);

  const writes = events.filter(isWrite);
  const byLocation = groupBy(writes, (w) => w.location);
  const byThread = groupBy(events, (e) => e.thread);
  const readValues = new Map<EventId, ValueId>();
  structure.values.forEach((v, id) => {
    if (v.op === 'read') readValues.set(v.event, id);
  });

  /** For one pair in either order: true one way where both are executed. */
  const orient = (name: ChosenOrder, a: Event, b: Event): void => {
    const [forth, back] = [may(name, a.id, b.id), may(name, b.id, a.id)];
    const present = both(a.id, b.id);
    if (!forth && !back) return formula.assert(-present);
    const direction = !back ? TRUE : !forth ? FALSE : formula.fresh();
    table[name].set(a.id * size + b.id, formula.and(direction, present));
    table[name].set(b.id * size + a.id, formula.and(-direction, present));
  };

  const readsFrom = (r: Event): void => {
    const value = readValues.get(r.id) ?? -1;
    const sources = writes.filter((w) => may('rf', w.id, r.id));
    const only = sources.length === 1;
    const lits = sources.map((w) => {
      const present = both(w.id, r.id);
      const lit = only ? present : formula.and(formula.fresh(), present);
      table.rf.set(w.id * size + r.id, lit);
      for (const [n, is] of values.cases(w.value!)) {
        if (value >= 0) formula.assert(-lit, -is, values.is(value, n));
      }
      return lit;
    });
    formula.assert(-executed(r.id), ...lits);
    forPairs(lits, (a, b) => formula.assert(-a, -b));
  };

  const totalOrder = (group: readonly Event[]): void => {
    forPairs(group, (a, b) => {
      if (!exclusive(a.path, b.path)) orient('mo', a, b);
    });
    const mo = (a: Event, b: Event) => base('mo', a.id, b.id);
    group.forEach((a, i) => {
      // A cycle of three is met three times, from each of its events: once is enough.
      const others = group.slice(i + 1);
      for (const b of others) {
        if (mo(a, b) === FALSE) continue;
        for (const c of others) {
          if (c === b || mo(b, c) === FALSE) continue;
          formula.assert(-mo(a, b), -mo(b, c), mo(a, c));
        }
      }
    });
  };

  const pollsFrom = (nicWrites: readonly Event[], polls: readonly Event[]): void => {
    const writeRanks = ranks(nicWrites, executed, formula);
    const pollRanks = ranks(polls, executed, formula);
    polls.forEach((p, j) => {
      const lits = nicWrites.flatMap((w, i) => {
        if (!may('pf', w.id, p.id)) return [];
        const same = writeRanks[i].map((lit, k) => formula.and(lit, pollRanks[j][k] ?? FALSE));
        const lit = formula.and(both(w.id, p.id), formula.or(...same));
        table.pf.set(w.id * size + p.id, lit);
        return [lit];
      });
      formula.assert(-executed(p.id), ...lits);
    });
  };

  events.filter(isRead).forEach(readsFrom);
  byLocation.forEach(totalOrder);
  for (const thread of byThread.values()) {
    const remote = thread.filter((e) => e.node !== undefined);
    forPairs(remote, (a, b) => {
      if ((flushPair(a, b) || flushPair(b, a)) && !exclusive(a.path, b.path)) orient('nfo', a, b);
    });
  }
  for (const [nicWrites, polls] of queuePairs(events)) pollsFrom(nicWrites, polls);

  const last = (write: number): Lit => {
    const rivals = byLocation.get(events[write].location)!;
    const later = rivals.filter((w) => w.id !== write).map((w) => -base('mo', write, w.id));
    return formula.and(executed(write), ...later);
  };

  const listed: { [name in Chosen]?: readonly BasePair[] } = {};
  const pairs = (name: Chosen): readonly BasePair[] =>
    (listed[name] ??= [...table[name]]
      .filter(([, lit]) => lit !== FALSE)
      .sort(([a], [b]) => a - b)
      .map(([key, lit]) => ({ pair: [Math.floor(key / size), key % size], lit })));

  return { executed, base, pairs, last };
}

/** Calls back for every two elements of a list, the earlier one first. */
export function forPairs<T>(list: readonly T[], visit: (a: T, b: T) => void): void {
  for (let i = 0; i < list.length; i++) {
    for (let j = i + 1; j < list.length; j++) visit(list[i], list[j]);
  }
}

/** For each event of a list: when exactly k of those before it are executed, by k. */
function ranks(
  list: readonly Event[],
  executed: (event: number) => Lit,
  formula: Formula,
): readonly (readonly Lit[])[] {
  const result: Lit[][] = [];
  let counts: Lit[] = [TRUE];
  for (const e of list) {
    result.push(counts);
    const here = executed(e.id);
    const next = [...counts, FALSE];
    counts = next.map((stay, k) =>
      formula.or(formula.and(stay, -here), formula.and(counts[k - 1] ?? FALSE, here)),
    );
  }
  return result;
}
