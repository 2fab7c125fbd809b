import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
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

  test('what is right is told so, and what cannot be mended', async () => {
    const files = ['tas', 'tas-elsewhere'].map((name) => `corpus/locks/${name}.litmus`);
    const { stdout, code } = await remora('explore', ...files, '--fix', '-m', 'rdma-tso-nopcie');
    expect(code).toBe(0);
    expect(stdout).toContain(
      'To change tas under rdma-tso-nopcie:\n  Nothing has to be added: no bad state is reached.\n',
    );
    expect(stdout).toContain(
      'To change tas-elsewhere under rdma-tso-nopcie:\n  No fence, poll or get of those that were tried rules this out.\n',
    );
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

  test('a fix that is not found out is undecided', async () => {
    const { stdout, code } = await remora(
      ...['explore', 'corpus/locks/alock-1-2-data.litmus'],
      ...['--fix', '--grep', 'data', '--limit', '20000'],
    );
    expect(stdout).toContain('is unknown: limit of 20000 states reached');
    expect(code).toBe(3);
  });

  test('costs are for it', async () => {
    const { stderr, code } = await remora('explore', lock, '--cost', 'poll=1');
    expect(stderr).toContain('--cost is for --fix');
    expect(code).toBe(2);
  });

  test('`explain --fix` knows queries about runs, too', async () => {
    const { stdout, code } = await remora('explain', lock, '--fix');
    expect(code).toBe(0);
    expect(stdout).toContain('exclusive c of T2, T3\n  holds\n');
    expect(stdout).toContain('Nothing has to be added: no bad state is reached.');
    expect(stdout).toContain('A run of the machine that shows it:\n       1. T2 is at enter\n');
    expect(stdout).toContain("T3's assertion fails");
    expect(stdout).toContain('T2, T3: add flushed4 := flush4^4; poll(4) before l^1 := 0 (27:5)');
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

  test('obstacles for what is forbidden', async () => {
    const { stdout } = await remora('explain', 'corpus/tso/IRIW2.litmus', '--fix');
    expect(stdout).toContain('It would be possible without any one of these:');
    expect(stdout).toContain('poll(2) of T2');
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

  test.each([
    [['--cost', 'poll=1'], '--cost is for --fix'],
    [['--fix', '--cost', 'pull=1'], 'costs such as rfence=1,poll=5 are needed'],
    [['--fix', '--cost', 'poll=0'], 'each above 0'],
    [['--json', '--markdown'], '--markdown and --json exclude each other'],
  ])('%j is a mistake', async (args, message) => {
    const { stderr, code } = await remora('explain', 'corpus/tso/LB2.litmus', ...args);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });
});

describe('explain --markdown, --svg and --dot', () => {
  test('a test in words', async () => {
    const { stdout, code } = await remora('explain', '--markdown', 'corpus/tso/MP3.litmus');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^## MP3\n/);
    expect(stdout).toContain('**Yes**, under rdma-tso: `a = 1, b = 0`.');
    expect(stdout).toMatch(/^12\. the NIC of T1 writes x = 1 into node 2's memory$/m);
  });

  test('pictures of one query', async () => {
    const [svg, dot] = [join(folder, 'a.svg'), join(folder, 'a.dot')];
    const { code, stderr } = await remora(
      ...['explain', 'corpus/tso/MP3.litmus', '--svg', svg, '--dot', dot],
    );
    expect([code, stderr]).toEqual([0, '']);
    expect(readFileSync(svg, 'utf8')).toContain('<svg');
    expect(readFileSync(dot, 'utf8')).toContain('digraph');
  });

  test.each([
    ['corpus/tso/ST2.litmus', 'x.svg', 'a picture shows one query under one model'],
    ['corpus/tso/MP3.litmus', 'no/such/folder/x.svg', 'there is no such folder to write to'],
  ])('%s into %s is a mistake', async (path, picture, message) => {
    const { stderr, code } = await remora('explain', path, '--svg', join(folder, picture));
    expect(stderr).toContain(message);
    expect(code).toBe(2);
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

  test.each([
    [['--fix', '--outcomes'], '--fix makes all executions SC'],
    [['--cost', 'poll=1'], '--cost is for --fix'],
  ])('%j is a mistake', async (args, message) => {
    const { stderr, code } = await remora('robust', 'corpus/robustness/R6c.litmus', ...args);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });
});

describe('distribute', () => {
  test.each(['CPU-SB', 'CPU-LB', 'CPU-MP', 'CPU-SB+mfences'])(
    '%s becomes tree-fenced, race free and robust, whichever thread is the server',
    async (name) => {
      for (const server of ['1', '2']) {
        const path = `corpus/tso/${name}.litmus`;
        const { stdout, code } = await remora('distribute', path, '--server', server);
        expect(stdout).toContain('# locally data-race free: yes');
        expect(stdout).toContain('# tree-fenced: yes');
        expect(stdout).toContain('# robust: robust');
        expect(code).toBe(0);
      }
    },
  );

  test('expressions, branches and loops', async () => {
    const path = file(
      'whole.litmus',
      `RDMA whole node 1 { x = 0; y = 0; f = 0 }
       thread A on 1 { x := 1; y := x + 1; if (y = 2) { f := y }; r := x; q := r + 1; x := q }
       thread B on 1 { while (f = 0) bound 2 { y := 3 }; s := y }
       exists (s = 2)`,
    );
    for (const server of ['1', '2']) {
      const { stdout, code } = await remora('distribute', path, '--server', server);
      expect(stdout).toContain('# locally data-race free: yes');
      expect(stdout).toContain('# tree-fenced: yes');
      expect(stdout).toContain('# robust: robust');
      expect(code).toBe(0);
    }
  });

  test.each([
    ['corpus/tso/CPU-SB.litmus', ['--server', '3'], 'there is no node 3: the 2 threads become'],
    ['corpus/tso/MP1.litmus', ['--server', '1'], 'on several nodes already'],
    ['corpus/tso', ['--server', '1'], 'distribute takes one litmus file'],
    ['corpus/tso/CPU-SB.litmus', ['--server', '1', '-m', 'rdma-wait'], 'rdma-sc'],
  ])('%s with %j is a mistake', async (path, args, message) => {
    const { stderr, code } = await remora('distribute', path, ...args);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });

  test('a CAS becomes a polled remote one, and atomics of both CPUs are told apart', async () => {
    const path = file(
      'cas.litmus',
      `RDMA cas node 1 { x = 0 } thread A on 1 { a := CAS(x, 0, 1) } thread B on 1 { b := CAS(x, 0, 2) }
       thread C on 1 {} exists (a = 0 /\\ b = 0)`,
    );
    const clients = await remora('distribute', path, '--server', '3');
    expect(clients.stdout).toContain(
      'thread A on 1 { old1 := rcas(x^3, 0, 1); poll(3); a := old1 }',
    );
    expect(clients.stdout).toContain('# tree-fenced: unknown');
    expect(clients.stdout).toContain('# robust: robust\n');
    expect(clients.code).toBe(0);
    const mixed = await remora('distribute', path, '--server', '1');
    expect(mixed.stdout).toContain('# robust: not robust: remora robust says where');
    expect(mixed.code).toBe(1);
  });

  test('an xchg becomes a remote one in a client, and stays as it is with the server', async () => {
    const path = file(
      'xchg.litmus',
      `RDMA xchg node 1 { x = 0 } thread A on 1 { a := xchg(x, 1) } thread B on 1 { b := x }
       exists (b = 1)`,
    );
    const client = await remora('distribute', path, '--server', '2');
    expect(client.stdout).toContain('{ old1 := rxchg(x^2, 1); poll(2); a := old1 }');
    const server = await remora('distribute', path, '--server', '1');
    expect(server.stdout).toContain('a := xchg(x, 1)');
  });
});
