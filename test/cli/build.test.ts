import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAIN, ROOT, run } from '../support/run.js';

/** What the build makes: a bundle, which finds the package's files from anywhere, V8's code for it, and the library. */

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

  /** What a command loads and starts, beside what it writes. */
  const spied = async (...args: string[]): Promise<readonly string[]> => {
    const spy = join(folder, 'spy.cjs');
    writeFileSync(
      spy,
      `const { Module } = require('node:module');
       const threads = require('node:worker_threads');
       const processes = require('node:child_process');
       const load = Module._load;
       const say = (what) => process.stderr.write(what + '\\n');
       Module._load = (name, ...rest) => (say('loads ' + name), load(name, ...rest));
       threads.Worker = class extends threads.Worker {
         constructor(...given) { super(...given); say('a worker'); }
       };
       processes.spawn = () => say('a process');`,
    );
    const { stderr, code } = await run(process.execPath, ['--require', spy, MAIN, ...args]);
    expect(code).toBe(0);
    return stderr.split('\n');
  };

  test('loads large packages only where it needs them', async () => {
    const large = (lines: readonly string[]) =>
      lines.filter((line) => /fast-check|z3-solver|@resvg/.test(line));
    expect(large(await spied('check', TEST))).toEqual([]);
    expect(large(await spied('agree', '--random', '1'))).toContain('loads fast-check');
  });

  test('starts no worker and no process for what is decided at once', async () => {
    const started = (lines: readonly string[]) => lines.filter((line) => line.startsWith('a '));
    const loop = join(ROOT, 'corpus/field/ping-pong.litmus');
    for (const file of [TEST, loop]) expect(started(await spied('check', file))).toEqual([]);
    expect(started(await spied('outcomes', TEST))).toEqual([]);
    expect(started(await spied('check', TEST, '--engine', 'smt'))).toEqual(['a worker']);
  });
});

