import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Model, Pool } from '../../dist/index.js';
import { check, createPool, loadModel, outcomes, parseLitmus } from '../../dist/index.js';
import { inBlocks, programs } from '../../src/rdma/random/programs.js';
import * as fake from '../support/fake-solver.js';
import { valueOf } from '../support/litmus.js';
import { NATIVE_Z3, SKIP_Z3, needZ3 } from '../support/native.js';
import { remora, remoraProcess } from '../support/run.js';
import { ALL, cases } from '../support/random.js';

/** `--solver`: the built command line with solvers real and fake. */

const MP = 'corpus/tso/MP3bis.litmus';
/** That of x86-TSO with RDMA has as many as the others together. */
const PUBLISHED = ['decidability', 'loco', 'robustness', ...(ALL ? ['tso'] : [])].map(
  (folder) => `corpus/${folder}`,
);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'remora-solver-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const script = (name: string, body: string): string => fake.script(join(folder, name), body);
const failing = (name: string, what: string): string => fake.failing(join(folder, name), what);

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** The processes that a fake solver has noted in a file so far. */
const noted = (file: string): readonly number[] =>
  existsSync(file) ? (readFileSync(file, 'utf8').match(/^\d+\n/gm) ?? []).map(Number) : [];

/** A process that was killed may still be there until its parent has waited for it. */
async function expectEnded(file: string): Promise<void> {
  const pids = noted(file);
  expect(pids.length).toBeGreaterThan(1);
  await vi.waitFor(() => expect(pids.filter(isRunning)).toEqual([]), { timeout: 60_000 });
}

describe('a solver that fails at a query leaves it undecided', () => {
  test.each([
    [
      'exits',
      'echo "out of licences" >&2; exit 9',
      'exits ended with exit code 9: out of licences',
    ],
    ['crashes', 'kill -SEGV $$', 'crashes was ended by SIGSEGV'],
    ['reports', `echo '(error "out of memory")'`, 'reports reports: out of memory'],
    ['babbles', 'echo Segmentation fault', "babbles answers 'Segmentation fault'"],
    ['lies', "printf 'sat\\nunsat\\n'", "lies answers 'sat'"],
    [
      'gives-up',
      'echo unknown; read -r line; echo "(:reason-unknown \\"too hard\\")"',
      'gives-up: too hard',
    ],
  ])('%s', async (name, what, reason) => {
    const solver = failing(name, what);
    const { code, stdout, stderr } = await remora(['check', MP, '--solver', solver]);
    expect(stdout).toContain(`    unknown: ${reason}`);
    expect(stderr).toBe('');
    expect(code).toBe(3);
  });

  test('who says `sat` without values has said nothing', async () => {
    const solver = failing('empty', 'echo sat; read -r line; echo "()"');
    const { stdout } = await remora(['check', MP, '--solver', solver]);
    expect(stdout).toContain("unknown: empty answers '()'");
  });
});

