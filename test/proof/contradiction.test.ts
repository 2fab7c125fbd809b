import { expect, test } from 'vitest';
import { structureFor } from '../../src/check/structure.js';
import type { Model } from '../../src/model/term.js';
import { openIn } from '../../src/program/events/open.js';
import type { EventStructure } from '../../src/program/events/structure.js';
import { stateQuery } from '../../src/program/program.js';
import { caseOf } from '../../src/proof/case.js';
import type { Claim } from '../../src/proof/contradiction.js';
import type { NearbyBounds } from '../../src/proof/nearby.js';
import { nearbyRelationsOf } from '../../src/proof/nearby.js';
import { makeProof } from '../../src/proof/make.js';
import type { Decision, Proof } from '../../src/proof/proof.js';
import { models } from '../support/cats.js';
import { cat } from '../support/checker.js';
import { askAtRandom } from '../support/questions.js';
import { few } from '../support/random.js';

/** The bounds of all that a model is made of. */
function boundsOf({ terms }: Model, bounds: NearbyBounds) {
  return terms.map(({ kind }, id) => {
    const { low, high } = kind === 'set' ? bounds.set(id) : bounds.rel(id);
    return [low().words, high().words];
  });
}

/** Calls back for each case of a proof, with the answers that lead to it and what the callback returned for the case around it. */
function walk<T>(
  proof: Proof,
  visit: (decisions: readonly Decision[], around?: T) => T,
  decisions: readonly Decision[] = [],
  around?: T,
): void {
  const here = visit(decisions, around);
  if (proof.kind === 'leaf') return;
  for (const { answer, proof: part } of proof.parts) {
    walk(part, visit, [...decisions, { ...proof.question, answer }], here);
  }
}

test('sets and relations of a case are the same with those of other cases to take from', () => {
  let [cases, last]: [number, NearbyBounds | undefined] = [0, undefined];
  const compare = (subject: Parameters<Parameters<typeof askAtRandom>[1]>[0], model: Model) => {
    const structure = structureFor(subject.program, model) as EventStructure;
    const { condition } = stateQuery(subject, 0);
    const claim: Claim = { open: openIn(structure), model, condition, asked: true };
    const made = makeProof(claim, 100);
    if (!('proof' in made)) return;
    const relations = nearbyRelationsOf(claim);
    last = undefined;
    walk<NearbyBounds>(made.proof, (decisions, around) => {
      const one = caseOf(claim.open, decisions);
      const [alone, inside, beside] = [undefined, around, last].map((near) => relations(one, near));
      const expected = boundsOf(model, alone);
      expect(boundsOf(model, inside)).toEqual(expected);
      expect(boundsOf(model, beside)).toEqual(expected);
      last = inside;
      cases += 1;
      return inside;
    });
  };
  askAtRandom(600, compare);
  askAtRandom(600, compare, models.map(cat));
  expect(cases).toBeGreaterThan(few(100));
});
