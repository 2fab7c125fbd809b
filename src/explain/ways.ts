import type { EventId, EventStructure } from '../events/structure.js';
import type { Axiom, Model } from '../model/term.js';
import type { Test } from '../program/program.js';
import { observedSubjects } from '../program/subjects.js';
import { finalState } from '../program/final.js';
import type { Judgement } from '../relation/concrete.js';
import { evaluate } from '../relation/concrete.js';
import type { Verified } from '../witness/verify.js';
import type { Candidates } from './candidates.js';
import type { Shape, Step, Violation, Way, Ways } from './explanation.js';
import type { Fact } from './facts.js';
import { factsOf, factsOfAbsence, factsOfWitness } from './facts.js';
import type { Showing } from './graph.js';
import { graphOf } from './graph.js';
import type { Broken } from './violation.js';
import { edgesOf, violationsOf } from './violation.js';

/** How many ways are looked for. */
export const WAY_LIMIT = 200;

/** A candidate that fails, and how. */
export interface Failure {
  readonly verified: Verified;
  readonly judgement: Judgement;
  /** The plainest of its violations, by which it and all others like it are excluded. */
  readonly chosen: Broken;
  readonly broken: readonly Broken[];
  /** Candidates in which these are true fail in the same way. */
  readonly facts: readonly Fact[];
}

/** All failures that are told apart, and the reason why there may be more. */
export interface Failures {
  readonly failures: readonly Failure[];
  readonly incomplete?: string;
}

/**
 * The ways in which candidates fail. One candidate is taken after the other, its shortest violation is
 * found, and all candidates are excluded in which what the violation rests on is the same, until
 * none is left: then every candidate fails in one of the ways found.
 *
 * @param closest sets of axioms that candidates can satisfy: those that do are taken first
 * @throws Error if a candidate breaks no axiom: then it should not have been refuted
 */
export function failuresOf(
  model: Model,
  candidates: Candidates,
  closest: readonly (readonly Axiom[])[],
  deadline: number,
): Failures {
  const bounds = candidates.bounds();
  if ('reason' in bounds) return { failures: [], incomplete: bounds.reason };
  const failures: Failure[] = [];
  for (const axioms of [...closest.filter((set) => set.length > 0), []]) {
    for (;;) {
      if (performance.now() > deadline) return { failures, incomplete: 'time limit reached' };
      const found = candidates.find(axioms);
      if (found.kind === 'unknown') return { failures, incomplete: found.reason };
      if (found.kind === 'none') break;
      if (failures.length === WAY_LIMIT) {
        return { failures, incomplete: `there are more than ${WAY_LIMIT}` };
      }
      const { verified } = found;
      const judgement = evaluate(model, verified.execution);
      const broken = violationsOf(model, verified, judgement);
      if (broken.length === 0) throw new Error(`${model.name} admits what it was said to forbid`);
      const chosen = broken.reduce((a, b) => (b.cost < a.cost ? b : a));
      const shared = chosen.axiom.negated
        ? factsOfAbsence(model, bounds.terms, chosen.axiom)
        : factsOf(model, bounds.terms, verified.events, chosen.derivations);
      const facts = shared ?? factsOfWitness(verified.witness);
      candidates.exclude(facts);
      failures.push({ verified, judgement, chosen, broken, facts });
    }
  }
  return { failures };
}

/** Failures as they are told: one of each shape. */
export function waysOf(
  test: Test,
  structure: EventStructure,
  { failures, incomplete }: Failures,
  showing: Showing,
): Ways {
  return {
    count: failures.length,
    ...(incomplete !== undefined && { incomplete }),
    shapes: shapesOf(structure, failures).map(([failure, ways]): Shape => ({
      ways,
      way: wayOf(test, structure, showing, failure),
    })),
  };
}

/** One failure of each shape, and how many there are; the ones that come closest first. */
function shapesOf(
  structure: EventStructure,
  failures: readonly Failure[],
): readonly (readonly [Failure, number])[] {
  const shapes = new Map<string, Failure[]>();
  for (const failure of failures) {
    const key = shapeOf(structure, failure.chosen.violation);
    const same = shapes.get(key);
    if (same === undefined) shapes.set(key, [failure]);
    else same.push(failure);
  }
  return [...shapes.values()]
    .map((same) => [[...same].sort(byCloseness)[0], same.length] as const)
    .sort(([a], [b]) => byCloseness(a, b));
}

/** Those that break fewer axioms first, then those with the shorter cycle. */
const byCloseness = (a: Failure, b: Failure): number =>
  a.broken.length - b.broken.length || a.chosen.cost - b.chosen.cost;

/** What two violations have in common that look alike: labels and relations, wherever they begin. */
function shapeOf({ events }: EventStructure, violation: Violation): string {
  const { axiom, kind, steps, event } = violation;
  const label = (id: EventId): string => events[id].label;
  const text = (step: Step): string => {
    const layers = step.because.map((layer) => layer.text).join(':');
    const inner = [...step.via, ...step.also].map(text).join(' ');
    return `${label(step.from)} ${layers} {${inner}} ${label(step.to)}`;
  };
  const all = steps.map(text);
  const turned =
    kind === 'cycle' ? all.map((_, i) => [...all.slice(i), ...all.slice(0, i)]) : [all];
  const least = turned.map((turn) => turn.join(', ')).sort()[0] ?? '';
  return `${axiom} ${kind} ${event === undefined ? '' : label(event)} ${least}`;
}

function wayOf(
  test: Test,
  structure: EventStructure,
  showing: Showing,
  { verified, judgement, chosen, broken }: Failure,
): Way {
  const subjects = observedSubjects(test);
  const { violation } = chosen;
  return {
    state: finalState(test.program, subjects, verified.run.final),
    graph: graphOf(
      structure,
      { ...verified, judgement },
      showing,
      edgesOf(violation.steps, showing),
    ),
    violation,
    others: broken.filter((b) => b !== chosen).map((b) => b.violation),
  };
}
