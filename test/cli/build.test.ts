import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAIN, ROOT, run } from '../support/run.js';

/** What the build makes: two bundles, which find the package's files from anywhere, and the library. */

const TEST = join(ROOT, 'corpus/tso/MP3bis.litmus');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'remora-build-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the command line', () => {
  test('is a program', () => {
    expect(readFileSync(MAIN, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
    expect(statSync(MAIN).mode & 0o111).toBe(0o111);
  });

  test.each(['main.js', '../node/worker.js'])('%s is one file', (file) => {
    const code = readFileSync(join(MAIN, '..', file), 'utf8');
    expect(code).not.toMatch(/\bfrom\s*["']\.\.?\//);
  });

  test.each(['auto', 'smt', 'operational'])('runs in another folder, by %s', async (engine) => {
    const { code, stdout, stderr } = await run(
      process.execPath,
      [MAIN, 'check', TEST, '--engine', engine],
      { cwd: folder },
    );
    expect(stdout).toContain('allowed: a = 1, b = 0');
    expect(stderr).toBe('');
    expect(code).toBe(0);
  });

  test('runs by a link, as npm makes one', async () => {
    const link = join(folder, 'remora');
    symlinkSync(MAIN, link);
    const { code, stdout, stderr } = await run(link, ['check', TEST, '--engine', 'smt'], {
      cwd: folder,
    });
    expect(stdout).toContain('allowed: a = 1, b = 0');
    expect(stderr).toBe('');
    expect(code).toBe(0);
  });

  test('large packages are imported by parts that only some commands load', () => {
    const importing = (file: string): boolean =>
      /from ?"(fast-check|z3-solver|@resvg)/.test(readFileSync(join(ROOT, 'dist', file), 'utf8'));
    expect(['cli/main.js', 'node/worker.js'].filter(importing)).toEqual([]);
    const parts = readdirSync(join(ROOT, 'dist/parts')).filter((file) => file.endsWith('.js'));
    expect(parts.map((file) => `parts/${file}`).filter(importing)).not.toEqual([]);
  });
});

test('what is built already is not built again, and what is not, is', async () => {
  const copy = join(folder, 'copy');
  const parts = ['src', 'models', 'scripts', 'dist', 'package.json', 'package-lock.json'];
  for (const part of [...parts, 'tsconfig.json', 'tsconfig.build.json']) {
    cpSync(join(ROOT, part), join(copy, part), { recursive: true, preserveTimestamps: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  const build = () => run(process.execPath, ['scripts/build.js'], { cwd: copy });
  const built = () => statSync(join(copy, 'dist/cli/main.js')).mtimeMs;
  const once = built();
  // A checkout changes times, and no contents.
  const grammar = join(copy, 'src/parse/litmus.ne');
  utimesSync(grammar, new Date(), new Date());
  expect(await build()).toMatchObject({ code: 0, stdout: '', stderr: '' });
  expect(built()).toBe(once);
  // The first step of the build finds this mistake. So a build was begun; the next call begins another one.
  appendFileSync(grammar, '\n-> no rule\n');
  for (let time = 0; time < 2; time++) {
    const { code, stderr } = await build();
    expect(code).toBe(1);
    expect(stderr).toContain('-> no rule');
  }
});

test('the library works with a pool', async () => {
  const code = `
    import { check, createPool, loadModel, parseLitmus } from ${JSON.stringify(pathToFileURL(join(ROOT, 'dist/index.js')).href)};
    import { readFileSync } from 'node:fs';
    const test = parseLitmus(readFileSync(${JSON.stringify(TEST)}, 'utf8')).value;
    const pool = createPool({ jobs: 2 });
    for (const engine of ['auto', 'smt']) {
      const { value } = await check(test, loadModel('rdma-tso').model.value, { pool, engine });
      console.log(engine, value[0].verdict);
    }
    await pool.close();`;
  const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: folder,
  });
  expect(stderr).toBe('');
  expect(stdout).toBe('auto allowed\nsmt allowed\n');
});
