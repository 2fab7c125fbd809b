import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { candidatesOf } from '../../src/analyses/explain/candidates.js';
import { coresOf } from '../../src/analyses/explain/cores.js';
import { costsIn } from '../../src/analyses/explain/cost.js';
import type { Step } from '../../src/analyses/explain/explanation.js';
import type { Fact } from '../../src/analyses/explain/facts.js';
import { reduced } from '../../src/analyses/explain/reduce.js';
import type { Failure } from '../../src/analyses/explain/failures.js';
import { proofOf } from '../../src/analyses/explain/proof.js';
import { enumerateCandidates } from '../../src/check/enumerate/candidates.js';
import { unroll } from '../../src/program/events/unroll.js';
import { termNames } from '../../src/model/print.js';
import type { Model } from '../../src/model/term.js';
import type { Test } from '../../src/program/program.js';
import { evaluate } from '../../src/model/relation/concrete.js';
import { equal, pairs, plus, relOf, related } from '../../src/model/relation/matrix.js';
import { holds, pairsIn } from '../../src/check/witness/witness.js';
import type { Verified } from '../../src/check/witness/verify.js';
import { SHIPPED, adapted, cat, litmus, modelOf, newSolver } from '../support/checker.js';
import type { CorpusFile } from '../support/corpus.js';
import { ENDING_FILES } from '../support/corpus.js';
import { ROOT } from '../support/run.js';
import { isStateQuery, stateQuery } from '../../src/program/program.js';
import { ALL } from '../support/random.js';

const read = (file: string): Test => litmus(readFileSync(join(ROOT, 'corpus', file), 'utf8'));

/** A part of the corpus for each model. Together, the parts have nearly every test twice. */
const PARTS = 8;
const sampleFor = (model: number): readonly CorpusFile[] =>
  ENDING_FILES.filter((_, i) => i % PARTS === model % PARTS).filter((_, i) => ALL || i % 3 === 0);

/** All ways in which candidates of a query fail; none where it is satisfiable, or has no translation. */
function failures(test: Test, query: number, model: Model): readonly Failure[] {
  const candidates = candidatesOf(test.program, stateQuery(test, query), model, newSolver, {});
  try {
    const axioms = model.axioms.filter((a) => !a.flag);
    if (candidates.find(axioms).kind !== 'none') return [];
    const found = proofOf(model, candidates, Infinity);
    // Of more than so many shapes, so many are found.
    if (found.shapes.flat().length < 200) expect(found.incomplete).toBeUndefined();
    return found.shapes.flat();
  } finally {
    candidates.dispose();
  }
}

function fitted(test: Test, model: Model): Test | undefined {
  try {
    return adapted(test, model);
  } catch {
    return undefined;
  }
}

/** Holds steps against an evaluation of the model that the explanation did not make. */
function expectSteps(model: Model, { events, execution }: Verified, steps: readonly Step[]): void {
  const values = evaluate(model, execution);
  const position = new Map(events.map((e, i) => [e.id, i]));
  const names = termNames(model);
  for (const { from, to, because, via, also } of steps) {
    expect(because.length).toBeGreaterThan(0);
    for (const { term, text } of because) {
      expect(related(values.rel(term), position.get(from)!, position.get(to)!)).toBe(true);
      expect(text).toBe(names.text(term));
    }
    if (via.length > 0) {
      expect([via[0].from, via.at(-1)!.to]).toEqual([from, to]);
      expect(via.slice(1).map((s) => s.from)).toEqual(via.slice(0, -1).map((s) => s.to));
    }
    expectSteps(model, { events, execution } as Verified, [...via, ...also]);
  }
}

