import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Run } from '../support/run.js';
import { ROOT, remora, shell, withoutTimes } from '../support/run.js';

const check = (...args: string[]): Promise<Run> => remora(['check', ...args, '--jobs', '1']);
const sorted = (text: string): string[] => text.split('\n').filter((line) => line !== '');

describe('check', () => {
  test('decides a folder: verdicts, states, loop bounds, labels and what the files expect', async () => {
    const { code, stdout, stderr } = await check('test/files/tests');
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        'loop under rdma-tso',
        '  exists (b = 0)',
        '    forbidden; for runs with at most 3 iterations of each loop',
        '  exists (b = 1)',
        '    allowed: b = 1',
        '',
        'MP under rdma-tso',
        '  exists (a = 1 /\\ b = 0)  "flag seen, data missing"',
        '    allowed: a = 1, b = 0; as published',
        '',
        'SB under rdma-tso',
        '  exists (a = 0 /\\ b = 0)',
        '    allowed: a = 0, b = 0; as published',
        '',
        'two under rdma-tso',
        '  ~exists (a = 2 /\\ b = 0)',
        '    forbidden; as claimed',
        '  forall (x = 1 /\\ y != -1)',
        '    holds; as claimed',
        '',
        '',
      ].join('\n'),
    );
  });

  test('takes models by name and path, with commas and repeated, each once', async () => {
    const models = [
      '-m',
      'sc,./test/files/models/weak-puts.cat',
      '--model',
      'rdma-wait',
      '-m',
      'sc',
    ];
    const { code, stdout } = await check('test/files/tests/two.litmus', ...models);
    const heads = sorted(stdout).filter((line) => !line.startsWith(' '));
    expect(heads).toEqual(['two under sc', 'two under weak-puts', 'two under rdma-wait']);
    expect(stdout).toContain('allowed: a = 2, b = 0, x = 1, y = 2; the file claims forbidden');
    expect(code).toBe(1);
  });

  test('unrolls loops as the file says, or as --bound says', async () => {
    const run = await check('test/files/tests/loop.litmus', '--bound', '2');
    expect(run.stdout).toContain('forbidden; for runs with at most 2 iterations of each loop');
  });

  test('says what was translated for a model', async () => {
    const { code, stdout } = await check(
      'test/files/wait-simple.litmus',
      '-m',
      'rdma-tso,rdma-wait',
    );
    expect(sorted(stdout).filter((line) => line.includes('under'))).toEqual([
      'wait-simple under rdma-tso  (1 wait read as poll for rdma-tso)',
      'wait-simple under rdma-wait',
    ]);
    expect(code).toBe(0);
  });

  test('reports waits without translation with their place, and decides the rest', async () => {
    const paths = ['test/files/wait.litmus', 'test/files/tests/mp.litmus'];
    const { code, stdout, stderr } = await check(...paths);
    expect(stderr).toBe(
      'test/files/wait.litmus:10:3: wait(d) cannot be translated for rdma-tso: ' +
        'the next poll of node 2 is not for the operation with this identifier\n' +
        '10 |   wait(d);\n   |   ^^^^^^^\n',
    );
    expect(stdout).toMatch(/^MP under rdma-tso\n/);
    expect(code).toBe(2);
  });

  test('names the cause of a program without execution', async () => {
    const { code, stdout } = await check('test/files/vacuous.litmus');
    expect(stdout).toContain(
      '    vacuous: T1 polls node 2 more often than it has operations towards it\n',
    );
    expect(code).toBe(0);
  });

  test('is undecided where no run ends within the bound', async () => {
    const { code, stdout } = await check('test/files/endless.litmus');
    expect(stdout).toContain(
      '    unknown: no run ends within the loop bound of 3: --bound takes a larger one\n',
    );
    expect(code).toBe(3);
  });

  test('a file without queries is told so', async () => {
    const { code, stdout } = await check('test/files/silent.litmus');
    expect(stdout).toContain('  this file asks nothing; see `remora outcomes`\n');
    expect(code).toBe(0);
  });

  test('reports flags of the execution, and no others', async () => {
    const model = ['-m', 'test/files/models/flagged.cat'];
    const { stdout } = await check('test/files/tests/mp.litmus', ...model);
    expect(stdout).toContain('allowed: a = 1, b = 0; flags: reads-of-others\n');
  });

  test('verdicts that depart: what the file expects instead, and exit code 1', async () => {
    const { code, stdout, stderr } = await check('test/files/departing', '-m', 'rdma-tso,sc');
    const verdicts = sorted(stdout).filter((line) => line.startsWith('    '));
    expect(verdicts).toEqual([
      '    allowed: a = 0, b = 0; published: forbidden',
      '    allowed: a = 0, b = 0; the file claims forbidden',
      expect.stringMatching(/^ {4}fails: a = 0, b = [01]; the file claims holds$/),
      '    forbidden; the file expects allowed',
      '    forbidden; as claimed',
      expect.stringMatching(/^ {4}fails: a = 0, b = 1; the file claims holds$/),
    ]);
    expect(stderr).toBe('');
    expect(code).toBe(1);
  });

  // The replay of a witness takes the first path with the same events, whatever its registers.
  test('branches that only registers tell apart', async () => {
    const { code, stdout } = await check('test/files/branches.litmus');
    expect(stdout).toContain('    allowed: a = 1\n');
    expect(stdout).toContain('    allowed: a = 2\n');
    expect(code).toBe(0);
  });
});

