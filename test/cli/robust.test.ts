import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createPool, loadModel, robustness, robustnessConditions } from '../../dist/index.js';
import type { Run } from '../support/run.js';
import { ROOT, STACK_TRACE, remora } from '../support/run.js';
import { litmus, valueOf } from '../support/litmus.js';

/** `remora robust`: its output, its table, its mistakes; robustness in the library. */

const robust = (...args: string[]): Promise<Run> => remora(['robust', ...args, '--jobs', '1']);

describe('what it prints', () => {
  test('an execution that is not SC with its cycle, and what else can be said', async () => {
    const files = ['robustness/R6c', 'loco/L3a', 'events/division', 'events/loops'];
    const paths = files.map((file) => `corpus/${file}.litmus`);
    const { code, stdout, stderr } = await robust(...paths, 'test/files/vacuous.litmus');
    expect(stderr).toBe('');
    expect(stdout).toBe(
      [
        'R6c under rdma-tso, complete executions',
        '  not robust: some execution is not SC',
        '    ends with x = 1, y = 1, a = 1',
        '    cycle:',
        '      T1  a := x^2  11:1   nrR(x, 1)  po →',
        '      T1  y^3 := 1  12:1   nrW(y, 1)  rf →',
        '      T2  x := y^3  11:12  nrR(y, 1)  po →',
        '      T2  x := y^3  11:12  nlW(x, 1)  rf → back to the first',
        '',
        'L3a under rdma-tso, complete executions  (1 wait read as poll for rdma-tso)',
        '  robust: every execution is SC',
        '',
        'division under rdma-tso, complete executions',
        '  unknown: some run divides by zero',
        '',
        'loops under rdma-tso, complete executions',
        '  robust: every execution is SC; for runs with at most 1 iterations of each loop',
        '',
        'vacuous under rdma-tso, complete executions',
        '  vacuous: T1 polls node 2 more often than it has operations towards it',
        '',
        '',
      ].join('\n'),
    );
    expect(code).toBe(1);
  });

  test('the conditions, each with what fails and what to do, and what follows', async () => {
    const paths = ['robustness/R6b', 'events/loops'].map((file) => `corpus/${file}.litmus`);
    const { code, stdout } = await robust(...paths, '--static');
    expect(stdout).toBe(
      [
        'R6b under rdma-tso, complete executions',
        '  robust: every execution is SC',
        '  locally data-race free (Def. 7): holds',
        '  fenced (Def. 13): fails',
        '    D3, get then put on different queue pairs: T1: a := x^2 (12:1), y^3 := 1 (13:1);' +
          ' put between: poll(2) for the get; nodes 2, 3 communicate without T1',
        '  tree-fenced (Def. 14): fails',
        '    3a: nodes 1, 3, 2 communicate in a circle',
        '  not provable by these conditions, robust by exact check',
        '',
        'loops under rdma-tso, complete executions',
        '  robust: every execution is SC; for runs with at most 1 iterations of each loop',
        '  locally data-race free (Def. 7): holds',
        '  fenced (Def. 13): holds',
        '  tree-fenced (Def. 14): holds',
        '  robust by Theorem 17, however often loops run',
        '',
        '',
      ].join('\n'),
    );
    expect(code).toBe(0);
  });

  test('prefixes; a queue pair with a get that is overtaken', async () => {
    const path = 'corpus/tso/RRPR3.litmus';
    const { stdout, code } = await robust(path, '--prefixes', '--static', '-m', 'rdma-sc');
    expect(stdout.split('\n').slice(0, 3)).toEqual([
      'RRPR3 under rdma-sc, threads may stop anywhere',
      '  not robust: some execution is not SC',
      expect.stringMatching(/^ {4}leaves memory with x = -?\d+, y = -?\d+, z = -?\d+$/),
    ]);
    const cell = /2: D8, get then get on the same queue pair: .* put between: rfence\(2\)/;
    expect(stdout).toMatch(cell);
    expect(stdout).toContain('not provable by these conditions, and not robust by exact check');
    expect(code).toBe(1);
  });

  test('final states, under several models', async () => {
    const models = ['-m', 'rdma-sc,rdma-tso'];
    const { stdout, code } = await robust('corpus/tso/CPU-SB.litmus', '--outcomes', ...models);
    expect(stdout).toBe(
      [
        'CPU-SB under rdma-sc, final states only',
        '  robust: every final state is one of SC',
        '',
        'CPU-SB under rdma-tso, final states only',
        '  not robust: some final state is not one of SC',
        '    no execution of SC ends with x = 1, y = 1, a = 0, b = 0',
        '',
        '',
      ].join('\n'),
    );
    expect(code).toBe(1);
  });

  test('JSON', async () => {
    const paths = ['robustness/R6c', 'loco/L3b'].map((file) => `corpus/${file}.litmus`);
    const { stdout, code } = await robust(...paths, '--json', '--static');
    const [line, untranslatable, end] = stdout.split('\n');
    expect(end).toBe('');
    const found: unknown = JSON.parse(line);
    expect(found).toMatchObject({
      file: 'corpus/robustness/R6c.litmus',
      test: 'R6c',
      model: 'rdma-tso',
      comparison: 'complete',
      verdict: 'not robust',
      violation: {
        state: { x: 1, y: 1, a: 1 },
        cycle: [
          { event: 4, relation: 'po' },
          { event: 7, relation: 'rf' },
          { event: 8, relation: 'po' },
          { event: 9, relation: 'rf' },
        ],
      },
      conditions: {
        proves: false,
        ldrf: [],
        fenced: [{ cell: 'D3', remedy: 'poll', route: ['2', '3'] }],
        treeFenced: [{ property: '1' }, { property: '3a' }],
      },
    });
    expect(untranslatable).toMatch(
      /^\{"format":2,"file":.*"verdict":"untranslatable","reason":"wait\(d\) /,
    );
    expect(code).toBe(2);
  });
});

test('models of CPUs, whose programs have no events of NICs', async () => {
  const { code, stdout } = await robust('corpus/tso/CPU-SB.litmus', '-m', 'x86-tso');
  expect([code, stdout.split('\n')[1]]).toEqual([1, '  not robust: some execution is not SC']);
});

test('remote atomics are indivisible under SC', async () => {
  const file = 'test/files/atomic-and-store.litmus';
  const { code, stdout } = await robust(file, '-m', 'rdma-tso,rdma-tso-glob');
  expect(code).toBe(1);
  expect(stdout).toContain('atomic-and-store under rdma-tso, complete executions\n  not robust');
  expect(stdout).toContain('atomic-and-store under rdma-tso-glob, complete executions\n  robust');
});

describe('mistakes are one message', () => {
  test.each([
    [
      ['corpus/robustness', '-m', 'rdma-wait', '--static'],
      /^rdma-wait: the static conditions for robustness are known for rdma-sc and rdma-tso only\n$/,
    ],
    [
      ['corpus/robustness', '-m', 'test/files/models/weak-puts.cat', '--static'],
      /^test\/files\/models\/weak-puts\.cat: the static conditions /,
    ],
    [
      ['corpus/robustness', '--prefixes', '--outcomes'],
      /^error: --outcomes is about complete executions: it does not go with --prefixes\n\(see remora robust --help\)\n$/,
    ],
    [['corpus/robustness', '--table', '--static'], /^error: --table is all there is: /],
    [
      ['corpus/robustness', '--table', '-m', 'sc'],
      /^error: --table is about rdma-sc and rdma-tso: /,
    ],
    [
      ['corpus/robustness', '--engine', 'enumerate'],
      /^error: the engine enumerate asks no solver; robust takes auto, search, smt/,
    ],
    [
      ['corpus/robustness', '-m', 'rdma-tos'],
      /^rdma-tos: no such model.*\n {2}did you mean 'rdma-tso'\?\n$/,
    ],
    [['corpus/nowhere'], /^corpus\/nowhere: no such file or folder\n$/],
    [
      ['corpus/loco/L3b.litmus'],
      /^corpus\/loco\/L3b\.litmus:8:42: wait\(d\) cannot be translated for rdma-tso: .*\n8 \| .*\n +\| +\^{7}\n$/,
    ],
  ])('%j', async (args, expected) => {
    const { code, stdout, stderr } = await robust(...args);
    expect(stderr).toMatch(expected);
    expect(stderr).not.toMatch(STACK_TRACE);
    expect([code, stdout]).toEqual([2, '']);
  });
});

describe('the library', () => {
  const R6b = litmus(readFileSync(join(ROOT, 'corpus/robustness/R6b.litmus'), 'utf8'));
  const tso = valueOf(loadModel('rdma-tso').model);

  test('finds the same', async () => {
    const pool = createPool({ jobs: 1 });
    try {
      for (const comparison of ['complete', 'prefixes', 'outcomes'] as const) {
        const found = valueOf(await robustness(R6b, tso, { comparison, pool }));
        expect(found).toMatchObject({ comparison, verdict: 'robust' });
      }
      const sc = valueOf(loadModel('rdma-sc').model);
      const all = valueOf(await robustness(R6b, sc, { pool, explore: true }));
      expect(all).toMatchObject({ comparison: 'prefixes', verdict: 'robust', explored: {} });
      const late = valueOf(await robustness(R6b, tso, { pool, bound: 2 }));
      expect(late.verdict).toBe('robust');
    } finally {
      await pool.close();
    }
    const conditions = valueOf(await robustnessConditions(R6b, tso));
    expect(conditions).toMatchObject({ ldrf: [], fenced: [{ cell: { name: 'D3' } }] });
  });

  test('fails with diagnostics', async () => {
    const refused = await robustness(R6b, tso, { engine: 'operational' });
    expect(!refused.ok && refused.errors[0].message).toMatch(
      /^the engine operational asks no solver/,
    );
    const unexplored = await robustness(R6b, tso, { explore: true });
    expect(!unexplored.ok && unexplored.errors[0].message).toBe(
      'the exploration decides robustness under rdma-sc only',
    );
    const unknown = await robustnessConditions(R6b, valueOf(loadModel('sc').model));
    expect(!unknown.ok && unknown.errors[0].message).toMatch(/^the static conditions /);
    const wait = litmus(readFileSync(join(ROOT, 'corpus/loco/L3b.litmus'), 'utf8'));
    expect([(await robustness(wait, tso)).ok, (await robustnessConditions(wait, tso)).ok]).toEqual([
      false,
      false,
    ]);
  });
});
