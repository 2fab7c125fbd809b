import type { Axiom, Model } from '../model/term.js';
import * as m from '../model/relation/matrix.js';
import type { BitRel } from '../model/relation/matrix.js';
import type { Case } from './case.js';
import type { Claim, CaseBounds } from './contradiction.js';
import { contradicts, cyclicPart } from './contradiction.js';
import type { Reason } from './proof.js';

/** Finds a contradiction in a case, if there is one: first those that are simple to follow. */
export function contradictionIn(
  claim: Claim,
  one: Case,
  relations: CaseBounds,
): Reason | undefined {
  const simple = simpleIn(claim, one, relations);
  if (simple !== undefined) return simple;
  for (const axiom of claim.model.axioms) {
    const at = axiom.flag ? undefined : breach(claim.model, axiom, relations);
    if (at === undefined) continue;
    const reason: Reason = { kind: 'axiom', name: axiom.name, at };
    if (contradicts(claim, one, reason, relations)) return reason;
  }
  return undefined;
}

/** Whether there is a contradiction in a case: the same, but no cycle has to be found. */
export function isContradictory(claim: Claim, one: Case, relations: CaseBounds): boolean {
  if (simpleIn(claim, one, relations) !== undefined) return true;
  return claim.model.axioms.some((axiom) => {
    if (axiom.flag) return false;
    const cycle = axiom.negated ? undefined : cyclicPart(claim.model, axiom);
    if (cycle !== undefined) return !m.isAcyclic(relations.rel(cycle).low());
    const at = breach(claim.model, axiom, relations);
    const reason: Reason = { kind: 'axiom', name: axiom.name, at: at ?? [] };
    return at !== undefined && contradicts(claim, one, reason, relations);
  });
}

/** A contradiction that no axiom is needed for. */
function simpleIn(claim: Claim, one: Case, relations: CaseBounds): Reason | undefined {
  if (one.conflict !== undefined) return one.conflict;
  const { divisions, cuts } = claim.open.structure;
  const simple: Reason[] = [
    { kind: 'asked', at: [] },
    ...divisions.map((_, i): Reason => ({ kind: 'division', at: [i] })),
    ...cuts.map((_, i): Reason => ({ kind: 'bound', at: [i] })),
  ];
  return simple.find((reason) => contradicts(claim, one, reason, relations));
}

/** The events that may show that an axiom is broken. */
function breach(model: Model, axiom: Axiom, relations: CaseBounds): readonly number[] | undefined {
  const { term, test, negated } = axiom;
  if (negated) return [];
  if (model.terms[term].kind === 'set') {
    const [first] = m.elements(relations.set(term).low());
    return first === undefined ? undefined : [first];
  }
  const cycle = cyclicPart(model, axiom);
  const low = relations.rel(cycle ?? term).low();
  if (cycle !== undefined) return shortestCycleOf(low);
  if (test === 'empty') return m.isEmpty(low) ? undefined : m.pairs(low).next().value;
  const event = Array.from({ length: low.size }).findIndex((_, e) => m.related(low, e, e));
  return event < 0 ? undefined : [event];
}

/** The first of the shortest cycles of a relation. */
export function shortestCycleOf(rel: BitRel): readonly number[] | undefined {
  if (m.isAcyclic(rel)) return undefined;
  let best: readonly number[] | undefined;
  for (let start = 0; start < rel.size; start++) {
    const found = cycleThrough(rel, start, best?.length ?? Infinity);
    if (found !== undefined) best = found;
  }
  return best;
}

/** A shortest cycle through an event, with fewer events than `most`. */
function cycleThrough(rel: BitRel, start: number, most: number): readonly number[] | undefined {
  const before = new Map<number, number>();
  let front = [start];
  for (let length = 1; front.length > 0 && length < most; length++) {
    const next: number[] = [];
    for (const a of front) {
      for (const b of m.successors(rel, a)) {
        if (b === start) {
          const path = [a];
          while (path[0] !== start) path.unshift(before.get(path[0])!);
          return path;
        }
        if (before.has(b)) continue;
        before.set(b, a);
        next.push(b);
      }
    }
    front = next;
  }
  return undefined;
}
