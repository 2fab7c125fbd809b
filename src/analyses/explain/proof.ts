import type { Verified } from '../../check/witness/verify.js';
import { evaluate } from '../../model/relation/concrete.js';
import type { Axiom, Model } from '../../model/term.js';
import type { Candidates, CandidateCase } from './candidates.js';
import { factKey } from './facts.js';
import type { Alike, Failure, Failures, Inquiry } from './failures.js';
import { byShape, byUse, casesOf, exhaust, failureBy, faultsIn } from './failures.js';
import { openCosts } from './open-costs.js';
import { backboneAmong } from './backbone.js';

/**
 * Why every candidate fails, in few shapes: none of them can be left out, and none can be replaced by more ways of the other
 * shapes. Each way is shown by a candidate in which as little else as possible is wrong.
 *
 * @throws Error if a candidate breaks no axiom: then it should not have been refuted
 */
export function proofOf(model: Model, candidates: Candidates, deadline: number): Failures {
  const common = candidates.common();
  if ('reason' in common) return { shapes: [], incomplete: common.reason };
  const backbone = backboneAmong(candidates, model.instructions);
  const costs = openCosts(model);
  const inquiry = { model, candidates, common, backbone, costs, deadline };
  const { failures, incomplete } = exhaust(inquiry);
  if (incomplete !== undefined) return { shapes: sorted(failures), incomplete };
  const few = fewWays(inquiry, fewShapes(inquiry, failures));
  const shapes = sorted(few).map(([first, ...alike], i) => [
    // The first one is drawn, and nobody should wonder about anything else in the picture.
    lessWrong(inquiry, first, few, i === 0 ? TRIES : 0),
    ...alike,
  ]);
  return { shapes };
}

function sorted(failures: readonly Failure[]): readonly Alike[] {
  const shapes = byShape(failures).map((alike) => [...alike].sort(byUse));
  return shapes.sort(([a], [b]) => byUse(a, b));
}

/** Leaves out shapes that more ways of the other shapes can replace. The last shape is tried first. */
function fewShapes(inquiry: Inquiry, failures: readonly Failure[]): readonly Failure[] {
  let left = failures;
  for (const [first] of [...sorted(failures)].reverse()) {
    const others = left.filter((failure) => failure.shape() !== first.shape());
    if (others.length === 0) break;
    const shapes = new Set(others.map((failure) => failure.shape()));
    const instead = exhaust(inquiry, others, shapes);
    if (instead.incomplete === undefined) left = instead.failures;
  }
  return left;
}

/** Leaves out ways that the others make superfluous. The last one found is tried first. */
function fewWays(
  { candidates, deadline }: Inquiry,
  failures: readonly Failure[],
): readonly Failure[] {
  let left = failures;
  /** Leaves out some ways if the others are enough, and then what the solver did not need of the others. */
  const leaveOut = (some: readonly Failure[]): void => {
    const others = left.filter((other) => !some.includes(other));
    const answer = candidates.find([], { without: casesOf(others) });
    if (answer.kind !== 'none') return;
    const enough = answer.enough && new Set(answer.enough);
    left = others.filter(({ facts }) => enough?.has(facts) ?? true);
  };
  leaveOut([]);
  for (const failure of [...failures].reverse()) {
    if (performance.now() > deadline) break;
    if (left.includes(failure)) leaveOut([failure]);
  }
  return left;
}

/** So many other violations are avoided at most, in a candidate that is drawn. */
const TRIES = 50;

/**
 * Another candidate that fails in this way, and in which as little else as possible is wrong. Other axioms hold if they can.
 * Violations that are not about values in the query are avoided if possible.
 *
 * @param all all ways; none of them is superfluous
 * @param most so many violations of axioms that cannot hold are avoided at most
 */
function lessWrong(
  inquiry: Inquiry,
  failure: Failure,
  all: readonly Failure[],
  most: number,
): Failure {
  const { model, candidates, backbone, deadline } = inquiry;
  const within = failure.facts;
  const own = new Set(within.map(factKey));
  const without = [...casesOf(all.filter((other) => other !== failure))];
  const axioms: Axiom[] = [];
  let { verified } = failure;

  const isFound = (some: readonly Axiom[], cases: readonly CandidateCase[]): boolean => {
    if (performance.now() > deadline) return false;
    const next = candidates.find(some, { within, without: cases });
    if (next.kind === 'found') ({ verified } = next);
    return next.kind === 'found';
  };
  if (!isFound([], without)) return failure;
  for (const axiom of model.axioms) {
    if (axiom.flag) continue;
    const wanted = [...axioms, axiom];
    if (satisfies(model, verified, wanted) || isFound(wanted, without)) axioms.push(axiom);
  }
  const unavoidable = new Set<string>();
  for (let tries = 0; tries < most; tries++) {
    const { faults } = faultsIn(inquiry, verified, (fact) => own.has(factKey(fact)));
    const avoided = faults.find(({ asked, facts }) => {
      const keys = facts.map(factKey);
      const key = keys.join();
      if (asked.length > 0 || unavoidable.has(key) || keys.every((k) => own.has(k))) return false;
      const isAvoided = isFound(axioms, [...without, facts]);
      if (!isAvoided) unavoidable.add(key);
      return isAvoided;
    });
    if (avoided === undefined) break;
    without.push(avoided.facts);
  }
  const known = backbone(verified, { within, without });
  const failed = faultsIn(inquiry, verified, (fact) => !known.has(factKey(fact)));
  const fault = failed.faults.find(({ facts }) => isSame(facts, own));
  return fault === undefined ? failure : failureBy(failed, fault);
}

/** Does an execution satisfy some axioms of a model? */
function satisfies(model: Model, { execution }: Verified, some: readonly Axiom[]): boolean {
  const { axioms } = evaluate(model, execution);
  return axioms.every(({ axiom, holds }) => holds || !some.includes(axiom));
}

const isSame = (facts: CandidateCase, keys: ReadonlySet<string>): boolean =>
  facts.length === keys.size && facts.every((fact) => keys.has(factKey(fact)));