describe('every way, over a sample of the corpus', () => {
  test.each(SHIPPED)('%s', (name) => {
    const model = modelOf(name);
    let cycles = 0;
    for (const { text } of sampleFor(SHIPPED.indexOf(name))) {
      const test = fitted(litmus(text), model);
      if (test === undefined) continue;
      for (const query of test.queries.keys()) {
        for (const { verified, others, chosen } of failures(test, query, model)) {
          const names = [chosen, ...others].map(({ axiom }) => axiom.name);
          expect(new Set(names).size).toBe(names.length);
          for (const { told } of [chosen, ...others]) {
            const { kind, steps } = told();
            expectSteps(model, verified, steps);
            if (kind !== 'cycle') continue;
            cycles += 1;
            const ends = steps.map((s) => s.to);
            expect(steps.map((s) => s.from)).toEqual([ends.at(-1), ...ends.slice(0, -1)]);
          }
        }
      }
    }
    expect(cycles).toBeGreaterThan(name === 'x86-tso' ? 0 : ALL ? 10 : 2);
  });
});

describe('the ways are a proof', () => {
  /** Is a fact true in an execution? Read off the execution, without the encoding. */
  const isTrue = (fact: Fact, { events, witness, run }: Verified): boolean => {
    switch (fact.kind) {
      case 'executed':
        return run.executed(fact.event);
      case 'choice':
        return (witness.choices[fact.choice] === 1) === fact.taken;
      case 'read':
        return witness.reads.some(([e, value]) => e === fact.event && value === fact.value);
      case 'pair': {
        const { relation, from, to } = fact;
        if (['rf', 'mo', 'nfo'].includes(relation)) {
          const chosen = pairsIn(witness, relation);
          return chosen.some(([a, b]) => a === from && b === to) === fact.holds;
        }
        const [a, b] = [from, to].map((id) => events.findIndex((e) => e.id === id));
        return a >= 0 && b >= 0;
      }
    }
  };

  // Few enough candidates to go through them all.
  test.each([
    ['tso/MP1.litmus', 'rdma-tso'],
    ['tso/MP1.litmus', 'rdma-tso-rec'],
    ['tso/ST3.litmus', 'rdma-tso'],
    ['tso/ST9.litmus', 'rdma-tso'],
    ['tso/SB1.litmus', 'sc'],
    ['tso/LB3bis.litmus', 'rdma-tso'],
    ['tso/CRMA2.litmus', 'rdma-tso-nopcie'],
    ['tso/GFP1.litmus', 'rdma-tso'],
    ['tso/RRPR3.litmus', 'rdma-sc'],
    ['events/branch-fence.litmus', 'rdma-tso'],
    ['events/cas.litmus', 'rdma-tso'],
    ['events/poll-branch.litmus', 'rdma-tso'],
    ['cells/ppo-CAS-CAS.litmus', 'x86-tso'],
  ])('%s under %s', (file, name) => {
    const model = modelOf(name);
    const test = adapted(read(file), model);
    const structure = unroll(test.program);
    let seen = 0;
    for (const [index, query] of test.queries.filter(isStateQuery).entries()) {
      const ways = failures(test, index, model);
      if (ways.length === 0) continue;
      const visit = (candidate: Verified): void => {
        const met = holds(query.condition, candidate.run.final);
        if (met === (query.quantifier === 'forall')) return;
        seen += 1;
        const mine = ways.filter((way) => way.facts.every((fact) => isTrue(fact, candidate)));
        // Some way covers the candidate, and each way that covers it is about an axiom that the candidate breaks.
        expect(mine.length).toBeGreaterThan(0);
        const { axioms } = evaluate(model, candidate.execution);
        const broken = axioms.filter((a) => !a.holds).map((a) => a.axiom.name);
        for (const way of mine) expect(broken).toContain(way.chosen.axiom.name);
      };
      const free = { ...model, axioms: [] };
      const limits = { limit: 100_000, deadline: Infinity, states: undefined };
      expect(enumerateCandidates(structure, free, visit, limits).incomplete).toBeUndefined();
    }
    expect(seen).toBeGreaterThan(0);
  });
});

