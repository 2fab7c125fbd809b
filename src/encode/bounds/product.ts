import type { Event } from '../../program/events/structure.js';
import type { Automaton } from '../../model/automaton.js';
import type { Interpretation } from '../../model/interpret.js';
import type { TermId } from '../../model/term.js';
import { cyclicComponents } from '../../model/relation/components.js';
import { groupBy } from '../../model/relation/groups.js';
import type { BitRel, BitSet } from '../../model/relation/matrix.js';
import * as inPlace from '../../model/relation/in-place.js';
import * as m from '../../model/relation/matrix.js';
import type { Bound } from './domain.js';
import { exact, isExact, onBounds } from './domain.js';

/**
 * The graph of (event, state) pairs that an automaton makes, as far as it has cycles: the strongly
 * connected components of the edges that exist in some execution.
 */
export interface Product {
  /** What edges are made of. */
  readonly steps: readonly ProductStep[];
  readonly components: readonly Component[];
  /** Where a pair is; undefined: on no cycle. */
  readonly place: (event: number, state: number) => NodePlace | undefined;
}

/**
 * A step of an automaton, from an event that is in some sets to one that is in some sets: along one of
 * some relations, or, without any, staying at the event.
 */
export interface ProductStep {
  readonly from: number;
  readonly to: number;
  readonly terms: readonly TermId[];
  readonly before: readonly TermId[];
  readonly after: readonly TermId[];
}

/** A component of more than one node, or of a node with an edge to itself. */
export interface Component {
  /** Its nodes: pairs of an event and a state. Relations are over positions in this list. */
  readonly nodes: readonly (readonly [event: number, state: number])[];
  /** Edges that exist in some execution, in every execution, and the closure of the latter. */
  readonly may: BitRel;
  readonly sure: BitRel;
  readonly reach: BitRel;
}

export interface NodePlace {
  readonly component: Component;
  readonly position: number;
}

/** A node of the graph. */
type Pair = readonly [event: number, state: number];

/** A step between events, with the bounds of its relations and of the sets at its ends. */
interface Edges extends Pick<ProductStep, 'from' | 'to'> {
  readonly along: Bound<BitRel>;
  readonly first: Bound<BitSet>;
  readonly last: Bound<BitSet>;
}

/**
 * @param steps those of an automaton, by `stepsOf`
 * @param before the graph with wider bounds: what is on no cycle there is on none here
 */
export function productOf(
  steps: readonly ProductStep[],
  terms: Interpretation<Bound<BitSet>, Bound<BitRel>>,
  events: readonly Event[],
  before?: Product,
): Product {
  const size = events.length;
  // A step is there in every execution only if both of its events are.
  const always = m.setOf(
    size,
    events.filter((e) => e.path.length === 0).map((e) => e.id),
  );
  const list = edgesOf(steps, terms, size);
  const nodes = passed(list, size).filter(
    ([event, state]) => before === undefined || before.place(event, state) !== undefined,
  );
  const positions = positionsOf(nodes, size);
  const may = m.emptyRel(nodes.length);
  const sure = m.emptyRel(nodes.length);
  for (const { from, to, along, first, last } of list) {
    const there = positions[to];
    if (there === undefined) continue;
    const { width, words } = along.may;
    const ends = last.may.words;
    for (let node = 0; node < nodes.length; node++) {
      const [event, state] = nodes[node];
      if (state !== from || !m.has(first.may, event)) continue;
      const isSure = m.has(always, event) && m.has(first.must, event);
      for (let w = 0; w < width; w++) {
        const at = event * width + w;
        // What must be there also may be there, so that this is all of them.
        let word = words[at] & ends[w];
        if (word === 0) continue;
        const must = isSure ? along.must.words[at] & last.must.words[w] & always.words[w] : 0;
        for (; word !== 0; word &= word - 1) {
          const bit = m.lowest(word);
          const target = there[w * 32 + bit];
          if (target < 0) continue;
          m.relate(may, node, target);
          if ((must >>> bit) & 1) m.relate(sure, node, target);
        }
      }
    }
  }
  return cyclicPartOf(steps, may, sure, {
    node: (event, state) => positions[state]?.[event] ?? -1,
    pair: (node) => nodes[node],
  });
}

function edgesOf(
  steps: readonly ProductStep[],
  terms: Interpretation<Bound<BitSet>, Bound<BitRel>>,
  size: number,
): readonly Edges[] {
  const anywhere = exact(m.universe(size));
  const unions = new Map<readonly TermId[], Bound<BitRel>>();
  return steps.map(({ from, to, terms: ids, before, after }) => {
    const along = unions.get(ids) ?? unionOf(ids, terms, size);
    unions.set(ids, along);
    const first = before.map(terms.set).reduce(meet, anywhere);
    return { from, to, along, first, last: after.map(terms.set).reduce(meet, anywhere) };
  });
}