// Most of this is waiting, which they can do at the same time.
describe.concurrent('no process outlives a command', () => {
  /** Notes itself and a child, and does not end by itself. */
  const sleeper = (name: string, and: string): { solver: string; pids: string } => {
    const pids = join(folder, `${name}.pids`);
    const what = `sleep 1000 & echo $$ >> ${pids}; echo $! >> ${pids}; ${and}`;
    return { solver: failing(name, what), pids };
  };

  test('that hangs: it ends at the time limit', async () => {
    const { solver, pids } = sleeper('hangs', 'wait');
    const { code, stdout } = await remora([
      ...['check', MP, '--solver', solver, '--time-limit', '1'],
    ]);
    expect(stdout).toContain('unknown: time limit of 1 s reached');
    expect(code).toBe(3);
    await expectEnded(pids);
  });

  test('that hangs at its start', async () => {
    const solver = script('deaf', 'sleep 1000');
    const { code, stdout } = await remora([
      ...['check', MP, '--solver', solver, '--time-limit', '0.5'],
    ]);
    expect(stdout).toContain('unknown: time limit of 0.5 s reached');
    expect(code).toBe(3);
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('that is ended by %s', async (name) => {
    const { solver, pids } = sleeper(`hangs-${name}`, 'wait');
    const { code, stdout } = await remoraProcess(['check', MP, '--solver', solver], {
      signal: { name, after: () => noted(pids).length > 1 },
    });
    expect(code).toBe(130);
    expect(stdout).toBe('interrupted after 0 of 1 verdicts\n');
    await expectEnded(pids);
  });

  test('that comes to its end', async () => {
    const { solver, pids } = sleeper('stays', 'trap "" HUP TERM PIPE; echo unsat');
    const { code } = await remora(['check', MP, '--solver', solver]);
    expect(code).not.toBeNull();
    await expectEnded(pids);
  });
});

describe.skipIf(SKIP_Z3)(NATIVE_Z3, () => {
  beforeAll(needZ3);

  test('decides the published tests as published', async () => {
    const { code, stdout, stderr } = await remora(['test', ...PUBLISHED, '--solver', 'z3']);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/, 0 unknown; [1-9]\d* expectations held.*, 0 failed/);
    expect(code).toBe(0);
  });

  test('is an engine beside the others', async () => {
    const engines = 'smt,native,native-difference';
    const { code, stdout, stderr } = await remora([
      ...['agree', 'corpus/robustness', '--engine', engines, '--solver', 'z3'],
    ]);
    expect(stderr).toBe('');
    expect(stdout).toContain('rdma-tso by smt, native, native-difference: agree on ');
    expect(code).toBe(0);
    const { stdout: by } = await remora(['agree', MP, '--solver', 'z3']);
    expect(by).toContain('rdma-tso by smt, enumerate, operational, native: agree on 1 program');
  });

  test('a process that failed is replaced, with all that it knew', async () => {
    const runs = join(folder, 'runs');
    // The first run is for the query of one variable, the second fails at its first real one.
    const solver = script(
      'fails-once',
      `echo >> ${runs}; test $(wc -l < ${runs}) -ne 2 || exit 1; exec z3 -in -smt2`,
    );
    const { stdout } = await remora(['check', 'test/files/tests/loop.litmus', '--solver', solver]);
    expect(stdout).toBe(
      'loop under rdma-tso\n' +
        '  exists (b = 0)\n    unknown: fails-once ended with exit code 1\n' +
        '  exists (b = 1)\n    allowed: b = 1\n\n',
    );
  });

  describe('finds the final states that the built-in one finds', () => {
    let pools: readonly Pool[];
    const models = ['rdma-tso', 'sc'].map((name): Model => valueOf(loadModel(name).model));
    beforeAll(() => {
      pools = [createPool({ jobs: 1 }), createPool({ jobs: 1, solver: 'z3' })];
    });
    afterAll(() => Promise.all(pools.map((pool) => pool.close())));

    async function compare(text: string): Promise<void> {
      const test = valueOf(parseLitmus(text));
      for (const model of models) {
        const [built, native] = await Promise.all(
          pools.map((pool, i) =>
            outcomes(test, model, { pool, engine: i === 0 ? 'smt' : 'native', all: true }),
          ),
        );
        const found = built.ok && native.ok ? [built.value, native.value] : [];
        const [a, b] = found.map(({ states, incomplete, upTo }) => ({ states, incomplete, upTo }));
        expect({ text, ...b }).toEqual({ text, ...a });
      }
    }

    test('in the published tests', async () => {
      const files = PUBLISHED.flatMap((path) =>
        readdirSync(path, { recursive: true, encoding: 'utf8' }).map((file) => join(path, file)),
      );
      for (const [i, file] of files.filter((f) => f.endsWith('.litmus')).entries()) {
        if (ALL || i % 4 === 0) await compare(readFileSync(file, 'utf8'));
      }
    });

    test('in random programs', async () => {
      for (const source of fc.sample(programs({ instructions: 3 }), cases(30))) {
        await compare(inBlocks(source));
      }
    });
  });
});

test('an engine that needs a solver is refused in the library without one', async () => {
  const test = valueOf(parseLitmus(readFileSync(MP, 'utf8')));
  const model = valueOf(loadModel('sc').model);
  const found = await check(test, model, { engine: 'native' });
  expect(found).toMatchObject({
    ok: false,
    errors: [
      { message: expect.stringContaining('the engine native needs a solver of yours') as string },
    ],
  });
});

test('a missing solver in the library is the reason of every answer', async () => {
  const pool = createPool({ jobs: 1, solver: 'nope' });
  const text = readFileSync(MP, 'utf8');
  const model = valueOf(loadModel('sc').model);
  const found = await outcomes(valueOf(parseLitmus(text)), model, { pool, engine: 'native' });
  await pool.close();
  expect(found).toMatchObject({ value: { incomplete: '--solver nope: no such command' } });
});
