import { applyBinary, applyUnary } from '../program/arithmetic.js';
import type { CountedEvents, Guessed } from '../program/events/guessed.js';
import { guessesIn } from '../program/events/guesses.js';
import type { OpenChoices, OpenOrder } from '../program/events/open.js';
import { programOrder } from '../program/events/relations.js';
import type { Event, EventId, Path, ValueId } from '../program/events/structure.js';
import { areExclusive } from '../program/events/structure.js';
import * as m from '../model/relation/matrix.js';
import type { Between } from '../model/relation/between.js';
import type { Decision, Reason } from './proof.js';
import { questionText } from './proof.js';

/** What is known of all executions with some answers to questions. */
export interface Case {
  /** A contradiction between the answers themselves, if there is one. */
  readonly conflict?: Reason;
  /** Is an event executed? Undefined: it may be executed in some of the executions and not in others. */
  readonly executed: (event: EventId) => boolean | undefined;
  /** Is a path taken? Undefined if this is not known. */
  readonly taken: (path: Path) => boolean | undefined;
  /** The number that a value is, if it is known. */
  readonly number: (id: ValueId) => number | undefined;
  /** The possible sources of an event. */
  readonly sources: (name: string, of: EventId) => readonly EventId[];
  /** The relations that executions choose, by name. */
  readonly relations: ReadonlyMap<string, Between<m.BitRel>>;
}

/** An event, and its possible partners. */
type Able = readonly [of: EventId, able: readonly EventId[]];

/**
 * What follows from answers. The events of the questions are executed, and so is an event that is the only possible
 * source of an executed one. Therefore their guards are true, and so are the conditions that a thread must satisfy
 * there. This is repeated until nothing new follows.
 */
export function caseOf(open: OpenChoices, decisions: readonly Decision[]): Case {
  const known = knownIn(open, decisions);
  // These may find the conflict.
  const relations = relationsIn(open, known);
  return { ...known, executed: (e) => known.status[e], relations, conflict: known.conflict() };
}

type Known = ReturnType<typeof knownIn>;

/** What is known of events and values. These are closures over one state, since each of them asks the others. */
function knownIn(open: OpenChoices, decisions: readonly Decision[]) {
  const { events, values, constraints } = open.structure;
  const answers = new Map(decisions.map((one) => [questionText(one), one.answer]));
  const needed = new Set(decisions.flatMap((one) => (one.name === 'choice' ? [] : one.about)));
  const granted = new Map<ValueId, { readonly way: boolean; readonly because: Reason }>();
  let status: readonly (boolean | undefined)[] = [];
  let numbers: (number | undefined)[] = [];
  let conflict: Reason | undefined;
  let changed = true;
  /** The first contradiction counts. */
  const contradict = (because: Reason): void => void (conflict ??= because);
  while (changed) settle();
  for (const [condition, { way, because }] of granted)
    if (Boolean(number(condition) ?? way) !== way) contradict(because);
  return { status, answers, taken, number, sources, contradict, conflict: () => conflict };

  function settle(): void {
    numbers = [];
    const now = events.map((e) => taken(e.path));
    changed = now.some((one, i) => one !== status[i]);
    status = now;
    for (const [name, all] of open.sources) {
      for (const of of all.keys()) {
        const able = sources(name, of);
        if (status[of] === true && able.length === 1) needed.add(able[0]);
      }
    }
    for (const event of needed) {
      for (const { condition, taken: way } of events[event].path)
        grant(condition, way, { kind: 'guard', at: [event] });
    }
    for (const [i, { path, condition }] of constraints.entries())
      if (taken(path) === true) grant(condition, true, { kind: 'assume', at: [i] });
  }

  function grant(condition: ValueId, way: boolean, because: Reason): void {
    const is = truth(condition);
    if (is === undefined) {
      granted.set(condition, { way, because });
      changed = true;
    } else if (is !== way) contradict(because);
  }

  function taken(path: Path): boolean | undefined {
    const branches = path.map(({ condition, taken: way }) => {
      const is = truth(condition);
      return is === undefined ? undefined : is === way;
    });
    return branches.includes(false) ? false : branches.includes(undefined) ? undefined : true;
  }

  function truth(condition: ValueId): boolean | undefined {
    const known = granted.get(condition)?.way ?? number(condition);
    return known === undefined ? undefined : Boolean(known);
  }

  function number(id: ValueId): number | undefined {
    if (id in numbers) return numbers[id];
    // A value that depends on itself is not known.
    numbers[id] = undefined;
    return (numbers[id] = computed(id));
  }

  function computed(id: ValueId): number | undefined {
    const value = values[id];
    switch (value.op) {
      case 'const':
        return value.value;
      case 'choice':
        return answers.get(`choice ${value.choice}`);
      case 'read': {
        const able = sources('rf', value.event);
        return able.length === 1 ? number(events[able[0]].value!) : undefined;
      }
      case 'unary':
        return applyUnary(value.fn, number(value.arg));
      case 'binary':
        return applyBinary(value.fn, number(value.left), number(value.right));
      case 'select': {
        const is = truth(value.condition);
        return is === undefined ? undefined : number(is ? value.then : value.else);
      }
    }
  }

  function sources(name: string, of: EventId): readonly EventId[] {
    const answer = answers.get(`${name} ${of}`);
    if (answer !== undefined) return [answer];
    return (open.sources.get(name)?.get(of) ?? []).filter((source) => status[source] !== false);
  }
}

