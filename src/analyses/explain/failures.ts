import type { Model } from '../../model/term.js';
import { groupBy } from '../../model/relation/groups.js';
import type { Judgement } from '../../model/relation/concrete.js';
import { evaluate } from '../../model/relation/concrete.js';
import type { Verified } from '../../check/witness/verify.js';
import { observedEvents, observedIn } from './observed-events.js';
import type { Candidates, CandidateCase, CommonToAll } from './candidates.js';
import type { Fact } from './facts.js';
import { factsOf, factsOfAbsence, factsOfWitness, factKey } from './facts.js';
import type { OpenCosts } from './open-costs.js';
import type { Backbone } from './backbone.js';
import { shapeOf } from './shape.js';
import type { Broken } from './violation.js';
import { allViolationsOf } from './violation.js';
import { once } from '../../parse/once.js';

/** The search stops after so many ways. */
export const WAY_LIMIT = 200;

/** A way in which candidates fail, and one of them. */
export interface Failure extends Fault {
  readonly verified: Verified;
  readonly judgement: Judgement;
  /** How the candidate breaks other axioms: for each of them the plainest violation. */
  readonly others: readonly Broken[];
}

/** A violation, and facts that describe the candidates which have it. */
export interface Fault {
  readonly chosen: Broken;
  /** Candidates in which these facts are true fail in the same way. */
  readonly facts: CandidateCase;
  /** A text that violations of the same shape share. */
  readonly shape: () => string;
  /** The names in the query whose values it is about. */
  readonly asked: readonly string[];
  /** Those names whose last write, or a read that gives the value, is itself part of it. */
  readonly direct: readonly string[];
}

/** Failures of one shape. The first one is shown. */
export type Alike = readonly Failure[];

export interface Failures {
  /** Every candidate fails in one of these ways. Those that are about the outcome come first. */
  readonly shapes: readonly Alike[];
  /** Why there may be more. */
  readonly incomplete?: string;
}

/** What the search for ways works on. */
export interface Inquiry {
  readonly model: Model;
  readonly candidates: Candidates;
  readonly common: CommonToAll;
  readonly backbone: Backbone;
  readonly costs: OpenCosts;
  readonly deadline: number;
}

const LATE = 'time limit reached';

/**
 * The ways in which candidates fail. It takes one candidate after the other, and excludes all that fail in the same way, until
 * none is left.
 *
 * @param begun ways that are known already
 * @param shapes only ways of these shapes are wanted
 * @returns the ways, and why there may be more, if there may be
 * @throws Error if a candidate breaks no axiom: then it should not have been refuted
 */
export function exhaust(
  inquiry: Inquiry,
  begun: readonly Failure[] = [],
  shapes?: ReadonlySet<string>,
): { readonly failures: readonly Failure[]; readonly incomplete?: string } {
  const { candidates, backbone, deadline } = inquiry;
  const failures = [...begun];
  for (;;) {
    if (performance.now() > deadline) return { failures, incomplete: LATE };
    const without = casesOf(failures);
    const next = candidates.find([], { without });
    if (next.kind === 'none') return { failures };
    if (next.kind === 'unknown') return { failures, incomplete: next.reason };
    if (failures.length >= WAY_LIMIT) {
      return { failures, incomplete: `there are more than ${WAY_LIMIT}` };
    }
    const known = backbone(next.verified, { without });
    const failed = faultsIn(inquiry, next.verified, (fact) => !known.has(factKey(fact)));
    const fault = failed.faults.find(({ shape }) => shapes?.has(shape()) ?? true);
    if (fault === undefined) return { failures, incomplete: 'there are other shapes' };
    failures.push(failureBy(failed, fault));
  }
}

export const casesOf = (failures: readonly Failure[]): readonly CandidateCase[] =>
  failures.map(({ facts }) => facts);

/** A candidate, and what is wrong with it. */
export interface FailedCandidate {
  readonly verified: Verified;
  readonly judgement: Judgement;
  /** The plainest violation of each axiom that it breaks. */
  readonly broken: readonly Broken[];
  /** The best one to tell comes first. No fault depends on all facts of another one and on more. */
  readonly faults: readonly Fault[];
}

/** A failure by one of the faults. */
export const failureBy = (
  { verified, judgement, broken }: FailedCandidate,
  fault: Fault,
): Failure => ({
  ...fault,
  verified,
  judgement,
  others: broken.filter(({ axiom }) => axiom !== fault.chosen.axiom),
});

/**
 * What is wrong with a candidate. It looks for violations that depend on as few open facts as possible. Open facts are those
 * that other candidates choose differently, so that such violations occur in many candidates.
 */
export function faultsIn(
  { model, common, costs }: Inquiry,
  verified: Verified,
  isOpen: (fact: Fact) => boolean,
): FailedCandidate {
  const { structure, bounds, query } = common;
  const [near, far] = [false, true].map((all) => observedEvents(structure, query, verified, all));
  const judgement = evaluate(model, verified.execution);
  const found = allViolationsOf(model, verified, judgement, costs(verified, isOpen));
  if (found.length === 0) throw new Error(`${model.name} admits what it was said to forbid`);
  const faults = found.flat().map((chosen): Fault => {
    const { axiom, derivations, told } = chosen;
    const shared = axiom.negated
      ? factsOfAbsence(model, bounds.terms, axiom)
      : factsOf(model, bounds.terms, verified.events, derivations);
    const facts = shared ?? factsOfWitness(verified.witness);
    return {
      chosen,
      facts,
      shape: once(() => shapeOf(structure, told())),
      asked: shared === undefined ? [] : observedIn(structure, far, shared),
      direct: shared === undefined ? [] : observedIn(structure, near, shared),
    };
  });
  return {
    verified,
    judgement,
    broken: found.map(([first]) => first),
    faults: withoutMore(faults.sort(byUse)),
  };
}

/** Leaves out faults that depend on all facts of another one and on more. Of faults with the same facts, the first stays. */
function withoutMore(faults: readonly Fault[]): readonly Fault[] {
  const keys = faults.map(({ facts }) => new Set(facts.map(factKey)));
  return faults.filter((_, i) =>
    keys.every((less, j) => {
      const worse = less.size < keys[i].size || (less.size === keys[i].size && j < i);
      return !worse || [...less].some((key) => !keys[i].has(key));
    }),
  );
}

/** The order of faults: those about more of the outcome first, then those that are in more candidates and simpler. */
export const byUse = (a: Fault, b: Fault): number =>
  b.asked.length - a.asked.length ||
  b.direct.length - a.direct.length ||
  a.chosen.cost - b.chosen.cost;

/** Failures by their shapes. */
export const byShape = (failures: readonly Failure[]): readonly Alike[] => [
  ...groupBy(failures, ({ shape }) => shape()).values(),
];
