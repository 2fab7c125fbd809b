import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FAMILIES } from '../../bench/families.js';
import type { RefutedClauses } from '../../src/analyses/prove/clauses.js';
import { refute } from '../../src/analyses/prove/clauses.js';
import type { ClausesAndGraphs } from '../../src/check/clauses.js';
import { clausesOf } from '../../src/check/clauses.js';
import { structureFor } from '../../src/check/structure.js';
import { wrongWithClauses } from '../../src/check/verify-clauses.js';
import type { Model } from '../../src/model/term.js';
import { modelOver } from '../../src/program/events/narrow.js';
import type { EventStructure } from '../../src/program/events/structure.js';
import type { Test } from '../../src/program/program.js';
import { isStateQuery, stateQuery } from '../../src/program/program.js';
import { parseClauses, parseSteps, printClauses, printSteps } from '../../src/proof/dimacs.js';
import type { RefutationStep } from '../../src/proof/refutation.js';
import { refutation } from '../../src/proof/refutation.js';
import { adapt } from '../../src/rdma/translate.js';
import { ClauseSearch } from '../../src/solve/search/search.js';
import { literalAt } from '../../src/solve/search/theory.js';
import { CADICAL, SATISFIABLE, SKIP_CADICAL, UNSATISFIABLE, cadical } from '../support/cadical.js';
import { litmus, modelOf } from '../support/checker.js';
import { valueOf } from '../support/litmus.js';
import { askAtRandom, verdictOf } from '../support/questions.js';
import { ROOT } from '../support/run.js';
import { QUICK, cases, few } from '../support/random.js';

/** Proofs in clauses: held against the verdicts of Z3, against CaDiCaL, and wrong ones against nothing. */

type Clauses = readonly (readonly number[])[];

const HEAD = {
  heading: {
    test: 'MP 1',
    program: 'sha256:p',
    model: 'a model',
    modelDigest: 'sha256:m',
    query: 1,
    asked: 'exists (a = 1)',
    bound: 3,
  },
  listing: ['events', '  0 - lW x@2'],
  remora: '1.2.3',
};

/** All that a text in DIMACS has, as two texts; read again, they must be the same. */
function texts(
  encoded: ClausesAndGraphs,
  { cycles, steps }: RefutedClauses,
): readonly [string, string] {
  const { clauses, variables } = encoded;
  const file = { ...HEAD, clauses, variables, cycles };
  const [dimacs, drat] = [printClauses(file), printSteps(steps)];
  expect(valueOf(parseClauses({ path: 'x.cnf', text: dimacs }))).toEqual(file);
  expect(valueOf(parseSteps({ path: 'x.drat', text: drat }))).toEqual(steps);
  return [dimacs, drat];
}

function encodedOf(test: Test, model: Model, query = 0): ClausesAndGraphs {
  const structure = structureFor(test.program, model) as EventStructure;
  const { condition, quantifier } = stateQuery(test, query);
  const asked = quantifier !== 'forall';
  const encoded = clausesOf(structure, modelOver(structure, model), condition, asked);
  if ('reason' in encoded) throw new Error(encoded.reason);
  return encoded;
}

/** Checks that there is a proof in clauses where the answer is no, and none where it is yes; is it no? */
function holdsTogether(test: Test, model: Model, query = 0): boolean {
  const verdict = verdictOf(test, model, query);
  const encoded = encodedOf(test, model, query);
  const refuted = refute(encoded);
  if (verdict === 'allowed' || verdict === 'fails') expect(refuted).toHaveProperty('reason');
  if (verdict !== 'forbidden' && verdict !== 'holds') return false;
  if ('reason' in refuted) throw new Error(refuted.reason);
  const { cycles, steps } = refuted;
  expect(wrongWithClauses(encoded, { ...encoded, cycles }, steps)).toBeUndefined();
  const [dimacs] = texts(encoded, refuted);
  if (!SKIP_CADICAL) {
    const other = cadical(dimacs);
    expect(other.code).toBe(UNSATISFIABLE);
    expect(wrongWithClauses(encoded, { ...encoded, cycles }, other.steps)).toBeUndefined();
  }
  return true;
}

