import type { TermNames } from '../../model/print.js';
import { termNames } from '../../model/print.js';
import { OPERATORS } from '../../model/operators/facts.js';
import type { Model } from '../../model/term.js';
import { hasOperands } from '../../model/term.js';
import type { Case } from '../../proof/case.js';
import { caseOf } from '../../proof/case.js';
import type { CaseBounds, Claim } from '../../proof/contradiction.js';
import { contradicts } from '../../proof/contradiction.js';
import type { NearbyBounds } from '../../proof/nearby.js';
import { nearbyRelationsOf } from '../../proof/nearby.js';
import type { ProofArrow, Decision, ArrowPath, Proof, Reason } from '../../proof/proof.js';
import { BACK, reasonText } from '../../proof/proof.js';
import type { Derivation } from '../explain/derivation.js';
import { derivationsIn } from './reasons.js';

/** A proof whose leaves say by which relations the events of a cycle, or of a pair, follow each other. */
export function withSteps(claim: Claim, proof: Proof): Proof {
  const { model, open } = claim;
  const relations = nearbyRelationsOf(claim);
  const names = termNames(model);
  const found = new Map<string, readonly Steps[]>();
  return told(proof, []);

  function told(part: Proof, decisions: readonly Decision[], around?: NearbyBounds): Proof {
    const one = caseOf(open, decisions);
    const known = relations(one, around);
    if (part.kind === 'leaf') return { ...part, reason: inSteps(part.reason, one, known) };
    const { question, parts } = part;
    return {
      ...part,
      parts: parts.map(({ answer, proof: inner }) => ({
        answer,
        proof: told(inner, [...decisions, { ...question, answer }], known),
      })),
    };
  }

  function inSteps(reason: Reason, one: Case, known: CaseBounds): Reason {
    const isSure = (steps: Steps): boolean => contradicts(claim, one, { ...reason, steps }, known);
    // The same contradiction occurs in many cases, mostly with the same steps. Finding steps is slow, so known ones are tried first.
    const before = found.get(reasonText(reason)) ?? [];
    const again = before.find(isSure);
    if (again !== undefined) return { ...reason, steps: again };
    const derivations = derivationsIn(claim, reason, one, known);
    const steps = derivations?.map((d, i) =>
      // In a `let rec` with a difference, a derivation may use pairs that are not sure. Such a path proves nothing.
      pathsOf(model, names, d).filter((path) =>
        isSure(derivations.map((_, k) => (k === i ? [path] : []))),
      ),
    );
    // Where sets alone relate two events, there is nothing to follow.
    if (steps === undefined || steps.some((paths) => paths.length === 0)) return reason;
    found.set(reasonText(reason), [...before, steps]);
    return { ...reason, steps };
  }
}

type Steps = NonNullable<Reason['steps']>;

/** From an event to the next one: by a relation that the model defines, and by base relations. */
function pathsOf(model: Model, names: TermNames, d: Derivation): readonly ArrowPath[] {
  const name = definedName(model, names, d);
  const defined: readonly ArrowPath[] =
    name === undefined ? [] : [[{ from: d.from, name, to: d.to }]];
  const path = basePath(model, d);
  return path.length > 0 && named(path) === path.length ? [...defined, path] : defined;
}

/** The innermost name below the relation of the axiom that stands for the whole step. */
function definedName(model: Model, names: TermNames, d: Derivation): string | undefined {
  const inner = d.parts.filter((part) => part.from === d.from && part.to === d.to);
  for (const part of inner) {
    const { op } = model.terms[part.term];
    const isDefined = model.definitions.some(({ term }) => term === part.term);
    const name = isDefined && op !== 'base' ? names.name(part.term) : undefined;
    const found = definedName(model, names, part) ?? name;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A derivation as a path of base relations; without names where sets alone relate two events. */
function basePath({ terms, ...model }: Model, d: Derivation): ArrowPath {
  const { from, to, parts } = d;
  const term = terms[d.term];
  const path = (part: Derivation): ArrowPath => basePath({ terms, ...model }, part);
  if (term.op === 'base') {
    return from === to && term.name === 'id' ? [] : [{ from, name: term.name, to }];
  }
  if (term.op === 'fix' || term.op === 'rec') return path(parts[0]);
  if (term.op === 'identity' || !hasOperands(term)) return [];
  switch (OPERATORS[term.op].reason) {
    case 'path':
      return parts.flatMap(path);
    case 'choice':
    case 'first':
      return path(parts[0]);
    case 'all':
      return parts.map(path).reduce((best, one) => (named(one) > named(best) ? one : best));
    case 'turned':
      return path(parts[0]).map(turned).reverse();
    case 'events':
    case 'none':
      return [{ from, name: '', to }];
  }
}

const named = (path: ArrowPath): number => path.filter(({ name }) => name !== '').length;

const turned = ({ from, name, to }: ProofArrow): ProofArrow => ({
  from: to,
  name: name === '' ? '' : name.endsWith(BACK) ? name.slice(0, -BACK.length) : name + BACK,
  to: from,
});
