import { describe, expect, test } from 'vitest';
import { STACK_TRACE, remora, remoraProcess, shell } from '../support/run.js';

const MP = 'test/files/tests/mp.litmus';
const MODELS = 'test/files/models';

/** Runs what must fail as bad input: code 2, no stack trace. */
async function bad(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  const run = await remora([...args, '--jobs', '1']);
  expect(run.code).toBe(2);
  expect(run.stderr).not.toMatch(STACK_TRACE);
  expect(run.stderr).not.toBe('');
  return run;
}

describe('usage', () => {
  test.each([
    ['no such command', ['frobnicate'], "error: unknown command 'frobnicate'"],
    ['letters swapped', ['chekc'], "error: unknown command 'chekc'; did you mean 'check'?"],
    ['no such option', ['check', MP, '--frob'], "error: unknown option '--frob'"],
    ['no path', ['check'], "error: missing required argument 'path'"],
    ['one model', ['compare', 'sc'], "error: missing required argument 'model2'"],
    ['a bound of 0', ['check', MP, '--bound', '0'], 'a whole number from 1 is needed.'],
    ['half a job', ['check', MP, '--jobs', '0.5'], 'a whole number from 1 is needed.'],
    ['no time', ['check', MP, '--time-limit', '0'], 'a number of seconds above 0 is needed.'],
    ['time in words', ['check', MP, '--time-limit', 'long'], 'a number of seconds above 0'],
  ])('%s', async (_, args, message) => {
    const { code, stdout, stderr } = await remora(args);
    expect(stderr).toContain(message);
    const [command] = args;
    const known = ['frobnicate', 'chekc'].includes(command) ? '' : `${command} `;
    expect(stderr).toContain(`\n(see remora ${known}--help)\n`);
    expect(stderr).not.toMatch(STACK_TRACE);
    expect([code, stdout]).toEqual([2, '']);
  });

  test('nothing at all is answered with the help', async () => {
    const { code, stderr } = await remora([]);
    expect(stderr).toMatch(/^Usage: remora /);
    expect(code).toBe(2);
  });
});

