import type { BaseBounds } from './bounds/base.js';
import { guessesIn } from '../program/events/guesses.js';
import type { Counted, CountedEvents, Guessed } from '../program/events/guessed.js';
import type { Event, EventId, EventStructure, ValueId } from '../program/events/structure.js';
import { areExclusive, isRead, isWrite } from '../program/events/structure.js';
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
  /** When is it in the relation? Never where one of the two events is not executed. */
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
  const relations = new BaseRelations(structure, bounds, values, formula, noCycle);
  const byLocation = groupBy(events.filter(isWrite), (w) => w.location);
  encodeReads(structure, relations, sources, values, formula);
  byLocation.forEach((group) => relations.totalOrder('mo', group));
  // Ranks are counted by what other guesses order.
  for (const isCounted of [false, true]) {
    const some = relations.guesses.filter(({ counted }) => counted.length > 0 === isCounted);
    some.forEach((guess) => relations.guess(guess));
  }
  const { executed, base } = relations;
  const last = (write: number): Lit => {
    const rivals = byLocation.get(events[write].location)!;
    const later = rivals.filter((w) => w.id !== write).map((w) => -base('mo', write, w.id));
    return formula.and(executed(write), ...later);
  };
  return { executed, base, pairs: (name) => relations.pairs(name), last };
}

/** Every read has one source, and the value that its source writes. */
function encodeReads(
  { events, values: symbolic }: EventStructure,
  relations: BaseRelations,
  sources: SourceLiterals,
  values: ValueLiterals,
  formula: Formula,
): void {
  const valueOf = new Map<EventId, ValueId>();
  symbolic.forEach((v, id) => {
    if (v.op === 'read') valueOf.set(v.event, id);
  });
  for (const r of events.filter(isRead)) {
    const value = valueOf.get(r.id);
    const lits = relations.choose('rf', r.id, sources(r.id));
    if (value === undefined) continue;
    for (const [write, lit] of lits) {
      for (const [n, is] of values.cases(events[write].value!)) {
        formula.assert(-lit, -is, values.is(value, n));
      }
    }
  }
}

/** The literals of the relations that an execution chooses, as far as they are made, and what is asserted of them. */
class BaseRelations {
  readonly guesses: readonly Guessed[];
  private readonly events: readonly Event[];
  private readonly execution: readonly Lit[];
  /** By name, and by pair as `a * size + b`. */
  private readonly table: ReadonlyMap<string, Map<number, Lit>>;
  private readonly listed = new Map<string, readonly BasePair[]>();

  constructor(
    structure: EventStructure,
    private readonly bounds: BaseBounds,
    values: ValueLiterals,
    private readonly formula: Formula,
    private readonly noCycle: (name: string) => NoCycle | undefined,
  ) {
    this.events = structure.events;
    this.execution = this.events.map((e) => values.path(e.path));
    this.guesses = guessesIn(structure);
    const names = ['rf', 'mo', ...this.guesses.map((guess) => guess.name)];
    this.table = new Map(names.map((name) => [name, new Map<number, Lit>()]));
  }

  readonly executed = (id: number): Lit => this.execution[id];

  readonly base = (name: string, a: number, b: number): Lit => {
    const chosen = this.table.get(name);
    if (chosen === undefined) return this.both(a, b);
    return chosen.get(a * this.events.length + b) ?? FALSE;
  };

  pairs(name: string): readonly BasePair[] {
    const before = this.listed.get(name);
    if (before !== undefined) return before;
    const size = this.events.length;
    const made = [...(this.table.get(name) ?? [])]
      .filter(([, lit]) => lit !== FALSE)
      .sort(([a], [b]) => a - b)
      .map(([key, lit]): BasePair => ({ pair: [Math.floor(key / size), key % size], lit }));
    this.listed.set(name, made);
    return made;
  }

  /** An event has exactly one of some sources, if it is executed; gives when it has each. */
  choose(name: string, of: number, from: ReadonlyMap<EventId, Lit>): ReadonlyMap<EventId, Lit> {
    const { formula } = this;
    const chosen = new Map<EventId, Lit>();
    for (const [source, lit] of from) {
      const present = this.both(source, of);
      if (lit !== TRUE) formula.assert(-lit, present);
      chosen.set(source, lit === TRUE ? present : lit);
      this.set(name, source, of, chosen.get(source)!);
    }
    formula.assert(-this.executed(of), ...chosen.values());
    assertAtMostOne([...chosen.values()], formula);
    return chosen;
  }

