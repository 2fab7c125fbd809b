import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { STACK_TRACE, remora, remoraProcess, shell } from '../support/run.js';

/** `remora explore` as a process. */

const run = (...args: readonly string[]) => remora(['explore', ...args, '--jobs', '1']);

/** A lock that is decided in a moment, and one that takes minutes. */
const SHORT = 'corpus/locks/tas.litmus';
let LONG: string;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'remora-explore-'));
  LONG = join(folder, 'long.litmus');
  const text = readFileSync('bench/locks/alock-3-2.litmus', 'utf8');
  // With symmetry it would take some seconds only.
  writeFileSync(LONG, text.replaceAll(/^symmetric .*$/gm, ''));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A file with some text below a head. */
function file(name: string, text: string): string {
  const path = join(folder, `${name}.litmus`);
  writeFileSync(path, `RDMA ${name}\nnode 1 { x = 0 }\n${text}\n`);
  return path;
}

describe('while it goes on', () => {
  test('Ctrl-C ends it, and what was decided is told', async () => {
    const { code, stdout, stderr } = await remoraProcess(
      ['explore', SHORT, LONG, '--query', '1', '--jobs', '1'],
      { signal: { name: 'SIGINT', after: 3000 } },
    );
    expect(stdout).toMatch(/^tas under rdma-tso\n {2}exclusive c of T2, T3\n {4}holds; \d+ states/);
    expect(stdout).toMatch(/\ninterrupted after 1 of 2 verdicts\n$/);
    expect(stdout).not.toContain('alock-3-2');
    expect([code, stderr]).toEqual([130, '']);
  });

  test('on a pipe, nothing is said of how far it is', async () => {
    const { stderr } = await run(LONG, '--query', '1', '--time-limit', '1');
    expect(stderr).toBe('');
  });

  const SCRIPT = '/usr/bin/script';
  test.runIf(existsSync(SCRIPT))('on a terminal, states are counted', async () => {
    const command = `remora explore ${LONG} --query 1 --time-limit 2 --jobs 1`;
    const { code, stdout } = await shell(
      `export -f remora; ${SCRIPT} -qec 'bash -c "${command}"' /dev/null`,
      { env: { SHELL: '/bin/bash', TERM: 'xterm', NO_COLOR: '1' } },
    );
    const counts = [...stdout.matchAll(/\r(\d+) states/g)].map(([, count]) => Number(count));
    expect(counts.length).toBeGreaterThan(1);
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
    // The line is gone before the answer comes.
    expect(stdout).toMatch(/\r\u001b\[Kalock-3-2 under rdma-tso\r\n/);
    expect(code).toBe(3);
  });
});

describe('limits end in `unknown`, with the reason', () => {
  test.each([
    ['states', ['--limit', '100'], 'limit of 100 states reached'],
    ['time', ['--time-limit', '1'], /^time limit reached after \d+ states$/],
  ])('%s', async (_, options, reason) => {
    const { code, stdout, stderr } = await run(LONG, '--query', '1', ...options);
    const [, said] = /\n {4}unknown: (.*)\n/.exec(stdout)!;
    expect(said).toMatch(reason);
    expect([code, stderr]).toEqual([3, '']);
  });

  test('values that grow for ever, with the variable', async () => {
    const path = file('grows', 'thread T on 1 { loop { x := x + 1 } }\nnever (x = -1)\ndeadlock');
    const { code, stdout } = await run(path);
    const reason = 'unknown: the value of x grows beyond 100000';
    expect(stdout).toBe(
      `grows under rdma-tso\n  never (x = -1)\n    ${reason}\n  no deadlock\n    ${reason}\n\n`,
    );
    expect(code).toBe(3);
  });

  test('room in buffers, where an answer rests on it', async () => {
    const { code, stdout } = await run(SHORT, '--query', '1', '--buffer', '1');
    expect(stdout).toContain('holds; for buffers of at most 1 entries: full was the wbL of T2->1');
    expect(code).toBe(0);
  });
});

describe('one query', () => {
  test('and no other', async () => {
    const { stdout } = await run(SHORT, '--query', '4');
    expect(stdout).toMatch(
      /^tas under rdma-tso\n {2}no deadlock\n {4}holds; \d+ states.*; as expected\n\n$/,
    );
  });

  test('as a line of JSON, with the run as data', async () => {
    const { stdout } = await run(SHORT, '--query', '3', '--json');
    const line = JSON.parse(stdout) as Record<'run' | 'round', readonly string[]> & {
      readonly index: number;
      readonly steps: readonly { readonly text: string }[];
    };
    expect(line.index).toBe(2);
    expect(line.steps.map(({ text }) => text)).toEqual([...line.run, ...line.round]);
  });

  test('that there is', async () => {
    const { code, stdout, stderr } = await run(SHORT, '--query', '5');
    expect(stderr).toBe(`${SHORT}: there is no query 5: the test has 4\n`);
    expect([code, stdout]).toEqual([2, '']);
  });
});

describe('a picture of the run', () => {
  test('as SVG, DOT and PNG', async () => {
    const paths = ['svg', 'dot', 'png'].map((kind) => join(folder, `run.${kind}`));
    const options = paths.flatMap((path) => [`--${path.slice(-3)}`, path]);
    const { code, stderr } = await run('corpus/locks/tas-elsewhere.litmus', ...options);
    expect([code, stderr]).toEqual([0, '']);
    const [svg, dot] = paths.map((path) => readFileSync(path, 'utf8'));
    expect(svg).toContain('tas-elsewhere under rdma-tso: assertions: fails</');
    expect(svg).toContain('is not in memory when the run ends');
    expect(dot).toContain('digraph run {');
    expect(readFileSync(paths[2]).subarray(1, 4).toString()).toBe('PNG');
  });

  test('where there is none, and where there are several', async () => {
    const svg = join(folder, 'none.svg');
    const none = await run(SHORT, '--query', '1', '--svg', svg);
    expect(none.stderr).toBe('there is no run to draw: nothing fails\n');
    const several = await run('corpus/locks/tas-elsewhere.litmus', SHORT, '--svg', svg);
    expect(several.stderr).toBe(
      'a picture shows one run, and several queries fail: choose with --query and --model\n',
    );
    expect([none.code, several.code]).toEqual([2, 2]);
    expect(existsSync(svg)).toBe(false);
  });

  test('never over a file of somebody else', async () => {
    const path = join(folder, 'mine.svg');
    writeFileSync(path, 'mine');
    const { code, stdout, stderr } = await run(SHORT, '--query', '3', '--svg', path);
    expect(readFileSync(path, 'utf8')).toBe('mine');
    expect(stderr).toContain('mine.svg');
    expect([code, stdout]).toEqual([2, '']);
  });
});

describe('--timeline', () => {
  const BROKEN = 'corpus/locks/peterson-local-remote-no-fence.litmus';

  test('draws the run in space and time, and has it as data', async () => {
    const svg = join(folder, 'timeline.svg');
    const { stdout } = await run(BROKEN, '--query', '1', '--timeline', '--json', '--svg', svg);
    const { timeline } = JSON.parse(stdout) as { timeline: { steps: readonly object[] } };
    expect(timeline.steps.at(-1)).toMatchObject({ brief: 'enters c', note: 'T1 is in c, too' });
    const drawn = readFileSync(svg, 'utf8');
    expect(drawn).toContain('too early: f1 = 1 is still in T1');
    expect(drawn).toContain('T1 is in c, too');
  });

  test('without it there is none', async () => {
    const { stdout } = await run(BROKEN, '--query', '1', '--json');
    expect(stdout).not.toContain('timeline');
  });

  test.each([
    [['--timeline'], '--timeline is for --svg FILE, --png FILE or --json'],
    [['--timeline', '--dot', 'run.dot'], '--timeline has no DOT: ask for --svg or --png'],
  ])('%j is a mistake', async (options, message) => {
    const { code, stderr } = await run(BROKEN, '--query', '1', ...options);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(STACK_TRACE);
    expect(code).toBe(2);
  });
});

/** What is wrong with a file is said once, with its place, and everything else goes on. */
describe('wrong files', () => {
  test.each([
    [
      'marks that do not nest',
      'thread T on 1 { critical c { critical c { x := 1 } } }\ndeadlock',
      ':3:39: critical c is inside of itself\n3 | thread T on 1 { critical c { critical c { x := 1 } } }\n  |                                       ^  give one of them another name\n',
    ],
    [
      'a block that is left open',
      'thread T on 1 { critical c { x := 1 }\nthread U on 1 { x := 2 }\ndeadlock',
      ":4:1: unexpected 'thread'; expected ';', '}' or an instruction",
    ],
    [
      'a point that does not exist',
      'thread T on 1 { loop { at enter; x := 1 } }\nprogress T:enter -> T:cs',
      ":4:23: T has no point or critical block 'cs'\n4 | progress T:enter -> T:cs\n  |                       ^^  mark it: at cs; or critical cs { … }\n",
    ],
    [
      'a ghost that an instruction reads',
      'ghost g = 0\nthread T on 1 { a := x; ghost g := a; b := g }\nassertions',
      ":4:44: 'g' is a ghost: no instruction reads it\n",
    ],
    [
      'a ghost that is asked for at the end',
      'ghost g = 0\nthread T on 1 { a := x; ghost g := a }\nexists (g = 0)',
      ":5:9: 'g' is a ghost: it has no final value\n5 | exists (g = 0)\n  |         ^  ask never (…) of it\n",
    ],
    [
      'a ghost of memory',
      'ghost g = 0\nthread T on 1 { a := x; ghost g := x }\nassertions',
      ":4:36: ghosts and assertions are about registers and ghosts, not about memory\n4 | thread T on 1 { a := x; ghost g := x }\n  |                                    ^  read 'x' into a register, and name that\n",
    ],
  ])('%s', async (name, text, message) => {
    const path = file(name.replaceAll(' ', '-').replaceAll(/[^a-z-]/g, ''), text);
    const { code, stdout, stderr } = await run(path, SHORT, '--query', '1');
    expect(stderr.startsWith(path + message), stderr).toBe(true);
    expect(stderr.split(path)).toHaveLength(2);
    expect(stderr).not.toMatch(STACK_TRACE);
    expect(stdout).toMatch(/^tas under rdma-tso\n/);
    expect(code).toBe(2);
  });

  test('a model without a machine', async () => {
    const { code, stdout, stderr } = await run(SHORT, '--query', '1', '-m', 'rdma-manpage,sc');
    expect(stderr).toMatch(
      /^no machine for the model rdma-manpage: there are those of sc, rdma-sc, /,
    );
    expect(stdout).toMatch(/^tas under rdma-manpage\n.*\n {4}no answer: .*\n\ntas under sc\n/);
    expect(code).toBe(3);
  });

  test('ghosts under a model without a machine: `check` says that there is no answer', async () => {
    const { code, stdout, stderr } = await remora(['check', SHORT, '-m', 'rdma-manpage']);
    expect(stdout).toContain('  assertions\n    no answer: rdma-manpage has no machine\n');
    expect([code, stderr]).toEqual([3, '']);
  });

  test('nothing that is asked about runs', async () => {
    const { code, stdout, stderr } = await run('corpus/tso/SB1.litmus', 'corpus/tso/MP1.litmus');
    expect(stderr).toBe(
      'nothing here is asked about runs: `remora check` decides what is asked of final states\n',
    );
    expect([code, stdout]).toEqual([2, '']);
  });

  test('a query about final states', async () => {
    const { code, stderr } = await run('corpus/tso/SB1.litmus', '--query', '1');
    expect(stderr).toMatch(/^corpus\/tso\/SB1\.litmus: query 1 is not about runs: `remora check` /);
    expect(code).toBe(2);
  });
});

test.each([[['--svg']], [['--timeline', '--svg']]])(
  'explain tells the run, and draws the same picture with %j',
  async (options) => {
    const paths = ['explained.svg', 'explored.svg'].map((name) => join(folder, name));
    const asked = ['corpus/locks/tas-elsewhere.litmus', '--force', '--query', '2', ...options];
    const [explained, explored] = await Promise.all([
      remora(['explain', ...asked, paths[0]]),
      remora(['explore', ...asked, paths[1]]),
    ]);
    expect([explained.code, explained.stderr]).toEqual([0, '']);
    const last = "T3's assertion fails";
    for (const { stdout } of [explained, explored]) expect(stdout).toContain(last);
    const [one, other] = paths.map((path) => readFileSync(path, 'utf8'));
    expect(one).toBe(other);
  },
);
