import type { TermNames } from '../model/print.js';
import { namesOf } from '../model/print.js';
import type { Axiom, Model } from '../model/term.js';
import * as m from '../relation/matrix.js';
import type { Judgement } from '../relation/concrete.js';
import type { Verified } from '../witness/verify.js';
import type { Derivation, Reasons } from './derivation.js';
import { reasonsIn } from './derivation.js';
import type { Step, Violation } from './explanation.js';
import type { Highlight } from './graph.js';
import { pathOf } from './steps.js';

/** A violation, and what it rests on. */
export interface Broken {
  readonly axiom: Axiom;
  readonly violation: Violation;
  /** Of the pairs, or the event, that make it up; none for an absence. */
  readonly derivations: readonly Derivation[];
  /** How much the derivations cost together: of several violations, the plainest is least. */
  readonly cost: number;
}

/**
 * How an execution breaks the axioms of a model: for each axiom that does not hold the shortest
 * reason, in the order of the axioms.
 *
 * @throws Error if a step is not in the relations that it names: a bug
 */
export function violationsOf(
  model: Model,
  verified: Pick<Verified, 'events' | 'execution'>,
  judgement: Judgement,
): readonly Broken[] {
  const broken = judgement.axioms.filter(({ holds }) => !holds);
  if (broken.length === 0) return [];
  const names = namesOf(model);
  const reasons = reasonsIn(model, verified.execution);
  return broken.map(({ axiom }) => {
    const { kind, derivations, cost, event } = reasonOf(
      model,
      axiom,
      reasons,
      verified.execution.size,
    );
    const told = { model, names, events: verified.events };
    const steps = derivations.flatMap((d) =>
      d.from === d.to && kind === 'event' ? [] : pathOf(told, d),
    );
    const violation: Violation = {
      axiom: axiom.name,
      test: axiom.test,
      relation: relationText(axiom, names),
      kind,
      steps,
      ...(event !== undefined && { event: verified.events[event].id }),
    };
    checkCycle(axiom, derivations, judgement);
    checkSteps(
      violation,
      verified.events.map((e) => e.id),
      judgement,
    );
    return { axiom, violation, derivations, cost };
  });
}

const relationText = (axiom: Axiom, names: TermNames): string =>
  `${axiom.negated ? '~' : ''}${axiom.test} ${names.text(axiom.term)}`;

interface Reason {
  readonly kind: Violation['kind'];
  readonly derivations: readonly Derivation[];
  readonly cost: number;
  /** Position of the event. */
  readonly event?: number;
}

function reasonOf(model: Model, axiom: Axiom, reasons: Reasons, size: number): Reason {
  const { term, test } = axiom;
  if (axiom.negated) return { kind: 'absence', derivations: [], cost: 0 };
  const events = [...Array(size).keys()];
  switch (test) {
    case 'acyclic': {
      const [at, cost] = cheapest(events, (e) => reasons.distance(term, e, e));
      return { kind: 'cycle', derivations: reasons.path(term, at, at)!, cost };
    }
    case 'irreflexive': {
      const [at, cost] = cheapest(events, (e) => reasons.cost(term, e, e));
      return { kind: 'cycle', derivations: [reasons.derive(term, at, at)], cost };
    }
    case 'empty': {
      if (model.terms[term].kind === 'set') {
        const [event, cost] = cheapest(events, (e) => reasons.member(term, e));
        return { kind: 'event', derivations: [reasons.deriveMember(term, event)], cost, event };
      }
      const pairs = events.flatMap((a) => events.map((b) => [a, b] as const));
      const [[a, b], cost] = cheapest(pairs, ([a, b]) => reasons.cost(term, a, b));
      return { kind: 'pair', derivations: [reasons.derive(term, a, b)], cost };
    }
  }
}

/** The first of those that cost least. */
function cheapest<T>(all: readonly T[], costOf: (one: T) => number): readonly [T, number] {
  let [best, least] = [all[0], Infinity];
  for (const one of all) {
    const cost = costOf(one);
    if (cost < least) [best, least] = [one, cost];
  }
  if (least === Infinity) throw new Error('an axiom is broken for no reason');
  return [best, least];
}

/** @throws Error if the evaluator does not find the pairs that an axiom about cycles rests on */
function checkCycle(
  { test, term, name }: Axiom,
  derivations: readonly Derivation[],
  judgement: Pick<Judgement, 'rel'>,
): void {
  if (test === 'empty') return;
  const rel = judgement.rel(term);
  const closes = derivations.every(
    ({ to }, i) => to === derivations[(i + 1) % derivations.length].from,
  );
  if (!closes || derivations.some(({ from, to }) => !m.related(rel, from, to))) {
    throw new Error(`the evaluator does not find the cycle that breaks ${name}`);
  }
}

/**
 * Holds every step against the concrete evaluator: it is in each relation that it names, paths lead
 * from their step's first event to its second, and a cycle comes back to where it began.
 *
 * @throws Error if not
 */
export function checkSteps(
  { kind, steps }: Violation,
  ids: readonly number[],
  judgement: Pick<Judgement, 'rel'>,
): void {
  const position = new Map(ids.map((id, i) => [id, i]));
  const check = ({ from, to, because, via, also }: Step): void => {
    const [a, b] = [position.get(from), position.get(to)];
    for (const { term, text } of because) {
      if (a === undefined || b === undefined || !m.related(judgement.rel(term), a, b)) {
        throw new Error(`the evaluator does not find ${from} → ${to} in ${text}`);
      }
    }
    if (via.length > 0) checkPath(via, from, to);
    via.forEach(check);
    also.forEach(check);
  };
  const checkPath = (path: readonly Step[], from: number, to: number): void => {
    const ends = [from, ...path.map((step) => step.to)];
    if (ends.at(-1) !== to || path.some((step, i) => step.from !== ends[i])) {
      throw new Error(`the steps from ${from} to ${to} are no path`);
    }
  };
  const [first] = steps;
  if (first !== undefined) {
    checkPath(steps, first.from, kind === 'cycle' ? first.from : steps.at(-1)!.to);
  }
  steps.forEach(check);
}

/**
 * The edges that draw a path: each step by the innermost relation that is shown; one of which none is,
 * by what it consists of; and what consists of nothing else, by its innermost name.
 */
export function edgesOf(
  steps: readonly Step[],
  { shown }: { readonly shown: readonly { readonly name: string }[] },
): Highlight {
  const isShown = (relation: string) => shown.some(({ name }) => name === relation);
  const edges = (path: readonly Step[]): Highlight =>
    path.flatMap(({ from, to, because, via }) => {
      const drawn = because.findLast(({ text }) => isShown(text));
      if (drawn !== undefined) return [{ relation: drawn.text, from, to }];
      if (via.length > 0) return edges(via);
      const inner = because[because.length - 1].text;
      const base = /^(\w+)\^-1$/.exec(inner)?.[1];
      if (base !== undefined && isShown(base)) return [{ relation: base, from: to, to: from }];
      const named = because.findLast(({ text }) => /^[\w.'-]+$/.test(text));
      return [{ relation: named?.text ?? inner, from, to }];
    });
  return edges(steps);
}