/** The nodes that some edge leads to, and some edge leads from. All others are on no cycle: initial writes, for instance. */
function passed(list: readonly Edges[], size: number): readonly Pair[] {
  const left = new Map<number, BitSet>();
  const entered = new Map<number, BitSet>();
  const gain = (sets: Map<number, BitSet>, state: number, gained: BitSet): void =>
    void sets.set(state, m.unionSet(sets.get(state) ?? m.emptySet(size), gained));
  for (const { from, to, along, first, last } of list) {
    gain(left, from, m.interSet(first.may, m.domain(along.may)));
    gain(entered, to, m.interSet(last.may, m.range(along.may)));
  }
  return [...left].flatMap(([state, events]) =>
    m
      .elements(m.interSet(events, entered.get(state) ?? m.emptySet(size)))
      .map((event): Pair => [event, state]),
  );
}

/** By state, and by event: where a node is in a list; -1: it is not there. */
function positionsOf(nodes: readonly Pair[], size: number): Int32Array[] {
  const positions: Int32Array[] = [];
  nodes.forEach(([event, state], i) => {
    (positions[state] ??= new Int32Array(size).fill(-1))[event] = i;
  });
  return positions;
}

/**
 * What leads along one of some relations; without any, from every event to itself. What is the same in
 * every execution, as most of it is, is worked out once.
 */
function unionOf(
  ids: readonly TermId[],
  terms: Interpretation<Bound<BitSet>, Bound<BitRel>>,
  size: number,
): Bound<BitRel> {
  if (ids.length === 0) return exact(m.identity(m.universe(size)));
  const bounds = ids.map(terms.rel);
  if (bounds.length === 1) return bounds[0];
  const union = (rels: readonly BitRel[]): BitRel => {
    const all = m.emptyRel(size);
    for (const rel of rels) inPlace.addAll(all, rel);
    return all;
  };
  const fixed = union(bounds.filter(isExact).map(({ may }) => may));
  const open = bounds.filter((bound) => !isExact(bound));
  if (open.length === 0) return exact(fixed);
  return {
    may: union([fixed, ...open.map(({ may }) => may)]),
    must: union([fixed, ...open.map(({ must }) => must)]),
  };
}

const meet = onBounds(m.interSet, [true, true]);

/** How the pairs of events and states are numbered in a graph. */
export interface Numbering {
  readonly node: (event: number, state: number) => number;
  readonly pair: (node: number) => readonly [event: number, state: number];
}

/** The part of a graph that has cycles. */
export function cyclicPartOf(
  steps: readonly ProductStep[],
  may: BitRel,
  sure: BitRel,
  { node, pair }: Numbering,
): Product {
  const places: NodePlace[] = [];
  const components = cyclicComponents(may).map((list): Component => {
    const inside = m.restrict(sure, list);
    const component = {
      nodes: list.map(pair),
      may: m.restrict(may, list),
      sure: inside,
      reach: m.plus(inside),
    };
    list.forEach((node, position) => (places[node] = { component, position }));
    return component;
  });
  return { steps, components, place: (event, state) => places[node(event, state)] };
}

/**
 * The steps of an automaton, without the states that are only gone through by tests, such as the one
 * in the middle of `[S];r`: the test becomes a condition of the steps before or after it.
 */
export function edgesOfProduct({ states, steps, tests }: Automaton): readonly ProductStep[] {
  const lists = new Map<string, readonly TermId[]>();
  const shared = (list: readonly TermId[]): readonly TermId[] => {
    const known = lists.get(list.join()) ?? list;
    lists.set(list.join(), known);
    return known;
  };
  const parallel = groupBy(steps, ({ from, to }) => from * states + to);
  let all: readonly ProductStep[] = [
    ...[...parallel.values()].map((group) => ({
      from: group[0].from,
      to: group[0].to,
      terms: shared(group.map(({ term }) => term)),
      before: [],
      after: [],
    })),
    ...tests.map(({ from, to, set }) => ({
      from,
      to,
      terms: shared([]),
      before: set === undefined ? [] : [set],
      after: [],
    })),
  ];
  for (let state = 1; state < states; state++) {
    const into = all.filter((step) => step.to === state);
    const out = all.filter((step) => step.from === state);
    const rest = all.filter((step) => step.to !== state && step.from !== state);
    const isLoop = into.length + out.length + rest.length > all.length;
    if (isLoop || !(into.every(isTest) || out.every(isTest))) continue;
    all = [...rest, ...into.flatMap((first) => out.map((second) => joined(first, second)))];
  }
  return all;
}

const isTest = ({ terms }: ProductStep): boolean => terms.length === 0;

/** Two steps as one, where the first or the second is a test. */
function joined(first: ProductStep, second: ProductStep): ProductStep {
  const ends = { from: first.from, to: second.to };
  return isTest(first)
    ? { ...second, ...ends, before: [...first.before, ...second.before] }
    : { ...first, ...ends, after: [...first.after, ...second.before] };
}
