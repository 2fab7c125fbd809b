import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { redigested } from '../support/results.js';
import { blocksOf } from '../support/documents.js';
import type { Run } from '../support/run.js';
import { ROOT, STACK_TRACE, remora } from '../support/run.js';

/**
 * What docs/instructions.md says: an operation in a file of one's own works with every command. The
 * files are those of the document, in a folder outside of the project.
 */

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'remora-instructions-'));
  for (const { name, text } of blocksOf('docs/instructions.md')) {
    if (name) writeFileSync(at(name), text);
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

const at = (file: string): string => join(folder, file);
const read = (file: string): string => readFileSync(at(file), 'utf8');

async function run(...args: readonly string[]): Promise<Run> {
  const done = await remora(args, { cwd: folder });
  expect(done.stderr).not.toMatch(STACK_TRACE);
  expect(done.stdout + done.stderr).not.toMatch(/internal error|engine failed|undefined/);
  return done;
}

/** Runs a command that succeeds, and says nothing on standard error. */
async function good(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...args);
  expect([code, stderr], args.join(' ')).toEqual([0, '']);
  return stdout;
}

const OWN = ['greatest.litmus', '-m', 'rdma-max.cat'];
const VERDICTS = ['forbidden', 'forbidden', 'allowed', 'forbidden'];

interface Line {
  readonly verdict: string;
  readonly model: string;
  readonly reason?: string;
}

