import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectedOf } from '../../src/check/expectation.js';
import { parseLitmus, shippedModels } from '../../src/index.js';
import { isStateQuery } from '../../src/program/program.js';
import { valueOf } from '../support/litmus.js';
import { NATIVE_Z3, SKIP_Z3, needZ3 } from '../support/native.js';
import { remora } from '../support/run.js';

/** `remora export --smtlib`: the scripts, and what a solver that is not ours says to them. */

const PUBLISHED = ['decidability', 'loco', 'robustness', 'tso'].map((f) => `corpus/${f}`);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'remora-export-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe.skipIf(SKIP_Z3)(NATIVE_Z3, () => {
  beforeAll(needZ3);

  test('decides exported queries as published', async () => {
    const out = join(folder, 'published');
    const files = PUBLISHED.flatMap((path) =>
      // Of vector addition systems, Z3 takes half a minute.
      readdirSync(path)
        .filter((file) => !file.startsWith('vass'))
        .map((file) => join(path, file)),
    );
    const tests = files.map((file) => valueOf(parseLitmus(readFileSync(file, 'utf8'), file)));
    const stating = (model: string) =>
      tests.filter(
        (t) =>
          t.queries.every(isStateQuery) &&
          t.queries.some((q) => expectedOf(q, model)?.authority === 'published'),
      );
    for (const model of shippedModels().filter((m) => stating(m).length > 0)) {
      const { code, stderr } = await remora([
        ...['export', '--smtlib', ...stating(model).map((t) => t.file)],
        ...['-m', model, '--out', out],
      ]);
      expect(stderr).toBe('');
      expect(code).toBe(0);
    }
    const scripts = readdirSync(out).map((file) => readFileSync(join(out, file), 'utf8'));
    const stated = scripts.map((text) => /^; published: (\w+)$/m.exec(text)?.[1]);
    const input = scripts.filter((_, i) => stated[i] !== undefined).join('(reset)\n');
    const { stdout } = spawnSync('z3', ['-in', '-smt2'], { input, encoding: 'utf8' });
    const expected = stated.filter((s) => s !== undefined);
    expect(expected.length).toBeGreaterThan(100);
    expect(stdout.trim().split('\n')).toEqual(
      expected.map((verdict) => (verdict === 'allowed' || verdict === 'fails' ? 'sat' : 'unsat')),
    );
  });
});
