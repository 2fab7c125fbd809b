import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createPool, loadModel, robustness, robustnessConditions } from '../../dist/index.js';
import type { Run } from '../support/run.js';
import { ROOT, remora } from '../support/run.js';
import { litmus, valueOf } from '../support/litmus.js';

/** `remora robust`: its output, its table, its mistakes; robustness in the library. */

const robust = (...args: string[]): Promise<Run> => remora(['robust', ...args, '--jobs', '1']);

describe('what it prints', () => {
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