const linesOf = (stdout: string): readonly Line[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
const verdicts = (stdout: string): readonly string[] => linesOf(stdout).map((l) => l.verdict);

describe('an operation in a file of one’s own', () => {
  test('takes at most 15 lines, and a flush one', () => {
    expect(read('rdma-max.cat').trimEnd().split('\n').length).toBeLessThanOrEqual(15);
    expect(read('rdma-flush.cat').trimEnd().split('\n')).toHaveLength(2);
  });

  test.each(['auto', 'smt', 'search', 'enumerate'])('check by %s', async (engine) => {
    const { code, stdout } = await run('check', ...OWN, '--engine', engine, '--json');
    expect([code, verdicts(stdout)]).toEqual([0, VERDICTS]);
  });

  test('outcomes', async () => {
    const listed = await good('outcomes', ...OWN, '--engine', 'enumerate');
    expect(listed).toContain('2 final states\n');
    expect(await good('outcomes', ...OWN, '--herd')).toContain('States 2\n');
  });

  test('explain: the new events and relations, a picture, and what a fix would be', async () => {
    const told = await good('explain', ...OWN, '--query', '4', '--fix', '--svg', 'out.svg');
    expect(told).toContain('nMR(c,2)     a := rmax(c^2, 1)');
    expect(told).toMatch(/^ {4}mao +6 nMR\(c,0\) → 1 nMR\(c,2\)$/m);
    expect(told).toContain('poll(2) of T1');
    expect(read('out.svg')).toContain('nMR');
    const allowed = await good('explain', ...OWN, '--query', '3', '--fix');
    expect(allowed.replace(/\s+/g, ' ')).toContain(
      'unknown: additions to programs with the operation `rmax` are not known',
    );
    expect(await good('explain', ...OWN, '--markdown')).toContain('**No**, under rdma-max.');
  });

  test('agree', async () => {
    const told = await good('agree', ...OWN, '--engine', 'smt,search,enumerate');
    expect(told).toContain('smt, enumerate: agree on 1 program with 2 final states');
    expect(told).toContain('no disagreement');
  });

  test('compare: nothing changes for tests without it', async () => {
    const tests = join(ROOT, 'corpus/tso');
    const told = await good('compare', 'rdma-tso', './rdma-max.cat', tests);
    expect(told).toMatch(/^0 of \d+ verdicts differ/);
  });

  test('robust: sequential consistency has no meaning for it', async () => {
    const { code, stderr } = await run('robust', ...OWN);
    expect(code).toBe(2);
    expect(stderr).toMatch(/greatest.litmus:7:18: sc has no operation `rmax`$/m);
    expect(stderr).toContain('robustness compares with sc');
  });

  test('export', async () => {
    expect(await good('export', '--smtlib', ...OWN, '--query', '1')).toContain('(check-sat)');
  });

  test('report: pages with the operation', async () => {
    await good('report', ...OWN, '--out', 'site');
    expect(read('site/index.html')).toContain('greatest');
    expect(existsSync(at('site/index.html'))).toBe(true);
  });

  test('test: verdicts are written into the file, and then expected', async () => {
    writeFileSync(
      at('updated.litmus'),
      read('greatest.litmus').replace('(c = 1)', '(c = 1)\n  computed allowed under rdma-max'),
    );
    const updated = await run('test', 'updated.litmus', '-m', 'rdma-max.cat', '--update');
    expect(updated.stdout).toContain('+  computed forbidden under rdma-max\n');
    expect((await run('test', 'updated.litmus', '-m', 'rdma-max.cat')).code).toBe(0);
  });

  test('results in files: shards are merged, and a run is resumed, by the declarations in the file', async () => {
    const models = ['-m', 'rdma-max.cat,rdma-tso'];
    writeFileSync(at('other.litmus'), read('greatest.litmus').replace('greatest', 'other'));
    const tests = ['greatest.litmus', 'other.litmus', ...models];
    const whole = await run('test', ...tests, '--json');
    const parts = ['1', '2'].map((i) => `${i}.jsonl`);
    for (const [i, part] of parts.entries()) {
      await run('test', ...tests, '--shard', `${i + 1}/2`, '--out', part);
    }
    const resumed = await run('test', ...tests, '--shard', '1/2', '--resume', '1.jsonl', '--json');
    expect(resumed.code).toBe(0);
    const elsewhere = mkdtempSync(join(tmpdir(), 'remora-merge-'));
    const files = parts.map(at);
    const merged = await remora(['merge', ...files, '--json'], { cwd: elsewhere });
    rmSync(elsewhere, { recursive: true });
    expect([merged.code, merged.stderr]).toEqual([0, '']);
    expect(verdicts(merged.stdout)).toEqual(verdicts(whole.stdout));
    const broken = read('1.jsonl').replace('event nMR by nic', 'event nMR by ghosts');
    writeFileSync(at('1.jsonl'), redigested(broken));
    const { code, stderr } = await run('merge', ...parts);
    expect(code).toBe(2);
    expect(stderr).toContain('model rdma-max: rdma-max.cat:2:');
  });

  test('a model that lacks it says so, and others are asked', async () => {
    const both = await run('test', 'greatest.litmus', '-m', 'rdma-max.cat,rdma-tso');
    expect(both.stdout).toContain('– greatest: rdma-tso has no operation `rmax`\n');
    const { stdout } = await run(
      'test',
      'greatest.litmus',
      '-m',
      'rdma-tso,rdma-max.cat',
      '--json',
    );
    const [first] = linesOf(stdout);
    expect([first.verdict, first.reason]).toEqual([
      'untranslatable',
      'rdma-tso has no operation `rmax`',
    ]);
    const alone = await run('check', 'greatest.litmus');
    expect([alone.code, alone.stdout]).toEqual([2, '']);
    expect(alone.stderr).toContain("unknown function 'rmax'");
  });

  test.each([
    [['check', ...OWN, '--engine', 'operational'], 'has no machine for this model'],
    [['robust', ...OWN, '--static'], 'are known for rdma-sc and rdma-tso only'],
    [['distribute', ...OWN, '--server', '1'], 'are known for rdma-sc and rdma-tso only'],
  ])('a theory that does not know it says so: %j', async (args, message) => {
    const { code, stderr } = await run(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    // The model knows the operation, so that the file is not at fault.
    expect(stderr).not.toContain('unknown function');
  });
});

describe('remora instructions', () => {
  test('the operation as it is called, its events in order, and what is guessed', async () => {
    const told = await good('instructions', 'rdma-max.cat');
    expect(told).toContain('rmax: a := rmax(x^n, e)\n');
    expect(told).toMatch(/^ {2}nMR +reads v from x\^n +queue pair to n +is performed by the NIC/m);
    expect(told).toMatch(/^ {2}then nrW +writes v \+ e to x\^n /m);
    expect(told).toMatch(/^ {2}mao +either +\(nMR \* nMR\) & sn \\ id: each pair$/m);
    expect(told).toMatch(/read: is polled by the other$/m);
  });

  test('every shipped model has some', async () => {
    const { stdout } = await run('--help');
    const [, names] = /^Models: (.*)$/m.exec(stdout) ?? [];
    const told = await good('instructions', ...names.split(', '));
    expect(told.match(/^The instructions of /gm)).toHaveLength(names.split(', ').length);
  });
});