  /** Relates every two events of a group that are executed, one way or the other, without a cycle. */
  totalOrder(name: string, group: readonly Event[]): void {
    forPairs(group, (a, b) => this.orient(name, a, b));
    const without = this.noCycle(name);
    // Each pair is ordered one way only, so that two events make no cycle.
    if (group.length < 3 || without === undefined) return;
    const edges: Edges = group.map((a) => {
      const after = group.map((b, j) => [j, this.base(name, a.id, b.id)] as const);
      return new Map(after.filter(([, lit]) => lit !== FALSE));
    });
    without([...group.keys()], edges, this.formula, { of: name, event: (i) => group[i].id });
  }

  guess({ name, pairs, classes, ranked, choices, counted }: Guessed): void {
    const eventsOf = (ids: readonly number[]): readonly Event[] => ids.map((id) => this.events[id]);
    for (const [a, b] of pairs) this.orient(name, this.events[a], this.events[b]);
    for (const group of classes) this.totalOrder(name, eventsOf(group));
    for (const { from, to } of ranked) this.pairByRank(name, eventsOf(from), eventsOf(to));
    if (choices.length === 0) return;
    const from = createSources(this.bounds.relations.get(name)!.may, this.formula);
    for (const { of } of choices) this.choose(name, of, from(of));
    for (const one of counted) this.agreeInRank(name, one);
  }

  /** Sources have the ranks of the events whose sources they are. */
  private agreeInRank(name: string, { from, to }: Counted): void {
    const { formula } = this;
    const [given, asked] = [this.counts(from), this.counts(to)];
    for (const [j, p] of to.events.entries()) {
      for (const [i, w] of from.events.entries()) {
        const lit = this.base(name, w, p);
        if (lit === FALSE) continue;
        for (let k = 0; k < Math.max(given[i].length, asked[j].length); k++) {
          const [a, b] = [given[i][k] ?? FALSE, asked[j][k] ?? FALSE];
          formula.assert(-lit, -a, b);
          formula.assert(-lit, a, -b);
        }
      }
    }
  }

  /** For each of some events: when at least one, two, … of them come before it. */
  private counts({ events, by }: CountedEvents): readonly (readonly Lit[])[] {
    return events.map((event, i) => {
      const before =
        by === undefined
          ? events.slice(0, i).map((other) => this.executed(other))
          : events.flatMap((other) => (other === event ? [] : [this.base(by, other, event)]));
      return atLeast(before, this.formula);
    });
  }

  /** Orders two events: exactly one way if both are executed, and neither way if not. Nothing for events of different branches. */
  private orient(name: string, a: Event, b: Event): void {
    if (areExclusive(a.path, b.path)) return;
    const { formula } = this;
    const [forth, back] = [this.may(name, a.id, b.id), this.may(name, b.id, a.id)];
    const present = this.both(a.id, b.id);
    if (!forth && !back) return formula.assert(-present);
    const direction = !back ? TRUE : !forth ? FALSE : formula.fresh();
    this.set(name, a.id, b.id, formula.and(direction, present));
    this.set(name, b.id, a.id, formula.and(-direction, present));
  }

  /** Of two lists of events, pairs the k-th executed one of the first with the k-th executed one of the second. */
  private pairByRank(name: string, from: readonly Event[], to: readonly Event[]): void {
    const { formula } = this;
    const fromRanks = ranks(from, this.executed, formula);
    const toRanks = ranks(to, this.executed, formula);
    to.forEach((p, j) => {
      const lits = from.flatMap((w, i) => {
        if (!this.may(name, w.id, p.id)) return [];
        const same = fromRanks[i].map((lit, k) => formula.and(lit, toRanks[j][k] ?? FALSE));
        const lit = formula.and(this.both(w.id, p.id), formula.or(...same));
        this.set(name, w.id, p.id, lit);
        return [lit];
      });
      formula.assert(-this.executed(p.id), ...lits);
    });
  }

  private may(name: string, a: number, b: number): boolean {
    return related(this.bounds.relations.get(name)!.may, a, b);
  }

  private both(a: number, b: number): Lit {
    return this.formula.and(this.executed(a), this.executed(b));
  }

  private set(name: string, a: number, b: number, lit: Lit): void {
    this.table.get(name)!.set(a * this.events.length + b, lit);
  }
}

/** Calls back for every two elements of a list, the earlier one first. */
export function forPairs<T>(list: readonly T[], visit: (a: T, b: T) => void): void {
  for (let i = 0; i < list.length; i++) {
    for (let j = i + 1; j < list.length; j++) visit(list[i], list[j]);
  }
}

/** When at least one, two, … of some literals are true. */
function atLeast(lits: readonly Lit[], formula: Formula): readonly Lit[] {
  let counts: readonly Lit[] = [];
  for (const lit of lits) {
    if (lit === FALSE) continue;
    const before = counts;
    counts = [...before, FALSE].map((stay, k) =>
      formula.or(stay, formula.and(before[k - 1] ?? TRUE, lit)),
    );
  }
  return counts;
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
