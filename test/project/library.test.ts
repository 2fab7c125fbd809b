import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Pool, PoolOptions, Result } from '../../dist/index.js';
import {
  check,
  createPool,
  explain,
  explore,
  loadModel,
  outcomes,
  parseLitmus,
  parseModel,
  renderDiagnostic,
  robustness,
  robustnessConditions,
  valueText,
} from '../../dist/index.js';
import { valueOf } from '../support/litmus.js';
import { ROOT, remora } from '../support/run.js';

/** Whatever the functions of the library are given, nothing throws, and no call goes on for ever. */

const TEXT = 'RDMA t node 1 { x = 0 } thread T on 1 { x := 1 } exists (x = 1)';
const TEST = valueOf(parseLitmus(TEXT));
const MODEL = valueOf(loadModel('sc').model);

/** What a call says is wrong, as people see it. */
function said(result: Result<unknown>): readonly string[] {
  if (result.ok) throw new Error('it was accepted');
  return result.errors.map((error) => renderDiagnostic(error));
}

/** The questions, each with arguments of any kind. */
const QUESTIONS: Readonly<Record<string, (...args: unknown[]) => Promise<Result<unknown>>>> = {
  check: (t, m, o) => check(t as never, m as never, o as never),
  outcomes: (t, m, o) => outcomes(t as never, m as never, o as never),
  robustness: (t, m, o) => robustness(t as never, m as never, o as never),
  explain: (t, m, o) => explain(t as never, [m] as never, o as never),
};
const NAMES = Object.keys(QUESTIONS);

describe.each(NAMES)('%s', (name) => {
  const ask = QUESTIONS[name];

  test.each([
    ['bound', 1.5, '1.5', 'a whole number from 1 is needed'],
    ['bound', 0, '0', 'a whole number from 1 is needed'],
    ['bound', '3', '"3"', 'a whole number from 1 is needed'],
    ['bound', Infinity, 'Infinity', 'a whole number from 1 is needed'],
    ['bound', null, 'null', 'a whole number from 1 is needed'],
    ['jobs', 0, '0', 'a whole number from 1 is needed'],
    ['jobs', -1, '-1', 'a whole number from 1 is needed'],
    ['jobs', NaN, 'NaN', 'a whole number from 1 is needed'],
    ['jobs', 257, '257', 'at most 256 are possible'],
    ['timeLimit', NaN, 'NaN', 'a number of seconds above 0 is needed'],
    ['timeLimit', 0, '0', 'a number of seconds above 0 is needed'],
    ['timeLimit', '1', '"1"', 'a number of seconds above 0 is needed'],
  ])('{ %s: %j }', async (option, value, shown, needed) => {
    const result = await ask(TEST, MODEL, { [option]: value });
    expect(said(result)).toEqual([`${name}: option '${option}': ${shown} is invalid. ${needed}.`]);
  });

  test('what is no test, no model, no options and no pool', async () => {
    const loaded = loadModel('sc');
    const tests = [undefined, null, 1, 'x', [], {}, MODEL, TEST.program, () => {}];
    for (const wrong of tests) {
      expect(said(await ask(wrong, MODEL))[0]).toMatch(/^\w+: test: .* is no test; parseLitmus /);
    }
    expect(said(await ask(parseLitmus(TEXT), MODEL))).toEqual([
      `${name}: test: this is a Result: where it is ok, give its value`,
    ]);
    for (const wrong of [undefined, null, 'sc', [], {}, TEST]) {
      expect(said(await ask(TEST, wrong))[0]).toMatch(/^\w+: model: .* is no model; loadModel /);
    }
    expect(said(await ask(TEST, loaded))[0]).toMatch(/: this is what loadModel returns: /);
    expect(said(await ask(TEST, loaded.model))[0]).toMatch(/^\w+: model: this is a Result: /);
    for (const wrong of [null, 1, 'x', []]) {
      expect(said(await ask(TEST, MODEL, wrong))[0]).toMatch(/^\w+: options: .* is no object$/);
    }
    expect(said(await ask(TEST, MODEL, { pool: {} }))).toEqual([
      `${name}: option 'pool': an object is no pool; createPool makes one`,
    ]);
    expect(said(await ask(undefined, undefined, { bound: 0, jobs: 0 }))).toHaveLength(4);
  });

  test('a pool that is closed, or never was one', async () => {
    const pool = createPool({ jobs: 1 });
    await pool.close();
    expect(said(await ask(TEST, MODEL, { pool }))).toEqual([
      `${name}: option 'pool': this pool is closed`,
    ]);
    const broken = createPool({ jobs: 0, timeLimit: NaN });
    expect(said(await ask(TEST, MODEL, { pool: broken }))).toEqual([
      `${name}: option 'pool': option 'jobs': 0 is invalid. a whole number from 1 is needed. ` +
        `option 'timeLimit': NaN is invalid. a number of seconds above 0 is needed.`,
    ]);
    await broken.close();
  });

  test('what is right is answered, and undefined is no value', async () => {
    const options = { bound: 2, jobs: 1, timeLimit: Infinity, pool: undefined, limit: undefined };
    expect(await ask(TEST, MODEL, options)).toMatchObject({ ok: true });
  });
});

