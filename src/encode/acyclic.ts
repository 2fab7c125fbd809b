import type { EventId } from '../program/events/structure.js';
import type { Component, Product, ProductStep } from './bounds/product.js';
import { cyclicComponents } from '../model/relation/components.js';
import { groupBy } from '../model/relation/groups.js';
import * as m from '../model/relation/matrix.js';
import type { NoCycle, Nodes } from './acyclicity/no-cycle.js';
import type { Formula, Lit } from './formula.js';
import { FALSE, TRUE } from './formula.js';
import type { Literals } from './relations.js';
import type { Splits } from './split.js';

/** What edges are made of, and when they are there. */
export interface EdgeLiterals {
  readonly literals: Literals;
  readonly splits: Splits;
  readonly formula: Formula;
}

/**
 * Asserts that the product graph of an automaton has no cycle (`automaton.ts`). In its components,
 * edges that are sure are dealt with first, and the rest is left to an encoding of choice.
 */
export function assertAcyclic(
  { steps, components }: Product,
  made: EdgeLiterals,
  axiom: string,
  noCycle: NoCycle,
): void {
  const { formula } = made;
  const states = 1 + Math.max(...steps.map(({ to }) => to));
  const between = groupBy(steps, ({ from, to }) => from * states + to);
  for (const component of components) {
    const { nodes } = component;
    const literal = (i: number, j: number): Lit => {
      const [[a, from], [b, to]] = [nodes[i], nodes[j]];
      return edgeLiteral(between.get(from * states + to)!, a, b, made);
    };
    const edges = openEdges(component, literal, formula);
    const events = nodes.map(([event]) => event);
    for (const step of steps) addPaths(edges, events, step, component, made);
    const origin: Nodes = { of: axiom, event: (node) => events[node] };
    const graph = m.emptyRel(edges.length);
    edges.forEach((successors, i) => {
      for (const j of successors.keys()) m.relate(graph, i, j);
    });
    for (const rest of cyclicComponents(graph)) noCycle(rest, edges, formula, origin);
  }
}

/** When does an edge of the product graph exist? When one of the steps that make it does. What is split is left out. */
function edgeLiteral(
  steps: readonly ProductStep[],
  a: number,
  b: number,
  { literals, splits, formula: { and, or } }: EdgeLiterals,
): Lit {
  const ways: Lit[] = [];
  for (const { terms, before, after } of steps) {
    const stays = terms.length === 0 && a === b;
    const whole = terms.filter((term) => splits(term)?.leaves(a) !== true);
    const along = stays ? TRUE : or(...whole.map((term) => literals.pair(term, a, b)));
    if (along === FALSE) continue;
    const way = and(
      along,
      ...before.map((set) => literals.member(set, a)),
      ...after.map((set) => literals.member(set, b)),
    );
    if (way === TRUE) return TRUE;
    if (way !== FALSE) ways.push(way);
  }
  return ways.length === 1 ? ways[0] : or(...ways);
}

/** Adds what is split of a step: a node for each event in the middle, and edges to and from it. */
function addPaths(
  edges: Map<number, Lit>[],
  events: EventId[],
  step: ProductStep,
  { nodes }: Component,
  { literals: { member }, splits, formula: { and } }: EdgeLiterals,
): void {
  const inState = (state: number) =>
    new Map([...nodes.entries()].flatMap(([i, [event, s]]) => (s === state ? [[event, i]] : [])));
  for (const term of step.terms) {
    const split = splits(term);
    if (split === undefined) continue;
    const targets = inState(step.to);
    const middles = new Map<number, number>();
    const middleOf = (event: number): number => {
      const known = middles.get(event);
      if (known !== undefined) return known;
      const made = edges.length;
      middles.set(event, made);
      const onward = new Map<number, Lit>();
      for (const [b, lit] of split.second(event)) {
        const there = and(lit, ...step.after.map((set) => member(set, b)));
        if (there !== FALSE && targets.has(b)) onward.set(targets.get(b)!, there);
      }
      edges.push(onward);
      events.push(event);
      return made;
    };
    for (const [a, i] of inState(step.from)) {
      if (!split.leaves(a)) continue;
      for (const [event, lit] of split.first(a)) {
        const there = and(lit, ...step.before.map((set) => member(set, a)));
        if (there !== FALSE) edges[i].set(middleOf(event), there);
      }
    }
  }
}

/**
 * The edges of a component that may or may not be there, and the sure ones that are needed beside
 * them, over positions in the component. An edge against a sure path is asserted not to be there;
 * one along a sure path adds nothing.
 */
function openEdges(
  { may, sure, reach }: Component,
  literal: (i: number, j: number) => Lit,
  formula: Formula,
): Map<number, Lit>[] {
  if (!m.isIrreflexive(reach)) formula.assert();
  const detours = m.seq(sure, reach);
  return Array.from({ length: may.size }, (_, i) => {
    const edges = new Map<number, Lit>();
    for (const j of m.successors(may, i)) {
      if (m.related(reach, j, i) || i === j) formula.assert(-literal(i, j));
      else if (m.related(sure, i, j)) {
        if (!m.related(detours, i, j)) edges.set(j, TRUE);
      } else if (!m.related(reach, i, j)) {
        const lit = literal(i, j);
        if (lit !== FALSE) edges.set(j, lit);
      }
    }
    return edges;
  });
}
