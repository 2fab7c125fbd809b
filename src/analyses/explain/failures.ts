import type { Model } from '../../model/term.js';
import { groupBy } from '../../model/relation/groups.js';
import type { Judgement } from '../../model/relation/concrete.js';
import { evaluate } from '../../model/relation/concrete.js';
import type { Verified } from '../../check/witness/verify.js';
import { askedEvents, askedIn } from './asked.js';
import type { Candidates, CandidateCase, CommonToAll } from './candidates.js';
import type { Openness } from './cost.js';
import type { Fact } from './facts.js';
import { factsOf, factsOfAbsence, factsOfWitness, isChosen, keyOf } from './facts.js';
import type { SettledFacts } from './settled.js';
import { shapeOf } from './shape.js';
import type { Broken } from './violation.js';
import { allViolationsOf } from './violation.js';

/** How many ways are looked for. */
export const WAY_LIMIT = 200;

/** A way in which candidates fail, and one of them. */
export interface Failure extends Fault {
  readonly verified: Verified;
  readonly judgement: Judgement;
  /** How the candidate breaks other axioms: for each of them the plainest violation. */
  readonly others: readonly Broken[];
}

/** A violation, and the candidates that break an axiom by it. */
export interface Fault {
  readonly chosen: Broken;
  /** Candidates in which these facts are true fail in the same way. */
  readonly facts: CandidateCase;
  /** What is the same for violations that look alike. */
  readonly shape: string;
  /** The names asked about whose values it is about. */
  readonly asked: readonly string[];
  /** Those of them of which it has the last write, or a read that gives the value, itself. */
  readonly direct: readonly string[];
}

/** Failures of one shape; the one that is told comes first. */
export type Alike = readonly Failure[];

export interface Failures {
  /** Every candidate fails in one of these ways. What is about the outcome comes first. */
  readonly shapes: readonly Alike[];
  /** Why there may be more. */
  readonly incomplete?: string;
}

/** What ways are looked for in. */
export interface Inquiry {
  readonly model: Model;
  readonly candidates: Candidates;
  readonly common: CommonToAll;
  readonly settled: SettledFacts;
  readonly deadline: number;
}

const LATE = 'time limit reached';

/**
 * Ways in which candidates fail: one candidate is taken after the other, and excluded with all that
 * fail in the same way, until none is left.
 *
 * @param begun ways that are known already
 * @param shapes the only shapes that are wanted
 * @returns the ways, and why they are not all, if they are not
 * @throws Error if a candidate breaks no axiom: then it should not have been refuted
 */
export function exhaust(
  inquiry: Inquiry,
  begun: readonly Failure[] = [],
  shapes?: ReadonlySet<string>,
): { readonly failures: readonly Failure[]; readonly incomplete?: string } {
  const { candidates, settled, deadline } = inquiry;
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
    const known = settled(next.verified, { without });
    const failed = faultsIn(inquiry, next.verified, (fact) => !known.has(keyOf(fact)));
    const fault = failed.faults.find(({ shape }) => shapes?.has(shape) ?? true);
    if (fault === undefined) return { failures, incomplete: 'there are other shapes' };
    failures.push(failureBy(failed, fault));
  }
}

export const casesOf = (failures: readonly Failure[]): readonly CandidateCase[] =>
  failures.map(({ facts }) => facts);

/** A candidate, and what is wrong with it. */
export interface Failed {
  readonly verified: Verified;
  readonly judgement: Judgement;
  /** The plainest violation of each axiom that it breaks. */
  readonly broken: readonly Broken[];
  /** The best to tell first; none rests on all that another one rests on, and on more. */
  readonly faults: readonly Fault[];
}

/** A failure by one of the faults. */
export const failureBy = ({ verified, judgement, broken }: Failed, fault: Fault): Failure => ({
  ...fault,
  verified,
  judgement,
  others: broken.filter(({ axiom }) => axiom !== fault.chosen.axiom),
});

/**
 * What is wrong with a candidate. Violations are looked for that rest on as few open facts as can be:
 * where these are the facts that other candidates choose otherwise, they are good for many of them.
 */
export function faultsIn(
  { model, common }: Inquiry,
  verified: Verified,
  isOpen: (fact: Fact) => boolean,
): Failed {
  const { structure, bounds, query } = common;
  const [near, far] = [false, true].map((all) => askedEvents(structure, query, verified, all));
  const judgement = evaluate(model, verified.execution);
  const found = allViolationsOf(model, verified, judgement, openIn(verified, isOpen));
  if (found.length === 0) throw new Error(`${model.name} admits what it was said to forbid`);
  const faults = found.flat().map((chosen): Fault => {
    const { axiom, derivations, violation } = chosen;
    const shared = axiom.negated
      ? factsOfAbsence(model, bounds.terms, axiom)
      : factsOf(model, bounds.terms, verified.events, derivations);
    const facts = shared ?? factsOfWitness(verified.witness);
    return {
      chosen,
      facts,
      shape: shapeOf(structure, violation),
      asked: shared === undefined ? [] : askedIn(structure, far, shared),
      direct: shared === undefined ? [] : askedIn(structure, near, shared),
    };
  });
  return {
    verified,
    judgement,
    broken: found.map(([first]) => first),
    faults: withoutMore(faults.sort(byUse)),
  };
}

/** The faults, of those that rest on the same the first, without those that rest on more than another. */
function withoutMore(faults: readonly Fault[]): readonly Fault[] {
  const keys = faults.map(({ facts }) => new Set(facts.map(keyOf)));
  return faults.filter((_, i) =>
    keys.every((less, j) => {
      const worse = less.size < keys[i].size || (less.size === keys[i].size && j < i);
      return !worse || [...less].some((key) => !keys[i].has(key));
    }),
  );
}

/** How much of what a base edge rests on is open: the edge itself, and that its ends are executed. */
function openIn({ events }: Verified, isOpen: (fact: Fact) => boolean): Openness {
  const executed = events.map(({ id }) => isOpen({ kind: 'executed', event: id }));
  return (relation, i, j) => {
    const [from, to] = [events[i].id, events[j].id];
    const open = isChosen(relation) && isOpen({ kind: 'pair', relation, from, to, holds: true });
    return Number(open) + Number(executed[i]) + Number(executed[j]);
  };
}

/** What is about more of the outcome first, then what is good for more candidates, and plainer. */
export const byUse = (a: Fault, b: Fault): number =>
  b.asked.length - a.asked.length ||
  b.direct.length - a.direct.length ||
  a.chosen.cost - b.chosen.cost;

/** Failures by their shapes. */
export const byShape = (failures: readonly Failure[]): readonly Alike[] => [
  ...groupBy(failures, ({ shape }) => shape).values(),
];
