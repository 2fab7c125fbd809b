import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SaxesParser } from 'saxes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Run } from '../support/run.js';
import { ROOT, STACK_TRACE, remora, withoutTimes } from '../support/run.js';

const folder = mkdtempSync(join(tmpdir(), 'remora-runner-'));
afterAll(() => rmSync(folder, { recursive: true }));

const CLI = ['tests', 'departing', 'broken', 'wait.litmus', 'wait-claim.litmus', 'endless.litmus'];
beforeAll(() => {
  for (const name of CLI) cpSync(join(ROOT, 'test/files', name), at(name), { recursive: true });
});

const at = (...names: readonly string[]): string => join(folder, ...names);
const run = (...args: string[]): Promise<Run> => {
  const jobs = args[0] === 'merge' ? [] : ['--jobs', '2'];
  return remora([...args, ...jobs], { cwd: folder });
};

async function refused(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...args);
  expect(stderr).not.toMatch(STACK_TRACE);
  expect([code, stdout]).toEqual([2, '']);
  return stderr;
}

interface Line {
  readonly test: string;
  readonly departs: boolean;
  readonly verdict: string;
}

/** The tests that a run decided. */
const testsIn = ({ stdout }: Run): readonly string[] => [
  ...new Set(linesIn(stdout).map((line) => line.test)),
];
const linesIn = (json: string): readonly Line[] =>
  json
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);

describe('--grep', () => {
  test.each([
    ['a name', '^SB$', ['SB']],
    ['a path', 'tests/[lm]', ['loop', 'MP']],
    ['a title', 'expectations that no', ['wrong']],
    ['any of these', 'MP|departing', ['MP', 'wrong']],
  ])('takes the tests that %s matches', async (_, pattern, names) => {
    for (const command of ['check', 'test', 'outcomes']) {
      const args = ['tests', 'departing', '--grep', pattern, '--json', '-m', 'sc'];
      expect(testsIn(await run(command, ...args))).toEqual(names);
    }
  });

  test('compare takes it, too', async () => {
    const args = ['compare', 'sc', 'rdma-tso', 'tests', '--json', '--grep', 'SB'];
    expect(testsIn(await run(...args))).toEqual(['SB']);
  });

  test('a file that does not parse is reported, for nobody knows what it matches', async () => {
    const { code, stdout, stderr } = await run('check', 'tests', 'broken', '--grep', 'SB');
    expect(stderr).toMatch(/^broken\/bad\.litmus:3:35: /);
    expect(stdout).toMatch(/^SB under rdma-tso\n/);
    expect(code).toBe(2);
  });

  test('what is no pattern, and what matches nothing, is one message', async () => {
    expect(await refused('test', 'tests', '--grep', 'a(b')).toBe(
      "error: option '--grep <pattern>' argument 'a(b' is invalid. a regular expression is needed: " +
        '/a(b/: Unterminated group.\n(see remora test --help)\n',
    );
    expect(await refused('test', 'tests', '--grep', 'nosuch')).toBe(
      "none of the 4 tests matches --grep 'nosuch'\n",
    );
  });

  test('goes with shards and files of results, which know it', async () => {
    const args = ['check', 'tests', '-m', 'sc', '--grep', 'tests/[lt]'];
    const whole = await run(...args);
    for (const part of [1, 2]) {
      await run(...args, '--shard', `${part}/2`, '--out', `${part}.jsonl`);
    }
    const header = JSON.parse(readFileSync(at('1.jsonl'), 'utf8').split('\n')[0]) as object;
    expect(header).toMatchObject({ corpus: { files: 4, grep: 'tests/[lt]' } });
    expect((await run('merge', '1.jsonl', '2.jsonl')).stdout).toBe(whole.stdout);

    const other = ['check', 'tests', '-m', 'sc', '--grep', 'SB', '--shard', '2/2'];
    await run(...other, '--out', 'other.jsonl');
    expect(await refused('merge', '1.jsonl', 'other.jsonl')).toBe(
      "other.jsonl: holds results of another run than 1.jsonl: tests that match 'SB', not tests that match 'tests/[lt]'\n",
    );
  });

  test('a run is gone on with under another pattern, and keeps what it has', async () => {
    const args = ['check', 'tests', '-m', 'sc', '--resume', 'grown.jsonl'];
    await run(...args, '--grep', 'SB');
    const few = readFileSync(at('grown.jsonl'), 'utf8');
    const { stdout } = await run(...args);
    expect(stdout).toBe((await run('check', 'tests', '-m', 'sc')).stdout);
    const all = readFileSync(at('grown.jsonl'), 'utf8');
    expect(all.startsWith(few)).toBe(true);
    const decided = (text: string) => text.match(/"test":"SB"/g)?.length;
    expect(decided(all)).toBe(decided(few));
    expect((await run('merge', 'grown.jsonl')).stdout).toBe(stdout);
  });
});

