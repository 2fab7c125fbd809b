import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Discrepancy, Lister } from '../../src/analyses/agree/compare.js';
import { compareMethods } from '../../src/analyses/agree/compare.js';
import { countInstructions, printProgram } from '../../src/program/print.js';
import { reproducer } from '../../src/analyses/agree/reproducer.js';
import { shrink } from '../../src/analyses/agree/shrink.js';
import { survey } from '../../src/analyses/agree/survey.js';
import type { MethodGroup } from '../../src/analyses/agree/methods.js';
import { groupMethods } from '../../src/analyses/agree/methods.js';
import { outcomesInStages } from '../../src/check/stages.js';
import type { Engine } from '../../src/rdma/engines.js';
import { stagesOf } from '../../src/rdma/engines.js';
import { INTERRUPTION } from '../../src/check/result.js';
import type { Test } from '../../src/program/program.js';
import type { RdmaInstruction as View } from '../../src/rdma/instructions.js';
import { viewsOf } from '../../src/rdma/instructions.js';
import { agreeJson, agreeText } from '../../src/report/agree.js';
import { inBlocks, programs } from '../../src/rdma/random/programs.js';
import { cat, litmus, modelOf, newSolver } from '../support/checker.js';
import { two } from '../support/litmus.js';

/** How a disagreement of engines is found and shrunk. In test/engines, engines are compared on random programs. */

const MEANS = { solver: async () => newSolver, started: () => {}, timeLimit: Infinity };

/** All engines, in this process. */
const HERE: Lister = {
  outcomes: ({ engine, models: [model], limit = 1000, ...job }) =>
    outcomesInStages(stagesOf(engine), { ...job, model, limit }, MEANS, () => {}),
};

function grouped(engines: readonly Engine[], models: readonly string[]): readonly MethodGroup[] {
  const wanted = { engines, named: true, equivalent: false, models: models.map(modelOf) };
  return groupMethods(wanted).groups;
}

describe('a survey that is interrupted', () => {
  const draw = (count: number) =>
    fc
      .sample(programs({ everything: false, instructions: 2 }), { seed: 3, numRuns: count })
      .map((source) => litmus(inBlocks(source)));
  const drawn = draw(6);
  /** Everything is interrupted from some program on, or just one engine. */
  const until = (index: number, engine?: Engine): Lister => ({
    outcomes: async (job) => {
      const late = drawn.findIndex((t) => t.queries === job.test.queries) >= index;
      return late && (engine === undefined || job.engine === engine)
        ? { states: [], flags: [], incomplete: INTERRUPTION, milliseconds: 0 }
        : HERE.outcomes(job);
    },
  });
  const plan = {
    count: drawn.length,
    program: (i: number) => drawn[i],
    groups: grouped(['smt', 'enumerate', 'operational'], ['rdma-tso']),
    limits: { limit: 1000 },
    lanes: 2,
  };

  test('knows how far it came', async () => {
    const found = await survey({ ...plan, pool: until(4) });
    expect(found).toMatchObject({ programs: 4, of: 6, interrupted: true });
    expect(await survey({ ...plan, pool: HERE })).toMatchObject({
      ...{ programs: 6, of: 6, interrupted: false, tallies: [{ agreed: 6 }] },
    });
  });

  test('keeps a disagreement that was found before', async () => {
    const pool = until(2, 'operational');
    const liar: Lister = {
      outcomes: async (job) => ({
        ...(await pool.outcomes(job)),
        ...(job.engine === 'enumerate' && { states: [] }),
      }),
    };
    const { disagreement, interrupted } = await survey({
      ...{ ...plan, count: 1, pool: liar },
      program: () => drawn[2],
    });
    expect(disagreement?.finding.kind).toBe('states');
    expect(interrupted).toBe(false);
  });

  test('does not say that nothing disagrees', async () => {
    const end = async (pool: Lister): Promise<readonly [string | undefined, unknown]> => {
      const found = await survey({ ...plan, pool });
      const report = { survey: found, leftOut: [], named: false, milliseconds: 1000 };
      const { agree } = JSON.parse(agreeJson(report)) as { readonly agree?: boolean };
      const text = stripVTControlCharacters(agreeText(report));
      return [text.trimEnd().split('\n').at(-1), agree];
    };
    expect(await end(HERE)).toEqual(['no disagreement; 1.0 s', true]);
    expect(await end(until(4))).toEqual([
      'interrupted after 4 of 6 programs; no disagreement among these; 1.0 s',
      undefined,
    ]);
    expect(await end(until(0))).toEqual(['interrupted after 0 of 6 programs; 1.0 s', undefined]);
  });

  test('says where the search for a smaller program was ended', async () => {
    const liar: Lister = {
      outcomes: async (job) => ({
        ...(await HERE.outcomes(job)),
        ...(job.engine === 'enumerate' && { states: [] }),
      }),
    };
    const found = await survey({ ...plan, pool: liar });
    const { test: whole, finding } = found.disagreement!;
    const report = {
      ...{ survey: found, leftOut: [], named: false, milliseconds: 1000 },
      found: {
        ...{ program: 'it', instructions: [4, 4] as const, litmus: '', interrupted: true },
        shrunk: { test: whole, finding, tries: 2 },
      },
    };
    expect(agreeText(report)).toContain('from 4 instructions to 4 (2 tried, then interrupted):');
    expect(JSON.parse(agreeJson(report))).toMatchObject({
      ...{ agree: false, disagreement: { interrupted: true } },
    });
  });
});