describe('costs', () => {
  const odd = cat(`let rb = (rf^-1;mo) \\ id
    let rec up = po | up;rf | down? and down = (up & loc)^-1 | [domain(up)];mo*
    let all = ~up | (lR * ~lW) \\ po | [range(rb) \\ lR]
    acyclic up as a
    irreflexive down+ as b
    empty all as c`);

  test('a pair costs something finite exactly if the evaluator finds it', () => {
    for (const file of ['tso/MP1.litmus', 'tso/SB-flush.litmus', 'events/cas.litmus']) {
      const program = read(file);
      for (const model of [...SHIPPED.map(modelOf), odd]) {
        const test = fitted(program, model);
        if (test === undefined) continue;
        const free = { ...model, axioms: [] };
        const candidates = candidatesOf(test.program, stateQuery(test, 0), free, newSolver, {});
        const found = candidates.find([]);
        candidates.dispose();
        if (found.kind !== 'found') continue;
        const { execution } = found.verified;
        const [values, costs] = [evaluate(model, execution), costsIn(model, execution)];
        const size = execution.size;
        model.terms.forEach((term, id) => {
          if (term.kind === 'set') return;
          const finite = [...costs.rel(id).keys()].filter((i) => costs.rel(id)[i] < Infinity);
          const related = [...pairs(values.rel(id))].map(([a, b]) => a * size + b);
          expect(finite).toEqual(related);
        });
      }
    }
  });

  test('a model of odd operators, too, has steps that the evaluator finds', () => {
    let broken = 0;
    for (const file of ['tso/ST2.litmus', 'tso/MP1.litmus', 'events/cas.litmus']) {
      const program = read(file);
      for (const query of program.queries.keys()) {
        const candidates = candidatesOf(
          program.program,
          stateQuery(program, query),
          odd,
          newSolver,
          {},
        );
        const found = proofOf(odd, candidates, performance.now() + 500);
        candidates.dispose();
        for (const failure of found.shapes.flat()) {
          const all = [failure.chosen, ...failure.others];
          broken += all.length;
          for (const { told } of all) {
            expectSteps(odd, failure.verified, told().steps);
          }
        }
      }
    }
    expect(broken).toBeGreaterThan(5);
  });
});

describe('cores', () => {
  /** A monotone question: a set is satisfiable unless it has all of one of the given sets. */
  const question = (bad: readonly (readonly number[])[]) => (axioms: readonly number[]) =>
    !bad.some((core) => core.every((axiom) => axioms.includes(axiom)));
  const minimal = (sets: readonly (readonly number[])[]) => {
    const unique = [...new Map(sets.map((set) => [set.join(), set])).values()];
    return unique.filter(
      (set) => !unique.some((s) => s !== set && s.every((axiom) => set.includes(axiom))),
    );
  };
  const cores = (count: number) =>
    fc.array(fc.subarray([...Array(count).keys()], { minLength: 1 }), {
      minLength: 1,
      maxLength: 4,
    });

  test('all minimal sets of few axioms', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }).chain((count) => fc.tuple(fc.constant(count), cores(count))),
        ([count, bad]) => {
          const found = coresOf(count, question(bad));
          if ('reason' in found) throw new Error(found.reason);
          const key = (sets: readonly (readonly number[])[]) => sets.map((s) => s.join()).sort();
          expect(found.all).toBe(true);
          expect(key(found.cores)).toEqual(key(minimal(bad)));
        },
      ),
    );
  });

  test('one minimal set of many axioms', () => {
    fc.assert(
      fc.property(cores(10), (bad) => {
        const found = coresOf(10, question(bad));
        if ('reason' in found) throw new Error(found.reason);
        const [core] = found.cores;
        expect(minimal(bad).map((set) => set.join())).toContain(core.join());
      }),
    );
  });

  test('what cannot be told ends it', () => {
    expect(coresOf(2, () => 'no time')).toEqual({ reason: 'no time' });
  });
});

