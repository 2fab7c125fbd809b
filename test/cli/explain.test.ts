import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Explanation } from '../../src/index.js';
import { remora, run } from '../support/run.js';

const SB = 'corpus/tso/CPU-SB.litmus';
const ST2 = 'corpus/tso/ST2.litmus';

/** `remora explain`, with its options. */
const why = (...args: string[]) => remora(['explain', ...args]);

describe('text', () => {
  test('lines have at most 100 columns, no colours and no blanks at their ends', async () => {
    const models = 'sc,rdma-tso,rdma-wait';
    const { stdout } = await why(
      'corpus/field/nccl-flush.litmus',
      'corpus/tso/IRIW1.litmus',
      '-m',
      models,
    );
    const wrong = stdout.split('\n').filter((line) => [...line].length > 100 || /\s$/.test(line));
    expect(wrong).toEqual([]);
    expect(stdout).not.toContain('\u001B');
  });

  test('two runs print the same; colours add nothing but themselves', async () => {
    const args = ['corpus/tso/RFF1.litmus', SB, '-m', 'rdma-tso,rdma-sc', '--jobs'];
    const [one, two] = [await why(...args, '1'), await why(...args, '2')];
    expect(two.stdout).toBe(one.stdout);
    const coloured = await remora(['explain', ...args, '1'], { env: { FORCE_COLOR: '1' } });
    expect(coloured.stdout.replace(/\u001B\[\d+m/g, '')).toBe(one.stdout);
    expect(coloured.stdout).not.toBe(one.stdout);
  });
});

describe('--json', () => {
  test('one object a query, with everything that the text tells', async () => {
    const { stdout } = await why(ST2, SB, '-m', 'rdma-sc,rdma-tso', '--json');
    const all = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Explanation);
    expect(all.map((e) => [e.file, e.test, e.query, e.question])).toEqual([
      [ST2, 'ST2', 0, 'exists (z = 1)'],
      [ST2, 'ST2', 1, 'exists (z = 0)'],
      [SB, 'CPU-SB', 0, 'exists (a = 0 /\\ b = 0)'],
    ]);
    const [{ refuted }, { admitted }] = all[2].models;
    expect(refuted!.cores).toEqual([['ob']]);
    expect(admitted!.state).toEqual({ a: 0, b: 0 });
    expect(admitted!.graph.columns).toHaveLength(2);
    expect(all[2].comparisons).toHaveLength(1);
  });
});

describe('the library', () => {
  test('explains the queries of a test, and says what is wrong', async () => {
    const script = `
      import { readFileSync } from 'node:fs';
      import { createPool, explain, loadModel, parseLitmus } from 'remora';
      const read = (file) => parseLitmus(readFileSync(file, 'utf8'), file).value;
      const models = ['rdma-tso', 'sc'].map((name) => loadModel(name).model.value);
      const pool = createPool({ jobs: 1 });
      const said = ({ ok, value, errors }) =>
        ok ? value.map((e) => e.models.map((m) => m.verdict)) : errors.map((e) => e.message);
      const answers = [
        await explain(read('${SB}'), models, { pool }),
        await explain(read('${SB}'), models, { pool, show: ['frob'] }),
        await explain(read('${ST2}'), models, { pool, queries: [1] }),
        await explain(read('corpus/loco/L3b.litmus'), models, { pool }),
      ];
      await pool.close();
      console.log(JSON.stringify(answers.map(said)));`;
    const done = await run(process.execPath, ['--input-type=module', '-e', script]);
    expect(done.stderr).toBe('');
    expect(JSON.parse(done.stdout)).toEqual([
      [['allowed', 'forbidden']],
      ["there is no relation 'frob' to show"],
      [['allowed', 'allowed']],
      [expect.stringContaining('cannot be translated for rdma-tso')],
    ]);
  });
});

describe('--timeline', () => {
  const folder = mkdtempSync(join(tmpdir(), 'remora-timeline-'));
  const svg = join(folder, 'run.svg');

  test('shows runs behind questions about runs, as a sequence diagram and as data', async () => {
    const asked = ['corpus/locks/tas-elsewhere.litmus', '--query', '2', '--timeline'];
    const { stdout } = await why(...asked, '--markdown');
    const [, diagram] = /```mermaid\n([^`]*)```/.exec(stdout)!;
    expect(diagram).toContain('⚠ what the thread asserts is not so');
    const { models } = JSON.parse((await why(...asked, '--json')).stdout) as Explanation;
    expect(models[0].run?.timeline?.steps.at(-1)?.note).toBe('what the thread asserts is not so');
  });

  test('is data, too', async () => {
    const { stdout } = await why(ST2, '--query', '1', '--timeline', '--json', '--svg', svg);
    const { models } = JSON.parse(stdout) as Explanation;
    expect(models[0].admitted?.timeline?.lanes.map(({ kind }) => kind)).toEqual([
      'thread',
      'memory',
      'nic',
      'memory',
      'nic',
    ]);
    const plain = await why(ST2, '--query', '1', '--json');
    expect(plain.stdout).not.toContain('timeline');
  });
});