describe("V8's code for the bundle", () => {
  /** A copy of what is built, but for the library. */
  const copyOf = (name: string): string => {
    const copy = join(folder, name);
    for (const part of ['dist/cli/main.cjs', 'dist/node/worker.js', 'dist/bundle', 'dist/made']) {
      cpSync(join(ROOT, part), join(copy, part), { recursive: true });
    }
    cpSync(join(ROOT, 'models'), join(copy, 'models'), { recursive: true });
    for (const part of ['package.json', 'node_modules']) {
      symlinkSync(join(ROOT, part), join(copy, part));
    }
    return copy;
  };

  const check = async (copy: string): Promise<string> => {
    const main = join(copy, 'dist/cli/main.cjs');
    const { stdout, stderr } = await run(process.execPath, [main, 'check', TEST]);
    expect(stderr).toBe('');
    return stdout;
  };

  /** Does V8 take code that is there for the bundle of a copy? Undefined if none is handed to it. */
  const taken = async (copy: string, ...flags: string[]): Promise<string> => {
    const url = (path: string): string => JSON.stringify(pathToFileURL(path).href);
    const code = `
      import { compileBundle } from ${url(join(ROOT, 'dist/node/bundle.js'))};
      const { script } = compileBundle(new URL(${url(join(copy, 'dist/bundle/remora.cjs'))}));
      const rejected = script.cachedDataRejected;
      console.log(rejected === undefined ? 'none' : rejected ? 'rejected' : 'taken');`;
    const asking = join(copy, 'asking.mjs');
    writeFileSync(asking, code);
    return (await run(process.execPath, [...flags, asking])).stdout.trim();
  };

  const codeOf = (copy: string): string => join(copy, 'dist/bundle/remora.code');

  /** Changes a file of a copy in place. */
  const edit = (file: string, change: (bytes: Buffer) => Buffer): void =>
    writeFileSync(file, change(readFileSync(file)));

  test('is taken', async () => {
    const copy = copyOf('whole');
    expect(await taken(copy)).toBe('taken');
    expect(await check(copy)).toContain('allowed: a = 1, b = 0');
  });

  test.each<[string, (copy: string) => void]>([
    ['missing', (copy) => rmSync(codeOf(copy))],
    ['empty', (copy) => edit(codeOf(copy), () => Buffer.of())],
    ['cut', (copy) => edit(codeOf(copy), (code) => code.subarray(0, 300_000))],
  ])('does without it where it is %s', async (name, change) => {
    const copy = copyOf(name);
    const whole = await check(copy);
    change(copy);
    expect(await taken(copy)).toBe('none');
    expect(await check(copy)).toBe(whole);
  });

  test('does without it where V8 has other flags', async () => {
    expect(await taken(copyOf('flagged'), '--no-opt')).toBe('none');
  });

  test('is not taken for the text of another build', async () => {
    const copy = copyOf('another');
    edit(join(copy, 'dist/bundle/remora.cjs'), (text) =>
      Buffer.from(
        text
          .toString()
          .replace(/^\/\*./, '/*x')
          .replaceAll('as published', 'AS PUBLISHED'),
      ),
    );
    expect(await taken(copy)).toBe('none');
    expect(await check(copy)).toContain('allowed: a = 1, b = 0; AS PUBLISHED');
  });

  describe('is kept for a user where the build has none for this Node', () => {
    /** A copy without code, and where its user keeps files. */
    const withoutCode = (
      name: string,
    ): { main: string; env: Record<string, string>; kept: string } => {
      const copy = copyOf(name);
      rmSync(codeOf(copy));
      const caches = join(copy, 'caches');
      return {
        main: join(copy, 'dist/cli/main.cjs'),
        env: { XDG_CACHE_HOME: caches },
        kept: join(caches, 'remora/code'),
      };
    };

    const TAKEN = 'taken';

    /** Runs a command and tells whether V8 took code: `--require` sees what is handed to it. */
    const runs = async (
      { main, env }: ReturnType<typeof withoutCode>,
      args: readonly string[] = ['check', TEST],
      flags: readonly string[] = [],
    ): Promise<{ stdout: string; taken: boolean }> => {
      const spy = join(folder, 'code-spy.cjs');
      writeFileSync(
        spy,
        `const vm = require('node:vm');
         const Script = vm.Script;
         vm.Script = class extends Script {
           constructor(...given) {
             super(...given);
             if (this.cachedDataRejected === false) process.stderr.write('${TAKEN}\\n');
           }
         };
         require('node:module').syncBuiltinESMExports();`,
      );
      const { code, stdout, stderr } = await run(
        process.execPath,
        [...flags, '--require', spy, main, ...args],
        { env },
      );
      expect(code).toBe(0);
      expect(['', `${TAKEN}\n`]).toContain(stderr);
      return { stdout, taken: stderr !== '' };
    };

    test('by the first run, whatever it does: the second one takes it', async () => {
      for (const engine of ['auto', 'smt']) {
        const copy = withoutCode(`own-${engine}`);
        const first = await runs(copy, ['check', TEST, '--engine', engine]);
        expect(first.taken).toBe(false);
        expect(readdirSync(copy.kept)).toHaveLength(1);
        const second = await runs(copy);
        expect(second.taken).toBe(true);
        expect(second.stdout).toBe(first.stdout);
      }
    });

    test('for each set of flags', async () => {
      const copy = withoutCode('flags');
      const flags = ['--max-old-space-size=500'];
      await runs(copy);
      expect(await runs(copy, undefined, flags)).toMatchObject({ taken: false });
      expect(await runs(copy, undefined, flags)).toMatchObject({ taken: true });
      expect(await runs(copy)).toMatchObject({ taken: true });
    });

    test('again after a day; what is older than a month is removed', async () => {
      const copy = withoutCode('old');
      await runs(copy);
      const [name] = readdirSync(copy.kept);
      const file = join(copy.kept, name);
      const other = join(copy.kept, 'other.code');
      writeFileSync(other, 'of another build');
      const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000);
      utimesSync(file, daysAgo(2), daysAgo(2));
      utimesSync(other, daysAgo(31), daysAgo(31));
      await runs(copy);
      expect(statSync(file).mtimeMs).toBeGreaterThan(daysAgo(1).getTime());
      expect(readdirSync(copy.kept)).toEqual([name]);
    });

    test('not where others may write, and not where there is no folder for it', async () => {
      const copy = withoutCode('open');
      await runs(copy);
      chmodSync(copy.kept, 0o777);
      expect(await runs(copy)).toMatchObject({ taken: false });
      const blocked = { ...copy, env: { XDG_CACHE_HOME: TEST } };
      expect(await runs(blocked)).toMatchObject({ taken: false });
      expect(await runs({ ...copy, env: {} })).toMatchObject({ taken: false });
    });

    test('a file that was cut is made anew', async () => {
      const copy = withoutCode('own-cut');
      await runs(copy);
      const [name] = readdirSync(copy.kept);
      edit(join(copy.kept, name), (code) => code.subarray(0, 300_000));
      expect(await runs(copy)).toMatchObject({ taken: false });
      expect(await runs(copy)).toMatchObject({ taken: true });
    });
  });

  test('goes with models as they are now', async () => {
    const copy = copyOf('edited');
    edit(join(copy, 'models/instructions.cat'), (text) =>
      Buffer.concat([text, Buffer.from('\nempty rf as none\n')]),
    );
    expect(await check(copy)).toContain('rules out every execution');
  });
});

test('what is built already is not built again, and what is not, is', async () => {
  const copy = join(folder, 'copy');
  const parts = ['src', 'models', 'scripts', 'dist', 'package.json', 'package-lock.json'];
  for (const part of [...parts, 'tsconfig.base.json', 'tsconfig.json']) {
    cpSync(join(ROOT, part), join(copy, part), { recursive: true, preserveTimestamps: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  const build = () => run(process.execPath, ['scripts/build.js'], { cwd: copy });
  const built = () => statSync(join(copy, 'dist/cli/main.cjs')).mtimeMs;
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