describe('--bail', () => {
  test('stops at the first departure in the order of tests, and says how many are left', async () => {
    const paths = ['tests/mp.litmus', 'departing', 'tests/sb.litmus', 'tests/two.litmus'];
    const args = ['test', ...paths, '-m', 'sc,rdma-tso', '--bail'];
    for (const jobs of ['1', '3']) {
      const done = await remora([...args, '--jobs', jobs, '--json'], { cwd: folder });
      expect(testsIn(done)).toEqual(['MP', 'wrong']);
      expect(done.stderr).toBe('stopped at the first departure: 2 of 4 tests are not decided\n');
      expect(done.code).toBe(1);
    }
    expect((await run(...args)).stdout).toMatch(/^2 tests, 8 verdicts, 0 unknown; .*, 5 failed/m);
  });

  test('does not wait for what takes long, nor counts it as undecided', async () => {
    cpSync(join(ROOT, 'test/files/long'), at('long'), { recursive: true });
    const args = ['check', 'departing', 'long', '--bail', '--time-limit', '300'];
    const { code, stdout } = await run(...args);
    expect(stdout).not.toContain('unknown');
    expect(code).toBe(1);
  });

  test('changes nothing where nothing departs, or only the last test does', async () => {
    const plain = await run('check', 'tests', 'departing');
    const bail = await run('check', 'tests', 'departing', '--bail');
    expect([bail.stdout, bail.stderr, bail.code]).toEqual([plain.stdout, '', 1]);
  });
});

describe('--quiet', () => {
  test('test: a line a folder, then what departs or is unknown, and the counts', async () => {
    const args = ['test', 'tests', 'departing', 'endless.litmus', '-m', 'rdma-tso'];
    const [loud, quiet] = [await run(...args), await run(...args, '--quiet')];
    const rest = loud.stdout.slice(loud.stdout.indexOf('\n\n', loud.stdout.indexOf('● all')) + 2);
    const [folders, found, counts] = withoutTimes(quiet.stdout).split('\n\n');
    expect(folders.split('\n').map((line) => line.split(/ {2,}/)[0])).toEqual([
      ...['folder', 'tests/', 'departing/', './'],
    ]);
    expect(`${found}\n${counts}`).toBe(withoutTimes(rest));
    expect(found).toMatch(/^departing\/wrong\.litmus: exists .*published as forbidden\n/);
    expect(quiet.code).toBe(1);
  });

  test('check: the queries that depart or are unknown, and nothing where all is well', async () => {
    const { code, stdout } = await run(
      'check',
      'tests',
      'wait-claim.litmus',
      'endless.litmus',
      '--quiet',
    );
    expect(stdout).toMatch(/^endless under rdma-tso\n {2}exists .*\n {4}unknown: /);
    expect(stdout).not.toContain('MP');
    expect(code).toBe(2);
    const well = await run('check', 'tests', '--quiet');
    expect([well.stdout, well.stderr, well.code]).toEqual(['', '', 0]);
  });

  test('--json: the lines of those', async () => {
    const args = ['test', 'departing', 'tests', '-m', 'sc,rdma-tso', '--json'];
    const [loud, quiet] = [await run(...args), await run(...args, '--quiet')];
    const departing = linesIn(loud.stdout).filter((line) => line.departs);
    expect(withoutTimes(JSON.stringify(linesIn(quiet.stdout)))).toBe(
      withoutTimes(JSON.stringify(departing)),
    );
    expect(departing).toHaveLength(5);
  });
});