describe('of published programs, all that is forbidden has a proof that holds, and nothing else', () => {
  const folder = join(ROOT, 'corpus/tso');
  const files = readdirSync(folder).filter((file) => file.endsWith('.litmus'));
  test.each(files)('%s', (file) => {
    const plain = litmus(readFileSync(join(folder, file), 'utf8'));
    for (const model of ['rdma-tso', 'rdma-sc', 'sc'].map(modelOf)) {
      const adapted = adapt(plain.program, model);
      if (!adapted.ok) continue;
      const adaptedTest = { ...plain, program: adapted.value.program };
      plain.queries.forEach((query, i) => {
        if (isStateQuery(query)) holdsTogether(adaptedTest, model, i);
      });
    }
  });
});

test('of random programs, those outcomes that Z3 forbids have a proof that holds, and no others', () => {
  let forbidden = 0;
  askAtRandom(150, (subject, model) => {
    if (holdsTogether(subject, model)) forbidden += 1;
  });
  expect(forbidden).toBeGreaterThan(few(15));
});

/** Pigeons, each in one of fewer holes: hard enough for a search to learn, to start anew and to forget. */
function pigeons(n: number): Clauses {
  const at = (pigeon: number, hole: number): number => pigeon * (n - 1) + hole + 1;
  const [all, holes] = [n, n - 1].map((k) => [...Array(k).keys()]);
  return [
    ...all.map((p) => holes.map((h) => at(p, h))),
    ...holes.flatMap((h) =>
      all.flatMap((p) => all.slice(p + 1).map((q) => [-at(p, h), -at(q, h)])),
    ),
  ];
}

/** All steps of the search, with what it forgets. */
function searched(clauses: Clauses): {
  readonly kind: string;
  readonly steps: readonly RefutationStep[];
} {
  const steps: RefutationStep[] = [];
  const search = new ClauseSearch(Infinity, undefined, {
    lemma: () => expect.unreachable('there is no theory'),
    learnt: (lits) => steps.push({ clause: lits.map(literalAt) }),
    forgotten: (lits) => steps.push({ deletes: true, clause: lits.map(literalAt) }),
  });
  for (const clause of clauses) search.addClause(clause);
  return { kind: search.check([]).kind, steps };
}

describe('the checker of steps', () => {
  test('accepts those of the search on a hard problem, deletions among them', () => {
    const problem = pigeons(QUICK ? 7 : 8);
    const { kind, steps } = searched(problem);
    expect(kind).toBe('unsat');
    expect(steps.some(({ deletes }) => deletes)).toBe(true);
    expect(refutation(problem, steps)).not.toHaveProperty('wrong');
  });

  test('accepts what it says is needed, alone', () => {
    const clauses = [...pigeons(6), [100, 101], [-100, 102], [-102, -103]];
    const { steps } = searched(clauses);
    const needed = refutation(clauses, steps);
    if ('wrong' in needed) throw new Error(needed.wrong);
    expect(needed.clauses.size).toBeLessThan(clauses.length);
    const less = clauses.filter((_, i) => needed.clauses.has(i));
    const fewer = steps.filter(({ deletes }, i) => deletes !== true && needed.steps.has(i));
    expect(refutation(less, fewer)).not.toHaveProperty('wrong');
  });

  const problem = fc.array(
    fc.array(
      fc.integer({ min: 1, max: 12 }).chain((v) => fc.constantFrom(v, -v)),
      { minLength: 0, maxLength: 4 },
    ),
    { minLength: 0, maxLength: 90 },
  );

  test('random clauses have steps that it accepts, or a solution', () => {
    let without = 0;
    fc.assert(
      fc.property(problem, (clauses) => {
        const { kind, steps } = searched(clauses);
        const followed = refutation(clauses, steps);
        expect('wrong' in followed).toBe(kind === 'sat');
        if (kind !== 'sat') without += 1;
      }),
      { numRuns: cases(1000), seed: Number(process.env.REMORA_SEED ?? 7) },
    );
    expect(without).toBeGreaterThan(few(100));
  });

  test.skipIf(SKIP_CADICAL)(`accepts the steps of ${CADICAL}`, () => {
    const dimacs = (clauses: Clauses): string =>
      [`p cnf 200 ${clauses.length}`, ...clauses.map((c) => [...c, 0].join(' ')), ''].join('\n');
    const judged = (clauses: Clauses): void => {
      const { code, steps } = cadical(dimacs(clauses));
      expect([SATISFIABLE, UNSATISFIABLE]).toContain(code);
      expect('wrong' in refutation(clauses, steps)).toBe(code === SATISFIABLE);
    };
    judged(pigeons(8));
    fc.assert(
      fc.property(problem, (clauses) => judged(clauses)),
      { numRuns: cases(60), seed: Number(process.env.REMORA_SEED ?? 9) },
    );
  });

  test('says which step is none', () => {
    const clauses = [
      [1, 2],
      [-1, 2],
      [1, -2],
      [-1, -2],
    ];
    const said = (...steps: RefutationStep[]) => refutation(clauses, steps);
    expect(said({ clause: [2] })).not.toHaveProperty('wrong');
    expect(said()).toEqual({ wrong: 'the steps end without a contradiction' });
    const none = "the clause '' does not follow by unit propagation";
    expect(said({ clause: [] })).toEqual({ wrong: none, step: 0 });
    const gone = { deletes: true, clause: [2, -1] };
    expect(said(gone, { clause: [2] })).toEqual({
      wrong: "the clause '2' does not follow by unit propagation",
      step: 1,
    });
    expect(said(gone, gone)).toEqual({ wrong: "there is no clause '2 -1' to be deleted", step: 1 });
    // A clause about what no clause is about would do no harm, and is not needed.
    expect(said({ clause: [3] })).toHaveProperty('wrong');
  });
});

