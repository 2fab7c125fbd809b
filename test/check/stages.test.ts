import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { decide } from '../../src/check/decide.js';
import type { Answer, Outcomes } from '../../src/check/result.js';
import type { StageMeans, Stage } from '../../src/check/stages.js';
import { GAVE_UP, decideInStages, outcomesInStages, withSolver } from '../../src/check/stages.js';
import { modelsOf, testUnder } from '../../src/cli/inputs/clients.js';
import { readCorpus } from '../../src/cli/inputs/corpus.js';
import { CPU_MODEL, MAIN_MODELS } from '../../src/model/shipped.js';
import type { Model } from '../../src/model/term.js';
import type { Test } from '../../src/program/program.js';
import { allSubjects } from '../../src/program/subjects.js';
import { adapt } from '../../src/rdma/translate.js';
import { stagesOf } from '../../src/rdma/engines.js';
import { FAMILIES } from '../../bench/families.js';
import { litmus, modelOf, newSolver } from '../support/checker.js';
import { CLIENTS, ENDING_FILES } from '../support/corpus.js';
import { ALL, few, some } from '../support/random.js';

/** An engine is a list of stages: what one leaves open, the next is asked. */

const corpus = ENDING_FILES.map(({ text }) => litmus(text));

/** Clients of libraries, under the models of these. With implementations in the place of calls they are too large for Z3. */
const clients = readCorpus(
  CLIENTS.map(({ file }) => join('corpus', file)),
  { items: [] },
).tests.flatMap((item) =>
  modelsOf(item, []).flatMap((model): readonly (readonly [Test, Model])[] => {
    const test = testUnder(item, model);
    return item.inlined?.includes(test) === true ? [] : [[test, model]];
  }),
);

const models = [...MAIN_MODELS, CPU_MODEL].map(modelOf);

/** The tests of the corpus in the instructions of each model, where they can be. */
const cases: readonly (readonly [Test, Model])[] = corpus.flatMap((t) =>
  models.flatMap((model) => {
    const adapted = adapt(t.program, model);
    return adapted.ok ? [[{ ...t, program: adapted.value.program }, model] as const] : [];
  }),
);

/** Z3, which is counted, and what the stages say. */
function means(): StageMeans & { asked: number; begun: number } {
  const all = {
    asked: 0,
    begun: 0,
    timeLimit: Infinity,
    solver: async () => {
      all.asked += 1;
      return newSolver;
    },
    started: () => void (all.begun += 1),
  };
  return all;
}

const ask = async (stages: readonly Stage[], test: Test, model: Model, by = means()) =>
  (
    await decideInStages(
      stages,
      { tests: [test], models: [model], queries: [...test.queries.keys()] },
      by,
    )
  )[0];

const plain = (answers: readonly Answer[]) =>
  answers.map(({ query, verdict, reason, upTo }) => ({ query, verdict, reason, upTo }));

const list = (stages: readonly Stage[], test: Test, model: Model): Promise<Outcomes> =>
  outcomesInStages(
    stages,
    { test, model, subjects: allSubjects(test.program), counted: false },
    means(),
    () => {},
  );

describe('the search and Z3 have the same answers', () => {
  test('to queries of the corpus under every model', async () => {
    let queries = 0;
    for (const [subject, model] of some([...cases, ...clients])) {
      const [search, smt] = [
        await ask(stagesOf('search'), subject, model),
        await ask(stagesOf('smt'), subject, model),
      ];
      expect([subject.name, model.name, plain(search)]).toEqual([
        subject.name,
        model.name,
        plain(smt),
      ]);
      queries += smt.length;
    }
    expect(queries).toBeGreaterThan(few(1300));
  }, 120_000);

  test('and find the same final states', async () => {
    for (const [subject, model] of cases.filter((_, i) => i % (ALL ? 5 : 20) === 0)) {
      const [search, smt] = [
        await list(stagesOf('search'), subject, model),
        await list(stagesOf('smt'), subject, model),
      ];
      expect({ ...search, milliseconds: 0 }).toEqual({ ...smt, milliseconds: 0 });
    }
  }, 120_000);
});

