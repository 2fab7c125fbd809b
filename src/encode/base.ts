import type { BaseBounds } from './bounds/base.js';
import { guessesIn } from '../program/events/guesses.js';
import type { Guessed } from '../program/events/guessed.js';
import type { Event, EventId, EventStructure, ValueId } from '../program/events/structure.js';
import { exclusive, isRead, isWrite } from '../program/events/structure.js';
import { groupBy } from '../model/relation/groups.js';
import { related } from '../model/relation/matrix.js';
import type { Formula, Lit } from './formula.js';
import { FALSE, TRUE } from './formula.js';
import { assertAtMostOne } from './at-most-one.js';
import { createSources } from './sources.js';
import type { SourceLiterals } from './sources.js';
import type { Edges, NoCycle } from './acyclicity/no-cycle.js';
import type { ValueLiterals } from './values.js';

/** Literals of the base relations that an execution chooses or that its path determines. */
export interface BaseLiterals {
  executed(event: number): Lit;
  base(name: string, a: number, b: number): Lit;
  /** All pairs that can be in a relation that an execution chooses, in lexicographic order. */
  pairs(name: string): readonly BasePair[];
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
 * executed write of its location and value; modification order is total on each location; what is
 * guessed is as its declaration says (`Guess`).
 *
 * @param sources those of reads
 * @param noCycle how a relation that is a total order is kept without cycles; undefined: an axiom does that
 */
export function encodeBase(
  structure: EventStructure,
  bounds: BaseBounds,
  sources: SourceLiterals,
  values: ValueLiterals,
  formula: Formula,
  noCycle: (name: string) => NoCycle | undefined,
): BaseLiterals {
  const { events } = structure;
  const size = events.length;
  const execution = events.map((e) => values.path(e.path));
  const executed = (id: number): Lit => execution[id];
  const may = (name: string, a: number, b: number): boolean =>
    related(bounds.relations.get(name)!.may, a, b);
  const both = (a: number, b: number): Lit => formula.and(executed(a), executed(b));

  const guesses = guessesIn(structure);
  const table = new Map<string, Map<number, Lit>>();
  for (const name of ['rf', 'mo', ...guesses.map((guess) => guess.name)])
    table.set(name, new Map());
  const base = (name: string, a: number, b: number): Lit => {
    const chosen = table.get(name);
    return chosen === undefined ? both(a, b) : (chosen.get(a * size + b) ?? FALSE);
  };
  const set = (name: string, a: number, b: number, lit: Lit): void =>
    void table.get(name)!.set(a * size + b, lit);

  const writes = events.filter(isWrite);
  const byLocation = groupBy(writes, (w) => w.location);
  const readValues = new Map<EventId, ValueId>();
  structure.values.forEach((v, id) => {
    if (v.op === 'read') readValues.set(v.event, id);
  });

  /** For one pair in either order: true one way where both are executed. */
  const orient = (name: string, a: Event, b: Event): void => {
    const [forth, back] = [may(name, a.id, b.id), may(name, b.id, a.id)];
    const present = both(a.id, b.id);
    if (!forth && !back) return formula.assert(-present);
    const direction = !back ? TRUE : !forth ? FALSE : formula.fresh();
    set(name, a.id, b.id, formula.and(direction, present));
    set(name, b.id, a.id, formula.and(-direction, present));
  };

  const readsFrom = (r: Event): void => {
    const value = readValues.get(r.id);
    const lits = choose('rf', r.id, sources(r.id));
    if (value === undefined) return;
    for (const [write, lit] of lits) {
      for (const [n, is] of values.cases(events[write].value!)) {
        formula.assert(-lit, -is, values.is(value, n));
      }
    }
  };

  /** An event has exactly one of some sources, if it is executed; gives when it has each. */
  const choose = (
    name: string,
    of: number,
    from: ReadonlyMap<EventId, Lit>,
  ): ReadonlyMap<EventId, Lit> => {
    const chosen = new Map<EventId, Lit>();
    for (const [source, lit] of from) {
      const present = both(source, of);
      if (lit !== TRUE) formula.assert(-lit, present);
      chosen.set(source, lit === TRUE ? present : lit);
      set(name, source, of, chosen.get(source)!);
    }
    formula.assert(-executed(of), ...chosen.values());
    assertAtMostOne([...chosen.values()], formula);
    return chosen;
  };

  const totalOrder = (name: string, group: readonly Event[]): void => {
    forPairs(group, (a, b) => {
      if (!exclusive(a.path, b.path)) orient(name, a, b);
    });
    const without = noCycle(name);
    // Two cannot go round.
    if (group.length < 3 || without === undefined) return;
    const edges: Edges = group.map((a) => {
      const after = group.map((b, j) => [j, base(name, a.id, b.id)] as const);
      return new Map(after.filter(([, lit]) => lit !== FALSE));
    });
    without([...group.keys()], edges, formula, { of: name, event: (i) => group[i].id });
  };

  /** Each of some events has the partner of its rank. */
  const ranked = (name: string, from: readonly Event[], to: readonly Event[]): void => {
    const fromRanks = ranks(from, executed, formula);
    const toRanks = ranks(to, executed, formula);
    to.forEach((p, j) => {
      const lits = from.flatMap((w, i) => {
        if (!may(name, w.id, p.id)) return [];
        const same = fromRanks[i].map((lit, k) => formula.and(lit, toRanks[j][k] ?? FALSE));
        const lit = formula.and(both(w.id, p.id), formula.or(...same));
        set(name, w.id, p.id, lit);
        return [lit];
      });
      formula.assert(-executed(p.id), ...lits);
    });
  };

  const chooseAll = (name: string, all: readonly number[]): void => {
    const from = createSources(bounds.relations.get(name)!.may, formula);
    for (const of of all) choose(name, of, from(of));
  };

  const guess = (one: Guessed): void => {
    const { name, pairs, classes, choices } = one;
    for (const [a, b] of pairs) {
      if (!exclusive(events[a].path, events[b].path)) orient(name, events[a], events[b]);
    }
    for (const group of classes) totalOrder(name, eventsOf(group));
    for (const { from, to } of one.ranked) ranked(name, eventsOf(from), eventsOf(to));
    if (choices.length > 0) {
      chooseAll(
        name,
        choices.map(({ of }) => of),
      );
    }
  };
  const eventsOf = (ids: readonly number[]): readonly Event[] => ids.map((id) => events[id]);

  events.filter(isRead).forEach(readsFrom);
  byLocation.forEach((group) => totalOrder('mo', group));
  guesses.forEach(guess);

  const last = (write: number): Lit => {
    const rivals = byLocation.get(events[write].location)!;
    const later = rivals.filter((w) => w.id !== write).map((w) => -base('mo', write, w.id));
    return formula.and(executed(write), ...later);
  };

  const listed = new Map<string, readonly BasePair[]>();
  const pairs = (name: string): readonly BasePair[] => {
    const before = listed.get(name);
    if (before !== undefined) return before;
    const made = [...(table.get(name) ?? [])]
      .filter(([, lit]) => lit !== FALSE)
      .sort(([a], [b]) => a - b)
      .map(([key, lit]): BasePair => ({ pair: [Math.floor(key / size), key % size], lit }));
    listed.set(name, made);
    return made;
  };

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