/** A lock that is none under any model, and a question about final states beside the one about runs. */
const RUNS = valueOf(
  parseLitmus(`RDMA runs node 1 { x = 0 }
thread T on 1 { loop { critical c { x := 1 } } }
thread U on 1 { loop { critical c { x := 2 } } }
exists (x = 1)
exclusive c of T, U
deadlock`),
);

describe('explore', () => {
  test('decides all queries about runs, or some, with the run as data', async () => {
    const all = valueOf(await explore(RUNS, MODEL));
    expect(all.map(({ query, verdict }) => [query, verdict])).toEqual([
      [1, 'fails'],
      [2, 'holds'],
    ]);
    const [{ run, steps = [] }] = all;
    expect(run).toEqual(['T is at c', 'T writes x := 1 to memory', 'U is at c']);
    expect(steps.map(({ actor, kind, mark }) => [actor, kind, mark])).toEqual([
      ['T', 'enter', 'c'],
      ['T', 'write', undefined],
      ['U', 'enter', 'c'],
    ]);
    const [one, ...others] = valueOf(await explore(RUNS, MODEL, { queries: [2] }));
    expect([one.query, one.verdict, others]).toEqual([2, 'holds', []]);
  });

  test('in a pool, and to a limit', async () => {
    const pool = createPool({ jobs: 1 });
    try {
      const [, deadlock] = valueOf(await explore(RUNS, MODEL, { pool, limit: 1 }));
      expect(deadlock).toMatchObject({ verdict: 'unknown', reason: 'limit of 1 states reached' });
    } finally {
      await pool.close();
    }
  });

  test.each([
    [{ queries: [0] }, 'the query with the index 0 is about final states: `check` decides those'],
    [{ queries: [3] }, 'there is no query with the index 3: the test has 3'],
    [{ queries: 1 }, '1 is invalid. a list of whole numbers from 0 is needed.'],
    [{ buffer: 0 }, "option 'buffer': 0 is invalid. a whole number from 1 is needed."],
    [{ limit: '5' }, `option 'limit': "5" is invalid. a whole number from 1 is needed.`],
    [{ room: 5 }, "option 'room': there is no such option"],
    [{ pool: {} }, "option 'pool': an object is no pool; createPool makes one"],
  ])('refuses %j', async (options, message) => {
    const [text, ...more] = said(await explore(RUNS, MODEL, options as never));
    expect(text).toContain(message);
    expect(more).toEqual([]);
  });

  test('refuses models without a machine, and what is no test or model', async () => {
    const other = valueOf(loadModel('x86-tso-textbook').model);
    expect(said(await explore(RUNS, other))[0]).toContain('this model is no machine: axiom');
    const ownModel = valueOf(parseModel('"own" irreflexive po as a', 'sc.cat').model);
    expect(said(await explore(RUNS, ownModel))[0]).toContain(
      "sc.cat: this model is no machine: axiom 'a'",
    );
    expect(said(await explore({} as never, {} as never))).toHaveLength(2);
  });

  test('explain has the run, too', async () => {
    const all = valueOf(await explain(RUNS, [MODEL]));
    expect(all.map(({ models: [{ verdict }] }) => verdict)).toEqual(['allowed', 'fails', 'holds']);
    const [answer] = valueOf(await explore(RUNS, MODEL, { queries: [1] }));
    const { run, steps } = answer;
    expect(all[1].models[0].run).toEqual({ steps: run, data: steps });
  });
});

test('a client of libraries brings its models, and its values have a text', async () => {
  const file = 'test/files/clients/words.litmus';
  const client = valueOf(parseLitmus(readFileSync(join(ROOT, file), 'utf8'), file));
  const [model] = client.models!;
  const { states } = valueOf(await outcomes(client, model));
  expect(states.map((state) => valueText(state['a']))).toEqual(['none', '<0, 0>', '<1, 1>']);
  expect(said(await check(client, MODEL))[0]).toContain('sc has no operation `msw.write`');
});

test('a model without axioms is refused, from a text too', () => {
  const { model } = parseModel('"nothing" let r = po');
  expect(model).toMatchObject({
    ok: false,
    errors: [{ message: expect.stringContaining('has no axioms') }],
  });
});