describe('auto', () => {
  const tso = modelOf('rdma-tso');

  test('never needs Z3 for the corpus', async () => {
    const by = means();
    for (const [subject, model] of cases.filter((_, i) => ALL || i % 3 === 0))
      await ask(stagesOf('auto'), subject, model, by);
    expect(by.asked).toBe(0);
  }, 120_000);

  test('asks Z3 for just those queries that take more than the effort', async () => {
    const ring = litmus(FAMILIES['sbring'](4));
    const spent: readonly Stage[] = [{ kind: 'search', effort: 0 }, ...stagesOf('smt')];
    const by = means();
    const answers = await ask(spent, ring, tso, by);
    expect(by.asked).toBe(1);
    expect(plain(answers)).toEqual(plain(await ask(stagesOf('smt'), ring, tso)));
    const { states } = await list(spent, ring, tso);
    expect(states).toEqual((await list(stagesOf('smt'), ring, tso)).states);
  });

  test('goes on with the search, without a limit, where Z3 would be given too many clauses', async () => {
    const solve = stagesOf('smt')[0];
    if (solve.kind !== 'solve') throw new Error('smt is a stage that solves');
    for (const family of ['sbring', 'spin']) {
      const subject = litmus(FAMILIES[family](4));
      let given = 0;
      const counted: StageMeans = {
        ...means(),
        solver: async () => (options) => {
          const solver = newSolver(options);
          return { ...solver, addClause: (clause) => (given++, solver.addClause(clause)) };
        },
      };
      const stages: readonly Stage[] = [
        { kind: 'search', effort: 0 },
        { ...solve, most: 20 },
      ];
      expect(plain(await ask(stages, subject, tso, counted as never))).toEqual(
        plain(await ask(stagesOf('smt'), subject, tso)),
      );
      expect(given).toBe(20);
      const { states } = await list(stages, subject, tso);
      expect(states).toEqual((await list(stagesOf('smt'), subject, tso)).states);
      const work = (made: typeof newSolver) => {
        const solver = made();
        for (let v = 1; v <= 30; v++) solver.addClause([v]);
        return solver.check([]).kind;
      };
      expect(await withSolver(stages, means(), work)).toBe('sat');
    }
  });

  test('leaves open what the search gives up where there is no solver to ask', async () => {
    const lock = litmus(FAMILIES['spin'](2));
    const spent: readonly Stage[] = [{ kind: 'search', effort: 0 }, ...stagesOf('smt')];
    const by: StageMeans = { ...means(), solver: async () => undefined };
    const tests = [lock];
    const answers = await decideInStages(spent, { tests, models: [tso], queries: [0] }, by);
    expect(plain(answers[0])).toEqual([{ query: 0, verdict: 'unknown', reason: GAVE_UP }]);
    const asked = { test: lock, model: tso, subjects: allSubjects(lock.program), counted: false };
    const all = await list(stagesOf('smt'), lock, tso);
    // The states that the search found before it gave up are told.
    const efforts = [0, 1000, Infinity];
    const found = await Promise.all(
      efforts.map((effort) =>
        outcomesInStages([{ kind: 'search', effort }, spent[1]], asked, by, () => {}),
      ),
    );
    expect(found.map(({ incomplete }) => incomplete)).toEqual([GAVE_UP, GAVE_UP, undefined]);
    expect(found[0].states).toEqual([]);
    expect(found[1].states.length).toBeGreaterThan(0);
    expect(all.states).toEqual(expect.arrayContaining([...found[1].states]));
    const asking = withSolver(stagesOf('smt'), by, (newSolver) => newSolver().check([]));
    await expect(asking).rejects.toThrow(GAVE_UP);
  });

  test('starts the clock once', async () => {
    const by = means();
    await ask(stagesOf('search'), corpus[0], tso, by);
    expect(by.begun).toBe(1);
  });
});

test('queries of one test share what is found out of it', () => {
  const model = modelOf('rdma-tso');
  const loops = FAMILIES.spin(2);
  const asked = (queries: number) => {
    const made = { solvers: 0, clauses: 0 };
    const counting: typeof newSolver = (options) => {
      made.solvers += 1;
      const solver = newSolver(options);
      return {
        ...solver,
        addClause: (clause) => {
          made.clauses += 1;
          solver.addClause(clause);
        },
      };
    };
    const more = Array.from({ length: queries - 1 }, (_, i) => `exists (a = b /\\ count = ${i})\n`);
    const subject = litmus(loops + more.join(''));
    const given: string[] = [];
    decide(subject, model, counting, {}, ({ verdict, upTo }) => given.push(`${verdict} ${upTo}`));
    expect(given).toEqual(Array<string>(queries).fill('forbidden 2'));
    return made;
  };
  const [one, ten] = [asked(1), asked(10)];
  // One for the executions, and one for how far loops may go.
  expect(one.solvers).toBe(2);
  expect(ten.solvers).toBe(2);
  expect(ten.clauses).toBeLessThan(1.2 * one.clauses);
});
