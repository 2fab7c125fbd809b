import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { spin } from '../../bench/spin.js';
import { parseLitmus } from '../../src/index.js';
import { exploreRobustness, promelaScript } from '../../src/rdma/loops/index.js';
import { inBlocks, programs } from '../../src/rdma/random/programs.js';
import { compareExecutions } from '../../src/analyses/robust/exact.js';
import { litmus, modelOf, newSolver } from '../support/checker.js';
import { one, valueOf } from '../support/litmus.js';
import { remora } from '../support/run.js';
import { SKIP_SPIN, SPIN, needSpin } from '../support/spin.js';

const JUDGES = { admits: modelOf('rdma-sc'), reference: modelOf('sc') };

/** `remora export --promela`: the models, and what SPIN answers. */

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'remora-promela-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const MP3 = 'corpus/tso/MP3.litmus';

describe('export --promela', () => {
  const run = (...args: string[]) => remora(['export', '--promela', ...args]);

  test('writes a model that explains itself', async () => {
    const { code, stdout, stderr } = await run('corpus/robustness/R3c.litmus');
    expect(stderr).toBe('');
    expect(code).toBe(0);
    for (const line of [
      '/* R3c: polling the get before the put to the third node */',
      '/*   spin -a R3c.pml && gcc -O2 -DSAFETY -o pan pan.c && ./pan -m1000000 */',
      'bit T1_late; /* an event of the CPU is in the second part */',
      'proctype thread_T1() {',
      'end_T1_0: /* 9:18 a := y^2 */',
      '    /* 9:28 poll(2) */',
      '    if /* which cycle is looked for */',
      '    run thread_T2();',
      '  atomic { found -> assert(false) }',
    ]) {
      expect(stdout.split('\n')).toContain(line);
    }
  });

  test('is the same every time', async () => {
    expect((await run(MP3)).stdout).toBe((await run(MP3)).stdout);
  });

  test('says so where there is nothing to search', async () => {
    const { stdout } = await run('corpus/robustness/R6b.litmus');
    expect(stdout).toContain('there is nothing to search. */\n\ninit { skip }\n');
  });

  test('several into a folder, one into a file', async () => {
    const out = join(folder, 'models/deep');
    expect((await run('corpus/robustness', '--out', out)).code).toBe(0);
    const names = readdirSync('corpus/robustness').map((f) => f.replace('.litmus', '.pml'));
    expect(readdirSync(out).sort()).toEqual(names.sort());
    const file = join(folder, 'one.pml');
    expect(await run(MP3, '-o', file)).toMatchObject({ code: 0, stdout: '' });
    expect(readFileSync(file, 'utf8')).toContain('proctype');
  });

  test('the bound of counters', async () => {
    const file = join(folder, 'polls.litmus');
    writeFileSync(file, `${one('x := z^2; loop { w^2 := y; poll(2) } x := 1')} exists (true)`);
    const { stdout } = await run(file, '--counter-bound', '2');
    expect(stdout).toContain('Counters of polls in loops go up to 2');
    expect(stdout).toContain('T_2_free + T_2_rest >= 2 -> skip;\n       LEFT_OUT;');
    expect((await run(file)).stdout).toContain('T_2_free + T_2_rest >= 3 -> skip;');
  });

  test.each([
    [[MP3, 'corpus/tso/MP1.litmus'], 'there are 2 programs: choose one file, or give a folder'],
    [['test/files/wait.litmus'], 'wait(d) cannot be translated for rdma-sc: '],
    [[MP3, '--smtlib'], "option '--promela' cannot be used with option '--smtlib'"],
    [[MP3, '--bound', '2'], "option '--promela' cannot be used with option '--bound <n>'"],
    [[MP3, '--counter-bound', '0'], 'a whole number from 1 is needed'],
    [['nowhere.litmus'], 'nowhere.litmus: no such file or folder\n'],
  ])('%j is an error', async (args, message) => {
    const { code, stdout, stderr } = await run(...args);
    expect(stderr).toContain(message);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  test('SMT-LIB has no counters', async () => {
    const { code, stderr } = await remora(['export', '--smtlib', MP3, '--counter-bound', '2']);
    expect(stderr).toContain("option '--smtlib' cannot be used with option '--counter-bound <n>'");
    expect(code).toBe(2);
  });

  test('what users wrote stays in comments, and values are those of SPIN', () => {
    const script = (text: string) => {
      const t = litmus(text);
      return promelaScript(t, { path: 'case.litmus', text }, { counterBound: 3 });
    };
    const odd = script(one('z^2 := x; x := 1').replace('RDMA t', 'RDMA t\n"a */ assert(0) /* b"'));
    expect(odd).toMatchObject({ text: expect.stringContaining('a * / assert(0) / * b') });
    const large = one('z^2 := x; x := 3000000000; assume(x > 5); x := 2');
    expect(script(large)).toEqual({ reason: 'SPIN has no numbers beyond 2147483647' });
    const endless = one('n := 0; loop { n := n + 1; if (n > 3) { z^2 := x; x := 1 } }');
    expect(script(endless)).toMatchObject({
      reason: expect.stringContaining('perhaps without end'),
    });
  });
});

describe.skipIf(SKIP_SPIN)(SPIN, () => {
  beforeAll(needSpin);

  /** What SPIN says of a model: the number of its errors. */
  const errorsOf = (text: string): number => spin(text, 'states', 'small').errors.length;

  const FILES = [
    ...['robustness/R1f', 'robustness/R3c', 'robustness/private-copies'],
    ...['robustness/tree-topology-3', 'decidability/A51'],
    ...['tso/ST3', 'tso/ST4', 'tso/ST9', 'tso/LB3bis', 'tso/IRIW2', 'tso/SB-flush', 'tso/GFP1'],
    ...['cells/ippo-nlW-nF', 'cells/both-CAS-nlR'],
    ...['protocols/alternating-bit-buffer', 'protocols/alternating-bit-buffer-poll'],
    ...['protocols/ring-buffer'],
  ];

  test.each(FILES)('%s', (name) => {
    const path = `corpus/${name}.litmus`;
    const text = readFileSync(path, 'utf8');
    const subject = valueOf(parseLitmus(text, path));
    const { verdict } = valueOf(exploreRobustness(subject.program, JUDGES));
    // As in the paper, the memory between the parts is guessed, where that is small enough. Compiling takes most
    // of the time, so half of the TSO paper's tests are enough (decidability paper, §6.6).
    const isLeftOut = /^protocols\/ring|^tso\/(ST|IRIW)/.test(name);
    const asInThePaper = isLeftOut ? [] : [false];
    for (const ordered of [true, ...asInThePaper]) {
      const script = promelaScript(subject, { path, text }, { counterBound: 3, ordered });
      if ('reason' in script) throw new Error(script.reason);
      expect(errorsOf(script.text) > 0).toBe(verdict === 'not robust');
    }
  });

  test('random programs: SPIN, exploration and solver agree', () => {
    const missing = { robust: 4, 'not robust': 4 };
    const shape = { threads: 2, instructions: 4, waits: false };
    for (const source of fc.sample(programs(shape), { seed: 7, numRuns: 200 })) {
      const text = inBlocks(source);
      const subject = litmus(text);
      const { verdict, states } = valueOf(exploreRobustness(subject.program, JUDGES));
      if (verdict === 'unknown' || states === 0 || missing[verdict] === 0) continue;
      missing[verdict] -= 1;
      const models = [modelOf('rdma-sc'), modelOf('sc')] as const;
      const solved = compareExecutions(subject.program, ...models, newSolver, { prefixes: true });
      const script = promelaScript(subject, { path: 'random.litmus', text }, { counterBound: 3 });
      if ('reason' in script) throw new Error(script.reason);
      const bySpin = errorsOf(script.text) > 0 ? 'not robust' : 'robust';
      expect([text, solved.verdict, bySpin]).toEqual([text, verdict, verdict]);
    }
    expect(missing).toEqual({ robust: 0, 'not robust': 0 });
  });

  test('a run that is cut at the bound of counters is an error with -DSTRICT', () => {
    const text = one('x := z^2; poll(2); loop { w^2 := y; w^2 := y; poll(2) } x := 1');
    const script = promelaScript(litmus(text), { path: 'case.litmus', text }, { counterBound: 2 });
    if ('reason' in script) throw new Error(script.reason);
    expect(errorsOf(script.text)).toBe(0);
    expect(errorsOf(`#define STRICT\n${script.text}`)).toBe(1);
  });
});