test('a reduced relation has the same closure, and nothing to spare', () => {
  const relation = fc
    .array(fc.tuple(fc.nat(5), fc.nat(5)), { maxLength: 20 })
    .map((some) => plus(relOf(6, some)));
  fc.assert(
    fc.property(relation, (rel) => {
      const left = reduced(rel, () => false);
      expect(equal(plus(relOf(6, left)), rel)).toBe(true);
      for (const pair of left) {
        const fewer = relOf(
          6,
          left.filter((other) => other !== pair),
        );
        expect(equal(plus(fewer), rel)).toBe(false);
      }
    }),
  );
});

describe('terms as text', () => {
  test('what is printed of a model reads as the same model', () => {
    const plain = modelOf('x86-tso').instructions;
    for (const name of SHIPPED) {
      const model = modelOf(name);
      const declared = model.instructions === plain ? '' : 'include "rmw.cat"\n';
      const given = new Set(cat(declared).definitions.map((d) => d.name));
      const names = termNames(model);
      const latest = new Map(model.definitions.map((d) => [d.name, d.term]));
      // Groups of a `let rec` and base relations are not definitions that can be told apart. What comes with the
      // instructions comes again.
      const own = model.definitions.filter(
        (d) =>
          latest.get(d.name) === d.term && model.terms[d.term].op !== 'base' && !given.has(d.name),
      );
      const grouped = own.filter((d) => model.terms[d.term].op === 'fix');
      const body = (d: (typeof own)[number]) => `${d.name} = ${names.body(d.term)}`;
      // In their order, with those that are changed later.
      const others = model.definitions.filter(
        (d) => !grouped.includes(d) && (own.includes(d) || latest.get(d.name) !== d.term),
      );
      const rest = others.map((d) => `let ${body(d)}`).join('\n');
      const rec = grouped.length === 0 ? '' : `let rec ${grouped.map(body).join('\nand ')}`;
      const axioms = model.axioms
        .filter((a) => !a.flag)
        .map((a) => `${a.test} ${names.text(a.term)} as ${a.name}`);
      const again = cat(declared + [rest, rec, ...axioms].join('\n'));
      const test = fitted(read('tso/SB-flush.litmus'), model)!;
      const candidates = candidatesOf(test.program, stateQuery(test, 0), model, newSolver, {});
      const found = candidates.find([]);
      candidates.dispose();
      if (found.kind !== 'found') throw new Error('there is no candidate');
      const [one, two] = [model, again].map((m) => evaluate(m, found.verified.execution));
      for (const { name: defined, term } of own) {
        if (model.terms[term].kind === 'set') continue;
        const other = again.definitions.findLast((d) => d.name === defined)!;
        expect([name, defined, equal(one.rel(term), two.rel(other.term))]).toEqual([
          name,
          defined,
          true,
        ]);
      }
      expect(two.axioms.map((a) => a.holds)).toEqual(one.axioms.map((a) => a.holds));
    }
  });

  test('parentheses where they are needed, or help', () => {
    const model = cat(
      `let a = (po | rf);(mo \\ (loc \\ id))
      let b = ~(lR | lW) * (R2 & ~IW)
      let c = ((po & (lR * lW))+)^-1 | (po;rf)? | ~(po*)
      acyclic a | [domain(c)];c as x`.replace('let b', 'let R2 = lR | CAS\nlet b'),
    );
    const names = termNames(model);
    // Those of `instructions.cat` are there, too.
    const own = model.definitions.filter((d) => !['wf', 'P', 'broken'].includes(d.name));
    const bodies = own.map((d) => `${d.name} = ${names.body(d.term)}`);
    expect(bodies).toEqual([
      'a = (po | rf);(mo \\ (loc \\ id))',
      'R2 = lR | CAS',
      'b = ~(lR | lW) * (R2 & ~IW)',
      'c = (po & (lR * lW))+^-1 | (po;rf)? | ~po*',
    ]);
    expect(names.text(model.axioms[0].term)).toBe('a | [domain(c)];c');
  });
});