describe('one program', () => {
  const program = litmus(
    two('thread T1 on 1 { x := 1; a := y } thread T2 on 1 { y := 1; b := x }'),
  );
  const compared = async (
    pool: Lister,
    engines: readonly Engine[] = ['smt', 'enumerate', 'operational'],
  ) => {
    const { comparisons } = await compareMethods(
      program,
      grouped(engines, ['rdma-tso']),
      { limit: 1000 },
      pool,
    );
    return comparisons[0];
  };
  /** One engine with other final states than it finds. */
  const but = (liar: Engine, outcomes: object): Lister => ({
    outcomes: async (job) => ({
      ...(await HERE.outcomes(job)),
      ...(job.engine === liar && outcomes),
    }),
  });

  test('engines that find the same agree', async () => {
    expect(await compared(HERE)).toEqual({ states: 4, undecided: [], skipped: [] });
  });

  test('a state that one engine does not find is a disagreement', async () => {
    const { states } = await HERE.outcomes({
      kind: 'outcomes',
      counted: false,
      engine: 'smt',
      models: [modelOf('rdma-tso')],
      test: program,
      subjects: [],
    });
    expect(states).toHaveLength(1);
    const { finding } = await compared(but('enumerate', { states: [] }));
    expect(finding).toMatchObject({
      kind: 'states',
      ways: [{ engine: 'smt' }, { engine: 'enumerate' }],
    });
    expect(finding?.kind === 'states' && finding.only.map((s) => s.length)).toEqual([4, 0]);
  });

  test('a limit is not: what is not on a list that is cut off may still be', async () => {
    const cut = { states: [], incomplete: 'limit of 5 states reached' };
    const found = await compared(but('operational', cut));
    expect(found.finding).toBeUndefined();
    expect(found.states).toBe(4);
    expect(found.undecided).toMatchObject([
      { way: { engine: 'operational' }, reason: 'limit of 5 states reached' },
    ]);
  });

  test('but what is on it was found: no other list may be without it', async () => {
    const cut = { incomplete: 'limit of 5 states reached' };
    const liar = but('smt', cut);
    const both: Lister = {
      outcomes: async (job) =>
        job.engine === 'operational'
          ? { ...(await HERE.outcomes(job)), states: [] }
          : liar.outcomes(job),
    };
    expect((await compared(both, ['smt', 'operational'])).finding).toMatchObject({
      kind: 'states',
    });
  });

  test.each([
    ['the enumerate engine failed: x is undefined', true],
    ['internal error, please report it: …', true],
    ['the enumerate engine failed: out of memory', false],
    ['time limit of 60 s reached', false],
  ])('%s', async (incomplete, isBug) => {
    const { finding } = await compared(but('enumerate', { states: [], incomplete }));
    if (isBug) expect(finding).toMatchObject({ kind: 'failure', reason: incomplete });
    else expect(finding).toBeUndefined();
  });
});