describe('a wrong proof', () => {
  // A ring buffer of four messages: some of what the search learns is needed.
  const encoded = encodedOf(litmus(FAMILIES.ringbuffer(4)), modelOf('rdma-tso'));
  const refuted = refute(encoded) as RefutedClauses;
  const { cycles, steps } = refuted;
  const file = { ...encoded, cycles };
  const wrong = (changed: Partial<typeof file>, others: readonly RefutationStep[] = steps) =>
    wrongWithClauses(encoded, { ...file, ...changed }, others);

  test('is one that was right', () => {
    expect(cycles.length).toBeGreaterThan(0);
    expect(wrong({})).toBeUndefined();
  });

  test('with another clause, one less or one more is noticed', () => {
    const { clauses, variables } = encoded;
    clauses.forEach((clause, i) => {
      const flipped = clause.map((literal, k) => (k === 0 ? -literal : literal));
      expect(wrong({ clauses: clauses.with(i, flipped) })).toMatch(/^clause \d+ of the encoding/);
      expect(wrong({ clauses: clauses.toSpliced(i, 1) })).toMatch(
        /^the encoding has \d+ variables/,
      );
    });
    expect(wrong({ clauses: [...clauses, []] })).toMatch(/^the encoding has/);
    expect(wrong({ variables: variables + 1 })).toMatch(/^the encoding has/);
  });

  test('with another cycle, or one that its clause is not about, is noticed', () => {
    const none = /is none of the edges/;
    cycles.forEach((cycle, i) => {
      const as = (change: Partial<(typeof cycles)[number]>) =>
        wrong({ cycles: cycles.with(i, { ...cycle, ...change }) });
      const { nodes, clause } = cycle;
      expect(as({ nodes: [] })).toMatch(none);
      expect(as({ nodes: nodes.toReversed() })).toMatch(none);
      expect(as({ nodes: nodes.slice(1) })).toMatch(none);
      expect(as({ nodes: nodes.with(0, [nodes[0][0] + 1, nodes[0][1]]) })).toMatch(none);
      expect(as({ nodes: nodes.with(0, [nodes[0][0], 9999]) })).toMatch(none);
      expect(as({ of: 'other' })).toMatch(none);
      clause.forEach((literal, k) => {
        expect(as({ clause: clause.toSpliced(k, 1) })).toMatch(none);
        expect(as({ clause: clause.with(k, -literal) })).toMatch(none);
      });
    });
  });

  test('without one of the cycles or steps that are needed is noticed', () => {
    for (const i of cycles.keys()) expect(wrong({ cycles: cycles.toSpliced(i, 1) })).toBeDefined();
    // A step that is left out may follow from later ones; not so all.
    const noticed = steps.filter((_, i) => wrong({}, steps.toSpliced(i, 1)) !== undefined);
    expect(noticed.length).toBeGreaterThan(0);
    expect(wrong({}, [])).toBeDefined();
  });
});