describe('options of one question', () => {
  test.each([
    ['check', { engine: 'foo' }, '"foo" is invalid. Allowed choices are auto, search, smt, '],
    ['check', { engine: ['smt'] }, 'a list is invalid. Allowed choices are auto, search, smt, '],
    ['check', { limit: 0.5 }, '0.5 is invalid. a whole number from 1 is needed.'],
    ['check', { solver: 1 }, '1 is invalid. a text is needed.'],
    ['check', { solver: ' ' }, '" " is invalid. a command is needed.'],
    ['check', { bond: 3 }, "option 'bond': there is no such option; did you mean 'bound'?"],
    ['check', { all: true }, "option 'all': there is no such option"],
    [
      'check',
      { limit: 5 },
      'limit is for the engines enumerate, operational, simplified, six-buffers; auto',
    ],
    ['check', { engine: 'native' }, 'the engine native needs a solver of yours'],
    ['check', { engine: 'smt', solver: 'z3' }, 'solver is for the engine native; smt would not'],
    ['outcomes', { all: 'yes' }, '"yes" is invalid. true or false is needed.'],
    ['robustness', { comparison: 'x' }, 'Allowed choices are complete, prefixes, outcomes.'],
    ['robustness', { explore: 1 }, '1 is invalid. true or false is needed.'],
    ['robustness', { counterBound: 0 }, '0 is invalid. a whole number from 1 is needed.'],
    ['explain', { queries: 0 }, '0 is invalid. a list of whole numbers from 0 is needed.'],
    ['explain', { queries: [-1] }, 'a list is invalid. a list of whole numbers from 0 is needed.'],
    ['explain', { queries: [1] }, 'there is no query with the index 1: the test has 1'],
    ['explain', { show: 'rf' }, '"rf" is invalid. a list of names is needed.'],
  ])('%s, %j', async (name, options, message) => {
    const [text, ...more] = said(await QUESTIONS[name](TEST, MODEL, options));
    expect(text).toContain(message);
    expect(more).toEqual([]);
  });

  test('models to explain under', async () => {
    expect(said(await explain(TEST, []))).toEqual(['explain: models: one is needed']);
    expect(said(await explain(TEST, MODEL as never))).toEqual([
      'explain: models: an object is no list of models',
    ]);
  });

  test('the command line says the same', async () => {
    for (const [flag, option, value] of [
      ['--bound', 'bound', '1.5'],
      ['--limit', 'limit', '0'],
      ['--jobs', 'jobs', '0'],
      ['--jobs', 'jobs', '257'],
      ['--time-limit', 'timeLimit', '0'],
      ['--engine', 'engine', 'foo'],
    ]) {
      const given = option === 'engine' ? value : Number(value);
      const [message] = said(await check(TEST, MODEL, { [option]: given }));
      const needed = message.replace(/^.* is invalid\. /, '');
      const { stderr } = await remora(['check', 'x.litmus', flag, value]);
      expect(stderr).toContain(`argument '${value}' is invalid. ${needed}\n`);
    }
  });
});

describe('what does not ask', () => {
  test('texts', () => {
    for (const wrong of [undefined, null, 1, {}, ['x']]) {
      for (const result of [
        parseLitmus(wrong as never),
        parseModel(wrong as never).model,
        loadModel(wrong as never).model,
      ]) {
        expect(said(result)[0]).toMatch(/ is no text$/);
      }
    }
    expect(said(parseLitmus(Buffer.from(TEXT) as never))).toEqual([
      'parseLitmus: text: bytes is no text: read the file with the encoding utf8',
    ]);
    expect(said(parseLitmus(TEXT, 5 as never))).toEqual(['parseLitmus: file: 5 is no text']);
    expect(said(parseLitmus(TEXT, 'a', 'mine' as never))).toEqual([
      'parseLitmus: models: "mine" is no list of names',
    ]);
    expect(said(parseLitmus(TEXT, 'a', [5] as never))).toEqual([
      'parseLitmus: models: 5 is no text',
    ]);
  });

  test('conditions and diagnostics', async () => {
    expect(said(await robustnessConditions(undefined as never, {} as never))).toHaveLength(2);
    expect(renderDiagnostic(undefined as never)).toBe(
      'renderDiagnostic: undefined is no diagnostic',
    );
    const parsed = parseLitmus('RDMA');
    expect(renderDiagnostic((parsed as never)['errors'][0], {} as never)).toMatch(
      /^input.litmus: /,
    );
  });

  test.each([[null], [1], [{ jobs: 1.5 }], [{ jobs: Infinity }], [{ solver: 5 }]])(
    'a pool of %j answers with what is wrong',
    async (options) => {
      const pool: Pool = createPool(options as unknown as PoolOptions);
      const engine = 'smt' as const;
      const asked = { models: [MODEL], engine, queries: [0], tests: [TEST], test: TEST };
      const job = { ...asked, subjects: [], counted: true };
      const [[answer]] = await pool.decide({ ...job, kind: 'decide' });
      expect(answer).toMatchObject({ verdict: 'unknown', reason: pool.problem });
      expect(await pool.outcomes({ ...job, kind: 'outcomes' })).toMatchObject({
        incomplete: pool.problem,
      });
      expect(pool.problem).toMatch(/ is invalid\. | is no object$/);
      await pool.close();
    },
  );
});
