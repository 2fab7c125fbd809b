import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SaxesParser } from 'saxes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Run } from '../support/run.js';
import { ROOT, remora, withoutTimes } from '../support/run.js';

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

interface Line {
  readonly test: string;
  readonly departs: boolean;
  readonly verdict: string;
}

const linesIn = (json: string): readonly Line[] =>
  json
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);

describe('--quiet', () => {
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
});
