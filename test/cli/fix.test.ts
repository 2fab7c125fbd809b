import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseLitmus } from '../../src/index.js';
import type { Run } from '../support/run.js';
import { remora as runRemora } from '../support/run.js';

/** `--fix` of `explain` and `robust`, pictures and words, and `distribute`, as people call them. */

const remora = (...args: readonly string[]): Promise<Run> => runRemora(args);

const folder = mkdtempSync(join(tmpdir(), 'fix-'));
const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

describe('explore --fix', () => {
  const lock = 'corpus/locks/tas-elsewhere.litmus';

  test('additions for what fails, which are enough', async () => {
    const { stdout } = await remora('explore', lock, '--fix', '--json');
    const { fix, ...about } = JSON.parse(stdout.trim().split('\n').at(-1)!);
    expect(about).toEqual({ format: 2, file: lock, test: 'tas-elsewhere' });
    expect(fix).toMatchObject({ kind: 'additions', model: 'rdma-tso', repair: { cost: 10 } });
    const places = fix.repair.additions.map((a: { place: object }) => a.place);
    expect(places).toMatchObject([
      { before: 'l^1 := 0', line: 27, column: 5 },
      { before: 'l^1 := 0', line: 27, column: 5 },
    ]);
    const again = await remora('explore', file('fixed-lock.litmus', fix.repair.litmus));
    expect(again.stdout).toMatch(/assertions\n {4}holds/);
  });

  test('atomics by the own card are told in text, as JSON, and by explain', async () => {
    const one = 'corpus/locks/one-word.litmus';
    const { stdout } = await remora('explore', one, '--fix', '--json');
    const { fix } = JSON.parse(stdout.trimEnd().split('\n').at(-1)!);
    expect(fix.repair.replaced).toEqual([
      {
        thread: 'T1',
        text: 'card := rcas(l^1, 0, 1); poll(1); r := card',
        insteadOf: 'r := CAS(l, 0, 1)',
        line: 12,
        column: 22,
      },
      {
        thread: 'T1',
        text: 'card := 0; l^1 := card; poll(1)',
        insteadOf: 'l := 0',
        line: 14,
        column: 5,
      },
    ]);
    const words = await remora('explain', one, '--fix', '--markdown');
    expect(words.stdout).toContain(
      '- T1: put `card := rcas(l^1, 0, 1); poll(1); r := card` in the place of `r := CAS(l, 0, 1)`\n- T1: put `card := 0; ',
    );
  });
});

describe('explain --fix', () => {
  test('additions for what is allowed, as JSON too', async () => {
    const { stdout, code } = await remora('explain', 'corpus/tso/CPU-SB.litmus', '--fix', '--json');
    expect(code).toBe(0);
    const { fixes } = JSON.parse(stdout);
    expect(fixes).toHaveLength(1);
    expect(fixes[0]).toMatchObject({ kind: 'additions', repair: { kind: 'found', cost: 4 } });
    const fixed = parseLitmus(fixes[0].repair.litmus);
    expect(fixed.ok).toBe(true);
    const again = await remora('check', file('fixed.litmus', fixes[0].repair.litmus));
    expect(again.stdout).toContain('forbidden');
  });

  test('costs decide', async () => {
    const { stdout } = await remora(
      ...['explain', 'corpus/tso/LB2.litmus', '--fix', '--json'],
      ...['--cost', 'rfence=30,poll=1'],
    );
    const [{ repair }] = JSON.parse(stdout).fixes;
    expect(repair.additions.map((a: { kind: string }) => a.kind)).toEqual(['poll']);
    expect(repair.cost).toBe(1);
  });
});

describe('robust --fix', () => {
  test('a program that is not robust is mended', async () => {
    const path = 'corpus/robustness/R6c.litmus';
    const { stdout, code } = await remora('robust', path, '--fix', '--json');
    expect(code).toBe(1);
    const { repair } = JSON.parse(stdout);
    expect(repair).toMatchObject({ kind: 'found', additions: [{ thread: 'T1', kind: 'poll' }] });
    const again = await remora('robust', file('robust.litmus', repair.litmus));
    expect(again.stdout).toContain('robust: every execution is SC');
    expect(again.code).toBe(0);
  });
});