describe('a variant of a model', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'remora-variant-'));
    cpSync(join(ROOT, 'test/files/tests/two.litmus'), join(folder, 'two.litmus'));
    const includes = (lines: string) => `include "rdma-tso-base.cat"\n${lines}
let ib = (ippo | rf | pf | nfo | rbb)+
let ob = (oppo | (rf \\ rfb) | [nlW];pf | nfo | rb | mo | [Inst];ib)+
irreflexive ib as ib
irreflexive ob as ob
`;
    writeFileSync(join(folder, 'my-variant.cat'), includes('include "table.cat"'));
    writeFileSync(join(folder, 'table.cat'), 'let oppo = oppo\n');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const verdict = async (): Promise<string | undefined> => {
    const args = ['check', 'two.litmus', '-m', './my-variant.cat', '--jobs', '1'];
    const { stdout } = await remora(args, { cwd: folder });
    expect(stdout).toMatch(/^two under my-variant\n/);
    return /^ {4}(\w+)/m.exec(stdout)?.[1];
  };

  test('changes verdicts as soon as its files change, with nothing built', async () => {
    expect(await verdict()).toBe('forbidden');
    writeFileSync(join(folder, 'table.cat'), 'let oppo = oppo \\ qpo & (nrW * nrW)\n');
    expect(await verdict()).toBe('allowed');
  });
});

describe('output', () => {
  const args = ['check', 'test/files/tests', '-m', 'sc,rdma-tso'];

  test('is the same over two runs, and over one and two workers, text and JSON', async () => {
    const [first, second] = [await remora([...args, '--jobs', '1']), await remora(args)];
    expect(second).toMatchObject({ stdout: first.stdout, stderr: '', code: 0 });
    const json = [...args, '--json', '--jobs'];
    const [one, two] = [await remora([...json, '1']), await remora([...json, '2'])];
    expect(withoutTimes(two.stdout)).toBe(withoutTimes(one.stdout));
  });

  const ESCAPE = '\u001b';
  test('into a pipe has no colours and no progress bar', async () => {
    const run = await shell('remora test test/files/tests --jobs 1 2>&1 | cat');
    expect(run.stdout).toContain('4 tests, 31 verdicts, 0 unknown; ');
    expect(run.stdout).not.toContain(ESCAPE);
    expect(run.stdout).not.toMatch(/[█░\r]/);
  });

  test('has colours where they are asked for, and none with NO_COLOR', async () => {
    const mp = ['check', 'test/files/tests/mp.litmus', '--jobs', '1'];
    expect((await remora(mp, { env: { FORCE_COLOR: '1' } })).stdout).toContain(ESCAPE);
    const env = { NO_COLOR: '1', FORCE_COLOR: '1' };
    expect((await remora(mp, { env })).stdout).not.toContain(ESCAPE);
  });

  // picocolors takes the variable CI, which every CI service sets, for a terminal.
  test('into a file has no colours on a CI service either', async () => {
    const run = await remora(['check', 'test/files/tests/mp.litmus'], { env: { CI: 'true' } });
    expect(run.stdout).not.toContain(ESCAPE);
  });
});