/** The bounds of the relations that executions choose. */
function relationsIn({ sources, orders, structure }: OpenChoices, known: Known) {
  const relations = new Map<string, Between<m.BitRel>>();
  for (const [name, all] of sources) {
    const ables = [...all.keys()].map((of): Able => [of, known.sources(name, of)]);
    relations.set(name, related(known, name, ables));
  }
  for (const [name, order] of orders) relations.set(name, orderRelation(known, name, order));
  for (const guess of guessesIn(structure)) {
    if (guess.chosen && guess.counted.length === 0) continue;
    relations.set(guess.name, rankRelation(known, structure.events, guess, relations));
  }
  return relations;
}

/** The bounds of a relation from partners to events. If only one partner is possible, the pair is sure. */
function related(known: Known, name: string, ables: readonly Able[]): Between<m.BitRel> {
  const { status } = known;
  const [low, high] = [m.emptyRel(status.length), m.emptyRel(status.length)];
  for (const [of, able] of ables) {
    if (status[of] === false) continue;
    for (const one of able) m.relate(high, one, of);
    if (status[of] !== true) continue;
    if (able.length === 1 && status[able[0]] === true) m.relate(low, able[0], of);
    if (able.length === 0) known.contradict({ kind: 'partner', name, at: [of] });
  }
  return { low: () => low, high: () => high };
}

function orderRelation(known: Known, name: string, { pairs, first, total }: OpenOrder) {
  const { status, answers } = known;
  const [given, high] = [m.emptyRel(status.length), m.emptyRel(status.length)];
  for (const [a, b] of pairs) {
    const answer = first(a, b) ?? answers.get(`${name} ${a} ${b}`);
    if (status[a] === false || status[b] === false) continue;
    if (answer !== b) m.relate(high, a, b);
    if (answer !== a) m.relate(high, b, a);
    if (answer === undefined || status[a] !== true || status[b] !== true) continue;
    m.relate(given, answer, answer === a ? b : a);
  }
  const low = total ? m.plus(given) : given;
  const event = status.findIndex((_, e) => m.related(low, e, e));
  if (event >= 0) known.contradict({ kind: 'order', name, at: [event] });
  const most = m.diffRel(high, m.inverse(low));
  return { low: () => low, high: () => most };
}

/** The partner of each event is the one of its rank among those that are executed: in the list, or in a guessed order. */
function rankRelation(
  known: Known,
  events: readonly Event[],
  { name, chosen, ranked, counted }: Guessed,
  orders: ReadonlyMap<string, Between<m.BitRel>>,
) {
  const { status } = known;
  const range = ({ events: list, by }: CountedEvents): readonly (readonly number[])[] => {
    const order = by === undefined ? undefined : orders.get(by)!;
    if (order === undefined) return [ranks(status, list, true), ranks(status, list)];
    const before = (rel: m.BitRel, sure: boolean): readonly number[] =>
      list.map((e) => list.filter((o) => (status[o] ?? !sure) && m.related(rel, o, e)).length);
    return [before(order.low(), true), before(order.high(), false)];
  };
  const inLists = ranked.map(({ from, to, unordered }) => {
    return { from: { events: from }, to: { events: to }, unordered };
  });
  const ables = [...inLists, ...counted].flatMap(({ from, to, ...rest }) => {
    const [[least, most], [toLeast, toMost]] = [range(from), range(to)];
    const inOrder = 'unordered' in rest && !rest.unordered;
    const isAble = (i: number, j: number): boolean => {
      const [a, b] = [events[from.events[i]], events[to.events[j]]];
      if (status[a.id] === false || areExclusive(a.path, b.path)) return false;
      if (inOrder && !programOrder(a, b)) return false;
      if (chosen && !known.sources(name, b.id).includes(a.id)) return false;
      return least[i] <= toMost[j] && toLeast[j] <= most[i];
    };
    return to.events.map((of, j): Able => [of, from.events.filter((_, i) => isAble(i, j))]);
  });
  return related(known, name, ables);
}

/** For each event, how many of the events before it are executed: for sure, or at most. */
function ranks(status: Known['status'], list: readonly EventId[], sure = false): readonly number[] {
  let count = 0;
  return list.map((event) => {
    const rank = count;
    if (status[event] ?? !sure) count += 1;
    return rank;
  });
}
