import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { structureFor } from '../../src/check/structure.js';
import type { Model } from '../../src/model/term.js';
import { openIn } from '../../src/program/events/open.js';
import type { EventStructure } from '../../src/program/events/structure.js';
import type { Test } from '../../src/program/program.js';
import { stateQuery } from '../../src/program/program.js';
import type { Claim } from '../../src/proof/contradiction.js';
import { makeProof } from '../../src/proof/make.js';
import type { Proof } from '../../src/proof/proof.js';
import { leavesOf } from '../../src/proof/text.js';
import { proofVerifier } from '../../src/proof/verify.js';
import { inInstructionsOf } from '../engines/programs.js';
import { models } from '../support/cats.js';
import { cat, litmus, modelOf } from '../support/checker.js';
import { askAtRandom, verdictOf } from '../support/questions.js';
import { few } from '../support/random.js';
import { ROOT } from '../support/run.js';

/** Proofs are held against the verdicts of the encoding and Z3, with which they share no code; and wrong proofs against nothing. */

const corpus = (name: string): Test =>
  litmus(readFileSync(join(ROOT, `corpus/${name}.litmus`), 'utf8'));

function claimOf(test: Test, model: Model, query = 0): Claim {
  const structure = structureFor(test.program, model) as EventStructure;
  const { condition, quantifier } = stateQuery(test, query);
  return { open: openIn(structure), model, condition, asked: quantifier !== 'forall' };
}

function proofOf(claim: Claim): Proof {
  const made = makeProof(claim);
  if ('reason' in made) throw new Error(made.reason);
  return made.proof;
}

describe('published programs', () => {
  test.each([
    ['tso/MP1', 'rdma-tso', 3],
    ['tso/MP4bis', 'rdma-tso', 3],
    ['tso/2+2W1', 'rdma-tso', 24],
    ['tso/SB1', 'rdma-sc', 24],
  ])('%s under %s has a proof of at most %i leaves', (name, model, most) => {
    const claim = claimOf(corpus(name), modelOf(model));
    const decided = verdictOf(corpus(name), modelOf(model));
    if (decided === 'allowed') {
      expect(makeProof(claim)).toHaveProperty('reason');
      return;
    }
    const proof = proofOf(claim);
    expect(leavesOf(proof)).toBeLessThanOrEqual(most);
    expect(proofVerifier(claim)(proof)).toBeUndefined();
  });
});

test('of random programs, those outcomes that Z3 forbids have a proof that holds, and no others', () => {
  let forbidden = 0;
  askAtRandom(300, (subject, model) => {
    const verdict = verdictOf(subject, model);
    const claim = claimOf(subject, model);
    const made = makeProof(claim, 2000);
    if (verdict === 'allowed') expect(made).toHaveProperty('reason');
    if (verdict !== 'forbidden') return;
    expect('proof' in made ? proofVerifier(claim)(made.proof) : made.reason).toBeUndefined();
    forbidden += 1;
  });
  expect(forbidden).toBeGreaterThan(few(30));
});

describe("under models with instructions and guesses of one's own", () => {
  const HB = 'po | rf | mo | (rf^-1 ; mo) \\ id';
  const signals = cat(`include "instructions.cat"
event S by cpu
event V by cpu
operation signal() : S
operation await() : V
guess ev : one S to each V in ext
acyclic ${HB} | ev as ordered`);
  const bus = cat(`include "instructions.cat"
guess bus : total (lW \\ IW) * (lW \\ IW)
acyclic ${HB} | bus as ordered`);
  const some = cat(`include "instructions.cat"
guess seen : either lW * lR
acyclic ${HB} as ordered
empty (rf & ((lW \\ IW) * lR)) \\ seen as told`);

  test.each([
    [
      'one source of two',
      signals,
      `thread T on 1 { x := 1; signal } thread U on 1 { y := 1; signal }
       thread V on 1 { await; a := x; b := y } exists (a = 0 /\\ b = 0)`,
    ],
    [
      'a total order of writes',
      bus,
      `thread T on 1 { x := 1 } thread U on 1 { y := 1 } thread V on 1 { a := x; b := y }
       thread W on 1 { c := y; d := x } exists (a = 1 /\\ b = 0 /\\ c = 1 /\\ d = 0)`,
    ],
    [
      'a relation that is guessed',
      some,
      'thread T on 1 { x := 1 } thread U on 1 { a := x; b := x } exists (a = 1 /\\ b = 0)',
    ],
  ])('%s', (_, model, body) => {
    const subject = inInstructionsOf(model)(`RDMA t node 1 { x = 0; y = 0 } ${body}`);
    expect(verdictOf(subject, model)).toBe('forbidden');
    const claim = claimOf(subject, model);
    expect(proofVerifier(claim)(proofOf(claim))).toBeUndefined();
  });
});

