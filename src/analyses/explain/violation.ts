import type { TermNames } from '../../model/print.js';
import { termNames } from '../../model/print.js';
import type { Axiom, Model } from '../../model/term.js';
import * as m from '../../model/relation/matrix.js';
import type { Judgement } from '../../model/relation/concrete.js';
import type { Verified } from '../../check/witness/verify.js';
import type { ReasonCosts } from './cost.js';
import { costsIn } from './cost.js';
import type { Derivation, Reasons } from './derivation.js';
import { reasonsIn } from './derivation.js';
import type { Step, AxiomViolation } from './explanation.js';
import type { Highlight } from './graph.js';
import { derivationPath } from './steps.js';
import { once } from '../../parse/once.js';

/** A violation, and the derivations that it depends on. */
export interface Broken {
  readonly axiom: Axiom;
  /** Its steps and relations, for people. Made on demand, as few of the violations that are found are shown. @throws Error as `violationsOf` */
  readonly told: () => AxiomViolation;
  /** The derivations of its pairs, or of its event. An absence has none. */
  readonly derivations: readonly Derivation[];
  /** The cost of all derivations together (cost.ts). The violation with the least cost is the best one to tell. */
  readonly cost: number;
}

/**
 * How an execution breaks the axioms of a model: the cheapest reason for each axiom that does not hold, in the order of the
 * axioms.
 *
 * @throws Error if a step is not in the relations that it names: a bug
 */
export const violationsOf = (
  model: Model,
  verified: Pick<Verified, 'events' | 'execution'>,
  judgement: Judgement,
): readonly Broken[] =>
  allViolationsOf(model, verified, judgement, costsIn(model, verified.execution)).map(
    ([first]) => first,
  );

/**
 * For each axiom that does not hold: the cheapest reasons by way of each event, the cheapest of all first.
 *
 * @param costs the costs in this execution
 * @throws Error if the pairs of a cycle are not in its relation: a bug
 */
export function allViolationsOf(
  model: Model,
  { events }: Pick<Verified, 'events'>,
  judgement: Judgement,
  costs: ReasonCosts,
): readonly (readonly Broken[])[] {
  const broken = judgement.axioms.filter(({ holds }) => !holds);
  if (broken.length === 0) return [];
  const names = termNames(model);
  const ids = events.map(({ id }) => id);
  return cheapest(model, broken, events.length, costs).map(({ axiom, found }) =>
    found.map((reason): Broken => {
      const { kind, derivations, cost, event } = reason;
      checkCycle(axiom, derivations, judgement);
      const told = once((): AxiomViolation => {
        const telling = { model, names, events };
        const steps = derivations.flatMap((d) =>
          d.from === d.to && kind === 'event' ? [] : derivationPath(telling, d),
        );
        const violation = {
          axiom: axiom.name,
          test: axiom.test,
          relation: relationText(axiom, names),
          kind,
          steps,
          event: event === undefined ? undefined : ids[event],
        };
        checkSteps(violation, ids, judgement);
        return violation;
      });
      return { axiom, told, derivations, cost };
    }),
  );
}

/**
 * The cheapest reasons for each of some axioms. It is a function of its own, as what it returns outlives the costs, which are
 * large: explanations keep violations of many executions.
 */
function cheapest(
  model: Model,
  broken: Judgement['axioms'],
  size: number,
  costs: ReasonCosts,
): readonly { readonly axiom: Axiom; readonly found: readonly Reason[] }[] {
  const reasons = reasonsIn(model, size, costs);
  return broken.map(({ axiom }) => ({ axiom, found: reasonsFor(model, axiom, reasons, size) }));
}

const relationText = (axiom: Axiom, names: TermNames): string =>
  `${axiom.negated ? '~' : ''}${axiom.test} ${names.text(axiom.term)}`;

interface Reason {
  readonly kind: AxiomViolation['kind'];
  readonly derivations: readonly Derivation[];
  readonly cost: number;
  /** Position of the event. */
  readonly event?: number;
}

/** The cheapest reasons why an axiom does not hold, in the order of their costs. There is at least one. */
function reasonsFor(model: Model, axiom: Axiom, reasons: Reasons, size: number): readonly Reason[] {
  if (axiom.negated) {
    return [{ kind: 'absence', derivations: [], cost: 0 }];
  }
  const kind =
    axiom.test !== 'empty' ? 'cycle' : model.terms[axiom.term].kind === 'set' ? 'event' : 'pair';
  const found: Reason[] = [];
  /** What the cycles cost that are already found, by the events on them. */
  const known = new Map<number, number>();
  for (const { cost, derive, event, through } of possible(axiom, kind, reasons, size)) {
    // The cheapest cycle through an event is often one that was found from another event.
    if (cost === Infinity || (through !== undefined && known.get(through) === cost)) continue;
    const derivations = derive();
    for (const { from } of derivations) known.set(from, Math.min(cost, known.get(from) ?? cost));
    found.push({ kind, derivations, cost, event });
  }
  if (found.length === 0) throw new Error('an axiom is broken for no reason');
  return found.sort((a, b) => a.cost - b.cost);
}

function possible(
  { term, test }: Axiom,
  kind: 'cycle' | 'event' | 'pair',
  reasons: Reasons,
  size: number,
): readonly Possible[] {
  const events = [...Array(size).keys()];
  switch (kind) {
    case 'cycle':
      return test === 'acyclic'
        ? events.map((e) => ({
            through: e,
            cost: reasons.distance(term, e, e),
            derive: () => reasons.path(term, e, e)!,
          }))
        : events.map((e) => ({
            cost: reasons.cost(term, e, e),
            derive: () => [reasons.derive(term, e, e)],
          }));
    case 'event':
      return events.map((event) => ({
        event,
        cost: reasons.memberCost(term, event),
        derive: () => [reasons.deriveMember(term, event)],
      }));
    case 'pair':
      return events.flatMap((a) =>
        events.map((b) => ({
          cost: reasons.cost(term, a, b),
          derive: () => [reasons.derive(term, a, b)],
        })),
      );
  }
}

/** A possible reason, before it is computed. If its cost is infinite, there is none. */
interface Possible {
  readonly cost: number;
  readonly derive: () => readonly Derivation[];
  /** Position of the event that the cycle goes through, where there may be others on it. */
  readonly through?: number;
  /** Position of the event, where the reason is that it is in a set. */
  readonly event?: number;
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
 * Checks every step with the concrete evaluator: it is in each relation that it names, each path leads from the first event
 * of its step to the second, and a cycle returns to its start.
 *
 * @throws Error if not
 */
export function checkSteps(
  { kind, steps }: AxiomViolation,
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
 * The edges to draw for a path. A step is drawn by the innermost of its relations that is shown. If none is shown, the steps
 * that it consists of are drawn. If it consists of none, it is drawn by its innermost name.
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
      return [{ relation: named?.text ?? inner, from, to, words: named?.words }];
    });
  return edges(steps);
}