/** The elements of a document that is well-formed, with attributes; an error if it is not. */
function elementsOf(xml: string): readonly { name: string; attributes: Record<string, string> }[] {
  const found: { name: string; attributes: Record<string, string> }[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => found.push({ name, attributes }));
  parser.write(xml).close();
  return found;
}

describe('--reporter', () => {
  test('json, herd and markdown are what their options print', async () => {
    for (const name of ['json', 'herd']) {
      const args = ['check', 'tests', '-m', 'sc'];
      const [short, long] = [
        await run(...args, `--${name}`),
        await run(...args, '--reporter', name),
      ];
      expect(withoutTimes(long.stdout)).toBe(withoutTimes(short.stdout));
      expect(long.stdout).not.toBe('');
    }
    const short = await run('test', 'tests', '--markdown');
    expect((await run('test', 'tests', '--reporter', 'markdown')).stdout).toBe(short.stdout);
  });

  test('table: what test prints, by check, too', async () => {
    const [checked, tested] = [
      await run('check', 'tests', '-m', 'sc,rdma-tso', '--reporter', 'table'),
      await run('test', 'tests', '-m', 'sc,rdma-tso'),
    ];
    expect(withoutTimes(checked.stdout)).toBe(withoutTimes(tested.stdout));
  });

  test('junit: a suite for each test and model, a case for each query', async () => {
    const paths = ['departing', 'tests', 'wait.litmus', 'wait-claim.litmus', 'endless.litmus'];
    const args = [...paths, '-m', 'sc,rdma-tso', '--reporter', 'junit'];
    const { code, stdout } = await run('test', ...args);
    expect(code).toBe(1);
    const [root, ...rest] = elementsOf(stdout);
    const cases = rest.filter(({ name }) => name === 'testcase');
    const count = (name: string) => String(rest.filter((e) => e.name === name).length);
    expect(root).toMatchObject({
      name: 'testsuites',
      attributes: {
        tests: String(cases.length),
        failures: count('failure'),
        errors: count('error'),
        skipped: count('skipped'),
      },
    });
    // 3 + 6 queries of tests that can be translated, and 3 of others, each under two models.
    expect(cases).toHaveLength(24);
    expect([count('failure'), count('error'), count('skipped')]).toEqual(['5', '2', '2']);
    expect(rest.filter(({ name }) => name === 'testsuite')).toHaveLength(16);
    expect(rest.map((e) => e.attributes)).toContainEqual({
      message: 'allowed, published as forbidden',
      type: 'departs',
    });
    expect(cases.map((e) => e.attributes)).toContainEqual(
      expect.objectContaining({
        classname: 'MP under rdma-tso',
        name: 'exists (a = 1 /\\ b = 0) "flag seen, data missing"',
        file: 'tests/mp.litmus',
      }),
    );
  });

  test('junit is well-formed and github one line, whatever the names are', async () => {
    const name = "a<b>&']]>";
    const file = 'odd,a:b%c\nd"<&\u0001\ufffe.litmus';
    mkdirSync(at('odd'), { recursive: true });
    const [, body] = readFileSync(at('departing/wrong.litmus'), 'utf8').split('\n\nnode 1');
    const text = `RDMA ${name}\n\nnode 1${body}`;
    const label = ' "<!-- & ]]> \ufffe \ud83d\ude00 --> &lt;"';
    writeFileSync(at('odd', file), text.replace('b = 0)', `b = 0)${label}`));
    const found = await run('test', 'odd', '-m', 'sc', '--reporter', 'junit');
    const elements = elementsOf(found.stdout);
    expect(elements.filter((e) => e.name === 'failure')).toHaveLength(2);
    expect(elements.find((e) => e.name === 'testcase')?.attributes['name']).toMatch(
      /<!-- & \]\]> . \u{1f600} --> &lt;"$/u,
    );
    const marked = await run('test', 'odd', '-m', 'sc', '--reporter', 'github');
    const lines = marked.stdout.split('\n');
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(
      /^::error file=odd\/odd%2Ca%3Ab%25c%0Ad"<&.{2}\.litmus,line=\d+,col=3::a</,
    );
  });

  test('github: a mark where the file says otherwise, and the counts', async () => {
    const args = ['departing', 'endless.litmus', '-m', 'sc,rdma-tso', '--reporter', 'github'];
    const { code, stdout, stderr } = await run('test', ...args);
    const wrong = 'departing/wrong.litmus';
    expect(withoutTimes(stdout)).toBe(`\
::error file=${wrong},line=11,col=3::wrong under sc: exists (a = 0 /\\ b = 0): forbidden, expected allowed
::error file=${wrong},line=15,col=1::wrong under sc: forall (a = 1): fails, expected holds
::error file=${wrong},line=10,col=3::wrong under rdma-tso: exists (a = 0 /\\ b = 0): allowed, published as forbidden
::error file=${wrong},line=13,col=1::wrong under rdma-tso: ~exists (a = 0 /\\ b = 0): allowed, expected forbidden
::error file=${wrong},line=15,col=1::wrong under rdma-tso: forall (a = 1): fails, expected holds
::warning file=endless.litmus,line=8,col=1::endless under sc: exists (x = 0): unknown: no run ends within the loop bound of 3: --bound takes a larger one
::warning file=endless.litmus,line=8,col=1::endless under rdma-tso: exists (x = 0): unknown: no run ends within the loop bound of 3: --bound takes a larger one
2 tests, 8 verdicts, 2 unknown; 1 expectation held, 5 failed; 1 test without any; … s
`);
    expect([code, stderr]).toEqual([1, '']);
  });

  test('sarif: each finding with its place', async () => {
    const args = ['departing', 'endless.litmus', 'broken', 'nowhere.litmus', '-m', 'sc'];
    const { code, stdout } = await run('test', ...args, '--reporter', 'sarif');
    expect(code).toBe(2);
    const { version, runs } = JSON.parse(stdout) as {
      version: string;
      runs: readonly {
        tool: { driver: { name: string; rules: readonly { id: string }[] } };
        results: readonly { ruleId: string; level: string; locations?: readonly unknown[] }[];
      }[];
    };
    expect([version, runs.length, runs[0].tool.driver.name]).toEqual(['2.1.0', 1, 'Remora']);
    const { results, tool } = runs[0];
    const rules = tool.driver.rules.map(({ id }) => id);
    for (const { ruleId } of results) expect(rules).toContain(ruleId);
    expect(results.map(({ ruleId, level }) => `${ruleId} ${level}`)).toEqual([
      'input error',
      'input error',
      'departs error',
      'departs error',
      'unknown warning',
    ]);
    expect(results[2].locations).toEqual([
      {
        physicalLocation: {
          artifactLocation: { uri: 'departing/wrong.litmus' },
          region: expect.objectContaining({ startLine: 11, startColumn: 3 }) as unknown,
        },
      },
    ]);
    expect(results[0].locations).toBeUndefined();
  });

  test('junit and github show files that cannot be read or parsed, merged ones, too', async () => {
    const args = ['test', 'broken', 'nowhere.litmus', '-m', 'sc', '--out', 'broken.jsonl'];
    const github = await run(...args, '--reporter', 'github');
    const message = "'y' is declared at no node, and T1 never writes it";
    const junit = await run('merge', 'broken.jsonl', '--reporter', 'junit');
    expect([github.code, junit.code]).toEqual([2, 2]);
    expect(github.stdout.split('\n').slice(0, 2)).toEqual([
      '::error::nowhere.litmus: no such file or folder',
      `::error file=broken/bad.litmus,line=3,col=35::${message}`,
    ]);
    const [root, ...rest] = elementsOf(junit.stdout);
    expect(root.attributes).toMatchObject({ errors: '2', failures: '0' });
    const errors = rest.filter(({ name }) => name === 'error').map((e) => e.attributes);
    expect(errors).toEqual([
      { message: 'nowhere.litmus: no such file or folder', type: 'input' },
      { message, type: 'input' },
    ]);
    const names = rest.filter(({ name }) => name === 'testcase').map((e) => e.attributes['name']);
    expect(names.slice(0, 2)).toEqual([
      'nowhere.litmus: no such file or folder',
      'broken/bad.litmus',
    ]);
    const direct = await run(...args.slice(0, 5), '--reporter', 'junit');
    const timeless = (xml: string) => xml.replace(/time="[^"]*"/g, '');
    expect(timeless(direct.stdout)).toBe(timeless(junit.stdout));
    const merged = await run('merge', 'broken.jsonl', '--reporter', 'github');
    expect(withoutTimes(merged.stdout)).toBe(withoutTimes(github.stdout));
  });

  test('of merged results, as of the run', async () => {
    const args = ['test', 'tests', 'departing', '-m', 'sc'];
    const { stdout } = await run(...args, '--reporter', 'github', '--out', 'test.jsonl');
    const merged = await run('merge', 'test.jsonl', '--reporter', 'github');
    expect(withoutTimes(merged.stdout)).toBe(withoutTimes(stdout));
    await run('outcomes', 'tests', '--out', 'outcomes.jsonl');
    expect(await refused('merge', 'outcomes.jsonl', '--reporter', 'junit')).toBe(
      '--reporter junit is for results of check, test, and these are of outcomes\n',
    );
  });
});