describe('files', () => {
  test('a broken file is reported with its place; the others are decided', async () => {
    const { stdout, stderr } = await bad('check', 'test/files/broken');
    expect(stderr).toBe(
      "test/files/broken/bad.litmus:3:35: 'y' is declared at no node, and T1 never writes it\n" +
        '3 | thread T1 on 1 { x := 1; lable := y }\n' +
        `  | ${' '.repeat(34)}^\n`,
    );
    expect(stdout).toContain('good under rdma-tso\n');
    expect(stdout).toContain('allowed: a = 0, b = 0; as published\n');
  });

  test('a corpus with a broken file and a departing verdict: bad input goes first', async () => {
    const paths = ['test/files/broken', 'test/files/departing', 'test/files/endless.litmus'];
    const { stdout } = await bad('test', ...paths, '-m', 'rdma-tso');
    expect(stdout).toMatch(/^3 tests, /m);
    expect(stdout).toContain('published as forbidden');
  });

  test('a departing verdict goes before an undecided one', async () => {
    const paths = ['test/files/departing', 'test/files/endless.litmus'];
    const { code } = await remora(['check', ...paths, '--jobs', '1']);
    expect(code).toBe(1);
  });

  test('a missing file, a folder without tests, a file that is no test, an empty file', async () => {
    const paths = ['nosuch.litmus', 'test/files/no-tests', 'package.json', '/dev/null'];
    const { stdout, stderr } = await bad('check', ...paths);
    expect(stdout).toBe('');
    expect(stderr).toContain('nosuch.litmus: no such file or folder\n');
    expect(stderr).toContain('test/files/no-tests: no .litmus file in this folder\n');
    expect(stderr).toMatch(/^package\.json:1:1: .*\n1 \| \{\n {2}\| \^/m);
    expect(stderr).toContain('/dev/null: is a device, not a file\n');
  });

  test('a binary file', async () => {
    const { stderr } = await bad('outcomes', process.execPath);
    expect(stderr).toContain('not UTF-8 text: invalid byte at line 1, column ');
    expect(stderr.length).toBeLessThan(500);
  });
});

describe('models', () => {
  test.each([
    [
      'an unknown name',
      'rdma-tos',
      /^rdma-tos: no such model; there are .*\n {2}did you mean 'rdma-tso'\?\n$/,
    ],
    ['a missing file', './nosuch.cat', /^\.\/nosuch\.cat: no such file\n$/],
    ['a folder', './models', /^\.\/models: is a directory, not a file\n$/],
    ['a name that only is included', 'rdma', /^rdma: this model has no axioms: /],
    [
      'a file without axioms',
      `${MODELS}/no-axioms.cat`,
      /no-axioms\.cat:1:1: this model has no axioms: /,
    ],
    [
      'a mistake',
      `${MODELS}/broken.cat`,
      /broken\.cat:5:14: unknown relation or set 'rff'\n5 \| acyclic po \| rff as order\n {2}\| {14}\^\^\^ {2}did you mean 'rf'\?\n$/,
    ],
    ['a litmus file', `./${MP}`, /mp\.litmus:\d+:\d+: /],
  ])('%s', async (_, model, message) => {
    const { stdout, stderr } = await bad('check', MP, '-m', model);
    expect(stderr).toMatch(message);
    expect(stdout).toBe('');
  });

  test('one broken model: the others are asked', async () => {
    const { stdout } = await bad('check', MP, '-m', `${MODELS}/broken.cat,sc`);
    expect(stdout).toMatch(/^MP under sc\n/);
  });

  test('two models of one name', async () => {
    const { stderr } = await bad('check', MP, '-m', `sc,${MODELS}/sc.cat`);
    expect(stderr).toBe(`${MODELS}/sc.cat: there are two models called 'sc'\n`);
  });

  test('compare needs two different models that can be read', async () => {
    expect((await bad('compare', 'sc', 'sc', MP)).stderr).toBe('compare needs two models\n');
    expect((await bad('compare', 'sc', 'scc', MP)).stderr).toMatch(/^scc: no such model; /);
  });

  // An empty list of models runs nothing, prints nothing and exits with 0.
  test('an empty name', async () => {
    await bad('check', MP, '-m', ',');
  });
});

// Most of this is waiting, which they can do at the same time.
describe.concurrent('limits', () => {
  const PIGEONS = 'test/files/long/pigeons.litmus';

  test('a query that takes too long is unknown, the next test is decided', async () => {
    const args = ['check', 'test/files/long', '--time-limit', '3', '--jobs', '1'];
    const { code, stdout, stderr } = await remoraProcess(args);
    expect(stdout).toContain('    unknown: time limit of 3 s reached\n');
    expect(stdout).toContain('    allowed: a = 0, b = 0; as published\n');
    expect(stderr).toBe('');
    expect(code).toBe(3);
  });

  test('a time limit shorter than the start of a worker', async () => {
    const { code, stdout } = await remoraProcess([
      'check',
      MP,
      '--time-limit',
      '0.001',
      '--engine',
      'smt',
    ]);
    expect(stdout).toContain('    unknown: time limit of 0.001 s reached\n');
    expect(code).toBe(3);
  });

  test('a bound that makes a program too large', async () => {
    const { code, stdout } = await remoraProcess([
      'check',
      'test/files/endless.litmus',
      '--bound',
      '99999',
    ]);
    expect(stdout).toMatch(/^ {4}unknown: too large: more than 10000 events$/m);
    expect(code).toBe(3);
  });

  // A timer of Node holds 2^31 - 1 ms, about 24.8 days; a longer one fires at once.
  test('a time limit of more than 25 days is one', async () => {
    const { code, stderr } = await remoraProcess(['check', MP, '--time-limit', '3000000']);
    expect([code, stderr]).toEqual([0, '']);
  });

  describe.each(['SIGINT', 'SIGTERM'] as const)('%s', (name) => {
    test('prints what there is, exits with 130 and leaves no process', async () => {
      const signal = { name, after: 4000 };
      const run = await remoraProcess(['check', 'test/files/long'], { signal });
      expect(run.stdout).toBe(
        'quick under rdma-tso\n  exists (a = 0 /\\ b = 0)\n' +
          '    allowed: a = 0, b = 0; as published\n\ninterrupted after 1 of 3 verdicts\n',
      );
      expect(run.stderr).toBe('');
      expect(run.code).toBe(130);
      expect(() => process.kill(-run.pid, 0)).toThrow('ESRCH');
    });
  });

  test('SIGINT goes before everything else', async () => {
    const paths = ['nosuch.litmus', 'test/files/departing', PIGEONS];
    const signal = { name: 'SIGINT', after: 3000 } as const;
    const { code, stderr } = await remoraProcess(['check', ...paths, '--json'], { signal });
    expect(stderr).toBe('nosuch.litmus: no such file or folder\n');
    expect(code).toBe(130);
  });
});

describe('pipes', () => {
  test('a reader that stops early is no error', async () => {
    const { stdout, stderr } = await shell(
      'remora outcomes test/files/tests test/files/same-name.litmus --jobs 1 | head -1; echo "${PIPESTATUS[0]}"',
    );
    expect(stdout).toBe('loop under rdma-tso: 1 final state\n0\n');
    expect(stderr).toBe('');
  });

  // Standard error has no handler for EPIPE: the process ends with 1 before anything is decided.
  test('so is a reader of standard error', async () => {
    const { stdout, stderr } = await shell(
      'remora check no1 no2 no3 2>&1 >/dev/null | true; echo "${PIPESTATUS[0]}"',
    );
    expect([stdout, stderr]).toEqual(['2\n', '']);
  });

  // Errors of standard output other than EPIPE are thrown.
  test('a full disk is reported without a stack trace', async () => {
    const { stdout, stderr } = await shell(`remora check ${MP} >/dev/full; echo "$?"`);
    expect(stderr).not.toMatch(STACK_TRACE);
    expect(stdout).toBe('2\n');
  });
});
