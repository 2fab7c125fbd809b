import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Explanation } from '../../src/index.js';
import { STACK_TRACE, remora, run } from '../support/run.js';

const SB = 'corpus/tso/CPU-SB.litmus';
const ST2 = 'corpus/tso/ST2.litmus';

/** `remora explain` in a process of its own. */
const why = (...args: string[]) => remora(['explain', ...args]);

/** What must fail as bad input: one message, code 2, no stack trace. */
async function bad(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  const run = await why(...args);
  expect(run.stderr).not.toMatch(STACK_TRACE);
  expect(run.code).toBe(2);
  return run;
}

describe('text', () => {
  test('an allowed query: execution and run', async () => {
    const { code, stdout, stderr } = await why(ST2, '--query', '1');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(
      [
        'ST2 under rdma-tso',
        '  exists (z = 1)',
        '  allowed: z = 1',
        '',
        '    T1 on node 1',
        '     1 nlR(x,1,n2)  z^2 := x',
        '     2 nrW(z,1)',
        '     3 lW(x,1)      x := 1',
        '',
        '    rf  3 lW(x,1) → 1 nlR(x,1,n2)',
        '',
        '    A run of the machine that ends so:',
        '      1. T1 issues the put z^2 := x',
        '      2. T1 writes x = 1 to memory',
        '      3. the NIC of T1 reads x = 1 in node 1, for the put z^2 := x',
        '      4. z = 1 arrives at node 2 and is acknowledged, but is not in memory yet',
        "      5. the NIC of T1 writes z = 1 into node 2's memory",
        '',
      ].join('\n'),
    );
  });

  test('a forbidden query: axioms, candidate, cycle, words', async () => {
    const { code, stdout } = await why(SB, '-m', 'sc');
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        'CPU-SB under sc',
        '  exists (a = 0 /\\ b = 0)',
        '  forbidden',
        '    No final state satisfies it because of the axiom sc alone.',
        '',
        '    Every execution of the program that ends so breaks an axiom, in the same way:',
        '',
        '    T1 on node 1          T2 on node 1',
        '    •1 lW(x,1)  x := 1    •3 lW(y,1)  y := 1',
        '    •2 lR(y,0)  a := y    •4 lR(x,0)  b := x',
        '',
        '    rf  init lW(x,0) → 4 lR(x,0)   init lW(y,0) → 2 lR(y,0)',
        '    mo  init lW(x,0) → 1 lW(x,1)   init lW(y,0) → 3 lW(y,1)',
        '    rb  2 lR(y,0) → 3 lW(y,1)   4 lR(x,0) → 1 lW(x,1)',
        '    po  1 lW(x,1) → 2 lR(y,0)   3 lW(y,1) → 4 lR(x,0)',
        '',
        '    The axiom sc is broken by a cycle:',
        '      1 lW(x,1) → 2 lR(y,0)          po',
        '      2 lR(y,0) → 3 lW(y,1)          rb',
        '          2 lR(y,0) → init lW(y,0)   rf^-1',
        '          init lW(y,0) → 3 lW(y,1)   mo',
        '      3 lW(y,1) → 4 lR(x,0)          po',
        '      4 lR(x,0) → 1 lW(x,1)          rb',
        '          4 lR(x,0) → init lW(x,0)   rf^-1',
        '          init lW(x,0) → 1 lW(x,1)   mo',
        '',
        '    In words, where the arrow points to “the other”:',
        '      po  comes before the other in program order',
        '      rb  reads a value that the other overwrites',
        '      mo  comes before the other in modification order',
        '',
      ].join('\n'),
    );
  });

  test('models that disagree are held against each other', async () => {
    const { stdout } = await why(SB, '-m', 'rdma-sc,rdma-tso');
    const heads = stdout.split('\n').filter((line) => line.startsWith('CPU-SB'));
    expect(heads).toEqual([
      'CPU-SB under rdma-sc',
      'CPU-SB under rdma-tso',
      'CPU-SB: rdma-tso admits what rdma-sc rejects',
    ]);
    expect(stdout).toContain(
      'ob of rdma-tso does not have 1 lW(x,1) → 2 lR(y,0) and 3 lW(y,1) → 4 lR(x,0).',
    );
  });

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

  test('what no machine runs is told event by event', async () => {
    const { stdout } = await why('corpus/loco/L4a.litmus', '-m', 'rdma-wait');
    expect(stdout).toContain('The events in an order that agrees with ob:\n');
  });

  test('vacuous and unknown verdicts are told as `check` does', async () => {
    const vacuous = await why('test/files/vacuous.litmus', 'test/files/endless.litmus');
    expect(vacuous.stdout).toContain('vacuous: T1 polls node 2 more often');
    expect(vacuous.stdout).toContain('unknown: ');
    expect(vacuous.code).toBe(3);
  });

  test('a file of one’s own may say what its relations mean, in any words', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'remora-explain-'));
    const own = join(folder, 'own.cat');
    writeFileSync(
      own,
      '(** is older news than the other *)\nlet fr = rf^-1;mo\n' +
        'let hb = (po & (** a remark *) (lW * lR) | fr)+\nirreflexive hb as news\n',
    );
    const { stdout, stderr } = await why(SB, '-m', own);
    expect(stderr).toBe('');
    expect(stdout).toContain('The axiom news (irreflexive hb) is broken by a cycle:');
    expect(stdout).toContain('1 lW(x,1) → 2 lR(y,0)          po & (lW * lR)');
    expect(stdout).toContain('fr  is older news than the other');
  });

  test('relations to show', async () => {
    const { stdout } = await why(SB, '--show', 'ob,co', '--show', 'sthd');
    expect(stdout).toMatch(/^ {4}ob {4}.* → /m);
    expect(stdout).toMatch(/^ {4}co {4}init lW\(x,0\) → 1 lW\(x,1\)/m);
    expect(stdout).toMatch(/^ {4}sthd {2}/m);
    expect(stdout).not.toMatch(/^ {4}rf/m);
  });

  test('a limit of time is kept, and told', async () => {
    const args = ['corpus/field/ping-pong.litmus', '--query', '1', '--time-limit', '0.01'];
    const { code, stdout } = await why(...args);
    expect(code).toBe(3);
    expect(stdout).toMatch(/time limit/);
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

describe('mistakes', () => {
  test('a relation that there is not', async () => {
    const { stdout, stderr } = await bad(SB, '--show', 'rf,ippi', '-m', 'rdma-tso,sc');
    expect(stdout).toBe('');
    expect(stderr).toBe(
      "rdma-tso, sc: there is no relation 'ippi' to show\n  did you mean 'ippo'?\n",
    );
  });

  test('a set', async () => {
    const { stderr } = await bad(SB, '--show', 'Inst');
    expect(stderr).toBe("rdma-tso: 'Inst' is a set: only relations can be shown\n");
  });

  test('a relation of one of the models is enough', async () => {
    const { code, stdout } = await why(SB, '--show', 'ippo', '-m', 'rdma-tso,sc');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ {4}ippo {2}/m);
  });

  test('a query that there is not; other files are explained', async () => {
    const { stdout, stderr } = await bad(SB, ST2, '--query', '2');
    expect(stderr).toBe(`${SB}: there is no query 2: the test has 1\n`);
    expect(stdout).toContain('ST2 under rdma-tso\n  exists (z = 0)\n');
    expect(stdout).not.toContain('CPU-SB');
  });

  test('a model that cannot treat the program; the others explain it', async () => {
    const { stdout, stderr } = await bad('corpus/loco/L3b.litmus', '-m', 'rdma-tso,rdma-wait');
    expect(stderr).toBe(
      'corpus/loco/L3b.litmus:8:42: wait(d) cannot be translated for rdma-tso: the next poll of ' +
        'node 2 is not for the operation with this identifier\n' +
        '8 | thread T1 on 1 { z^2 :=^e x; z^2 :=^d x; wait(d); x := 1 }\n' +
        '  |                                          ^^^^^^^\n',
    );
    expect(stdout).toContain('L3b under rdma-wait');
    expect(stdout).not.toContain('rdma-tso');
  });

  test('files and models', async () => {
    expect((await bad('nothing.litmus')).stderr).toBe('nothing.litmus: no such file or folder\n');
    expect((await bad(SB, '-m', 'rdma-tzo')).stderr).toContain("did you mean 'rdma-tso'?");
    expect((await bad('test/files/broken/bad.litmus')).stderr).toContain('bad.litmus:3:35: ');
    expect((await bad(SB, '--query', '0')).stderr).toContain('a whole number from 1 is needed.');
    expect((await bad()).stderr).toContain("missing required argument 'path'");
  });

  test('a file without queries is no mistake', async () => {
    const { code, stdout, stderr } = await why('test/files/silent.litmus');
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toBe(
      'test/files/silent.litmus: this file asks nothing: there is nothing to explain\n',
    );
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

  test('draws the run in space and time, described for those who do not see it', async () => {
    const { code, stderr } = await why(ST2, '--query', '1', '--timeline', '--svg', svg);
    expect([code, stderr]).toEqual([0, '']);
    const drawn = readFileSync(svg, 'utf8');
    expect(drawn).toContain('1. T1 issues the put z^2 := x.');
    expect(drawn).toContain('too late: x was overwritten in between');
    expect(drawn).toContain('aria-labelledby');
  });

  test('draws the circle of a client of libraries on its lanes', async () => {
    const file = 'corpus/loco/Fig23.litmus';
    const { code } = await why(file, '--query', '1', '--timeline', '--svg', svg);
    expect(code).toBe(0);
    const drawn = readFileSync(svg, 'utf8');
    expect(drawn).toContain('has to come before, and would go back in time');
    expect(drawn).toContain('rbl.receive(x) aWT');
  });

  test('is a sequence diagram in Markdown', async () => {
    const { stdout } = await why(ST2, '--query', '1', '--timeline', '--markdown');
    const [, diagram] = /```mermaid\n([^`]*)```/.exec(stdout)!;
    expect(diagram).toBe(`\
sequenceDiagram
  box node 1
    participant l0 as T1
    participant l1 as memory
    participant l2 as NIC
  end
  box node 2
    participant l3 as memory
    participant l4 as NIC
  end
  l0->>l2: 1. z^2 #58;= x
  l0->>l1: 2. x = 1
  l1->>l2: 3. reads x = 1
  Note over l2: ⚠ too late#58; x was overwritten in between
  l2->>l4: 4. z = 1 arrives
  l4->>l3: 5. z = 1
`);
  });

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

  test.each([
    [['--timeline'], '--timeline is for --svg FILE, --png FILE, --markdown or --json'],
    [['--timeline', '--dot', join(folder, 'run.dot')], '--timeline has no DOT'],
  ])('%j', async (options, message) => {
    const { stderr } = await bad(ST2, '--query', '1', ...options);
    expect(stderr).toContain(message);
  });
});