describe('shrinking', () => {
  /** Says that there is a disagreement by the text alone; no engine is asked. */
  const finding: Discrepancy = {
    kind: 'failure',
    way: grouped(['smt'], ['sc'])[0].ways[0],
    reason: '',
  };
  const has = (t: Test, kind: View['kind']): boolean =>
    t.program.threads.some((thread) => [...viewsOf(thread.body)].some((i) => i.kind === kind));
  const shrunk = async (t: Test, kinds: readonly View['kind'][]) =>
    (await shrink(t, undefined, async (s) =>
      kinds.every((k) => has(s, k)) ? finding : undefined,
    ))!;

  const large = litmus(
    two(`thread T1 on 1 { a := 0; x := 1; z^2 :=^d x; if (a = 1) { choose { wait(d) } or { rfence(2) } } else { mfence } }
         thread T2 on 1 { b := CAS(y, 0, 1); while (b = 0) bound 2 { b := y; p := w^2; poll(2) } }
         thread T3 on 2 { w := 1 }`),
  );

  test.each<[View['kind'][], string]>([
    [['mfence'], 'node 1 {}\n\nthread T1 on 1 { mfence }\n'],
    [['rfence'], 'node 1 {}\nnode 2 {}\n\nthread T1 on 1 { rfence(2) }\n'],
    [['choose', 'mfence'], 'node 1 {}\n\nthread T1 on 1 { choose { skip } or { skip }; mfence }\n'],
    [
      ['poll', 'cas'],
      'node 1 { y = 0 }\nnode 2 {}\n\nthread T2 on 1 { b := CAS(y, 0, 1); poll(2) }\n',
    ],
  ])('to %j', async (kinds, text) => {
    const { test: t } = await shrunk(large, kinds);
    expect(countInstructions(t.program)).toBe(kinds.length);
    expect(printProgram(t.program)).toBe(text);
  });

  test('tags, messages, and queues of several are left out, too', async () => {
    const many = litmus(
      `RDMA t node 1 { f = 0 [strict] } node 2 { x = 0 [gpu] [relaxed]; b = 0 }
       qp s : T1, T2 -> 2 [nearA]
       cq c { s, a }
       thread T1 on 1 { send [unsignalled] (2.s, f); x^2.a :=[inline][unsignalled] 1; poll(c) }
       thread T2 on 1 { x^2.s := f }
       thread T3 on 2 { b := recv(1.s); mfence }`,
    );
    const to = async (found: RegExp) => {
      const isWanted = (t: Test): boolean => found.test(printProgram(t.program));
      const result = await shrink(many, undefined, async (s) =>
        isWanted(s) ? finding : undefined,
      );
      return printProgram(result!.test.program);
    };
    expect(await to(/mfence/)).toBe('node 2 {}\n\nthread T3 on 2 { mfence }\n');
    expect(await to(/recv/)).toBe(
      'node 1 {}\nnode 2 { b = 0 }\n\nthread T3 on 2 { b := recv(1.s) }\n',
    );
    expect(await to(/\[inline\]/)).toBe(
      'node 1 {}\nnode 2 { x = 0 }\n\nthread T1 on 1 { x^2.a :=[inline] 1 }\n',
    );
    expect(await to(/poll\(c\)/)).toMatch(/cq c \{ (s|a) \}\n\nthread T1 on 1 \{ poll\(c\) \}/);
    expect(await to(/qp s.*nearA/)).toMatch(/qp s : T. -> 2 \[nearA\]\n\nthread/);
  });

  test('an identifier keeps its operation while it is waited for', async () => {
    const { test: t } = await shrunk(large, ['wait']);
    expect(printProgram(t.program)).toMatch(
      /^thread T1 on 1 \{ z\^2 :=\^d x; (x := 0; )?wait\(d\) \}$/m,
    );
  });

  test('a random program is shrunk as it was drawn, from the very program that was tried', async () => {
    const arbitrary = programs({ everything: true, instructions: 5 });
    const isWanted = (t: Test): boolean => has(t, 'cas') && has(t, 'get');
    const [seed, numRuns] = [2, 60];
    const drawn = fc.sample(arbitrary, { seed, numRuns }).map((s) => litmus(inBlocks(s)));
    const index = drawn.findIndex(isWanted);
    const tried: string[] = [];
    const result = await shrink(drawn[index], { arbitrary, seed, index }, async (t) => {
      tried.push(printProgram(t.program, { tidy: true }));
      return isWanted(t) ? finding : undefined;
    });
    expect(tried[0]).toBe(printProgram(drawn[index].program, { tidy: true }));
    expect(countInstructions(result!.test.program)).toBe(2);
  });

  test('two models that differ give a file whose question only one of them answers with yes', async () => {
    const models = [modelOf('rdma-sc'), modelOf('rdma-tso')];
    const { groups } = groupMethods({ engines: ['smt'], named: true, models, equivalent: true });
    const program = litmus(
      two(`thread T1 on 1 { x := 1; mfence; z^2 := 1; poll(2); x := 2; a := y }
           thread T2 on 1 { mfence; y := 1; b := x }`),
    );
    const findingOf = async (t: Test) =>
      (await compareMethods(t, groups, { limit: 1 }, HERE)).comparisons[0].finding;
    const result = await shrink(program, undefined, findingOf);
    const file = reproducer(result!.test, result!.finding, { name: 'sb', origin: 'by "hand"' });
    expect(file).toBe(
      [
        'RDMA sb',
        '"smt under rdma-sc and smt under rdma-tso disagree"',
        `note "by 'hand'"`,
        '',
        'node 1 { x = 0; y = 0 }',
        '',
        'thread T1 on 1 { x := 1; a := y }',
        'thread T2 on 1 { y := 1; b := x }',
        '',
        'exists (x = 1 /\\ y = 1 /\\ a = 0 /\\ b = 0)',
        '  # forbidden by smt under rdma-sc',
        '  # allowed by smt under rdma-tso',
        '',
      ].join('\n'),
    );
    expect(litmus(file).queries).toHaveLength(1);
  });
});

test('a model of one own takes part where the engine can treat it', () => {
  const own = cat('acyclic po | rf | rf ; rf as own');
  const wanted = { models: [own, modelOf('rdma-tso')], equivalent: false };
  const engines: readonly Engine[] = ['smt', 'operational'];
  const { groups, leftOut } = groupMethods({ ...wanted, engines, named: false });
  expect(groups.map((g) => g.ways.map((w) => w.engine))).toEqual([['smt'], ['smt', 'operational']]);
  expect(leftOut).toMatchObject([{ engine: 'operational' }]);
  expect(groupMethods({ ...wanted, engines, named: true }).refused).toHaveLength(1);
});