test('under random models, too, there are proofs of what Z3 forbids alone', () => {
  let forbidden = 0;
  askAtRandom(
    600,
    (subject, model) => {
      const verdict = verdictOf(subject, model);
      const claim = claimOf(subject, model);
      const made = makeProof(claim, 500);
      if (verdict === 'allowed') expect(made).toHaveProperty('reason');
      if (verdict !== 'forbidden' || !('proof' in made)) return;
      expect(proofVerifier(claim)(made.proof)).toBeUndefined();
      forbidden += 1;
    },
    models.map(cat),
  );
  expect(forbidden).toBeGreaterThan(few(30));
});

describe('a wrong proof', () => {
  const claim = claimOf(corpus('tso/MP1'), modelOf('rdma-tso'));
  const proof = proofOf(claim);

  test('says nothing of a condition that can hold', () => {
    const allowed = claimOf(corpus('tso/MP3bis'), modelOf('rdma-tso'));
    expect(proofVerifier(allowed)(proof)).toBeDefined();
    expect(proofVerifier({ ...claim, asked: false })(proof)).toMatch(/does not contradict 'asked'/);
  });

  test('says nothing under a model that allows it', () => {
    expect(
      proofVerifier(claimOf(corpus('tso/MP1'), modelOf('rdma-tso-4.4')))(proof),
    ).toBeUndefined();
    const nothing = { ...modelOf('rdma-tso'), axioms: [] };
    expect(proofVerifier({ ...claim, model: nothing })(proof)).toMatch(
      /does not contradict 'axiom ob/,
    );
  });

  test('with a case left out, a question that must not be asked, or another reason is noticed', () => {
    for (const wrong of without(proof)) expect(proofVerifier(claim)(wrong)).toMatch(/is left out$/);
    const leaf = { kind: 'leaf', reason: { kind: 'asked', at: [] } } as const;
    expect(proofVerifier(claim)(leaf)).toBe("the whole does not contradict 'asked'");
    for (const about of [[0], [4], [99], [7, 8], []]) {
      const asks: Proof = { kind: 'split', question: { name: 'rf', about }, parts: [] };
      expect(proofVerifier(claim)(asks)).toMatch(/is not to be asked in the whole$|is left out$/);
    }
    for (const kind of ['guard', 'assume', 'bound', 'division', 'partner', 'order'] as const) {
      for (const at of [[], [0], [7]]) {
        expect(
          proofVerifier(claim)({ kind: 'leaf', reason: { kind, name: 'rf', at } }),
        ).toBeDefined();
      }
    }
  });

  test('with another cycle is noticed, unless that is one, too', () => {
    const cycles = [[], [4], [4, 6], [8, 7, 6, 4], [4, 6, 7, 9], [4, 6, 7, 8, 0]];
    for (const at of cycles) {
      expect(proofVerifier(claim)(withCycle(proof, at)), at.join(' ')).toMatch(
        /does not contradict/,
      );
    }
    expect(proofVerifier(claim)(withCycle(proof, [6, 7, 8, 4]))).toBeUndefined();
  });
});

/** The proof without one of its cases, in each way. */
function* without(proof: Proof): Generator<Proof> {
  if (proof.kind === 'leaf') return;
  for (const [i, part] of proof.parts.entries()) {
    yield { ...proof, parts: proof.parts.filter((_, k) => k !== i) };
    for (const less of without(part.proof)) {
      yield { ...proof, parts: proof.parts.with(i, { ...part, proof: less }) };
    }
  }
}

/** The proof with other events where an axiom is contradicted. */
function withCycle(proof: Proof, at: readonly number[]): Proof {
  if (proof.kind === 'leaf') {
    const { reason } = proof;
    return reason.kind === 'axiom' ? { kind: 'leaf', reason: { ...reason, at } } : proof;
  }
  const parts = proof.parts.map((part) => ({ ...part, proof: withCycle(part.proof, at) }));
  return { ...proof, parts };
}

test('the checker is of at most 420 lines without comments', () => {
  const files = ['proof', 'case', 'contradiction', 'verify'];
  const lines = files.flatMap((file) =>
    readFileSync(join(ROOT, `src/proof/${file}.ts`), 'utf8').split('\n'),
  );
  const code = lines.filter((line) => !/^\s*(\/\/|\/?\*|$)/.test(line));
  expect(code.length).toBeLessThanOrEqual(420);
});