test.each([
  ['check', ['--json', '--herd'], 'a report has one format, and json and herd are asked for'],
  ['check', ['--reporter', 'junit', '--json'], 'a report has one format, and junit and json'],
  [
    'check',
    ['--reporter', 'markdown'],
    'Allowed choices are text, table, json, junit, sarif, github, herd',
  ],
  [
    'compare',
    ['--reporter', 'junit'],
    "unknown option '--reporter'|Allowed choices are table, json",
  ],
  [
    'test',
    ['--quiet', '--reporter', 'junit'],
    '--quiet leaves parts out, and --reporter junit has',
  ],
  ['test', ['--quiet', '--markdown'], '--quiet leaves parts out, and --markdown has to be whole'],
  ['check', ['--bail', '--herd'], '--bail is about verdicts, and --herd shows none'],
  ['test', ['--herd'], '--herd prints the log of one model: give just one'],
  ['test', ['--update', '--json'], '--update prints what it changes: it does not go with --json'],
  ['test', ['--update', '--bail'], '--update does not go with --bail'],
  [
    'test',
    ['--watch', '--reporter', 'junit'],
    '--watch prints many reports: --reporter junit is one',
  ],
  ['test', ['--watch', '--update'], '--watch does not go with --update'],
  ['check', ['--watch', '--out', 'x.jsonl'], '--watch does not go with --out'],
  ['check', ['-', '--watch'], '--watch is about files: it does not go with standard input'],
  ['test', ['-', '--update'], '--update writes files: it does not go with standard input'],
])('%s %j is refused', async (command, args, message) => {
  const models = command === 'compare' ? ['sc', 'rdma-tso'] : [];
  const error = await refused(command, ...models, 'tests', ...args);
  expect(error).toMatch(new RegExp(message));
  expect(error).toContain(`\n(see remora ${command} --help)\n`);
});
