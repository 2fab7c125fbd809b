import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT, remora } from '../support/run.js';

interface Field {
  readonly name: string;
  readonly always: boolean;
  readonly fits: (value: unknown) => boolean;
}

const isIntegers = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every(Number.isInteger);
/** As docs/json.md has them: `null` is `none`, an array a tuple. */
const isValues = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((v) => v === null || [v].flat().every(Number.isInteger));
const isArrayOf =
  (fits: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.every(fits);
const isString = (value: unknown): boolean => typeof value === 'string';

const TYPES = new Map<string, Field['fits']>([
  ['string', isString],
  ['integer', Number.isInteger],
  ['number', (value) => typeof value === 'number' && value >= 0],
  ['boolean', (value) => typeof value === 'boolean'],
  ['object', (value) => typeof value === 'object' && value !== null && !Array.isArray(value)],
  ['object of integers', isIntegers],
  ['array of strings', isArrayOf(isString)],
  ['array of integers', isArrayOf(Number.isInteger)],
  ['array of objects', isArrayOf((value) => typeof value === 'object' && value !== null)],
  ['object of values', isValues],
  ['array of values', isArrayOf((v) => v === null || Number.isInteger(v))],
  ['array of objects of values', isArrayOf(isValues)],
]);

/** The table of a section of docs/json.md. */
function fieldsOf(section: string): readonly Field[] {
  const text = readFileSync(join(ROOT, 'docs/json.md'), 'utf8');
  const part = text.split(/^## /m).find((p) => p.startsWith(`${section}\n`)) ?? '';
  const rows = [...part.matchAll(/^\| `(\w+)` \| (.*?) \| (.*?) \|/gm)];
  expect(rows.length).toBeGreaterThan(0);
  return rows.map(([, name, type, present]) => {
    const words = [...type.matchAll(/`([^`]+)`/g)].map(([, word]) => word);
    const fits = words.length > 0 ? (v: unknown) => words.includes(String(v)) : TYPES.get(type);
    if (fits === undefined) throw new Error(`docs/json.md: no such type: ${type}`);
    return { name, always: present === 'always', fits };
  });
}

type Line = Readonly<Record<string, unknown>>;

/** The lines of an output, each checked against the fields that the document lists, in order. */
function linesOf(stdout: string, section: (line: Line) => string): readonly Line[] {
  const lines = stdout.split('\n').slice(0, -1);
  expect(stdout.endsWith('\n') || stdout === '').toBe(true);
  return lines.map((text) => {
    const line = JSON.parse(text) as Line;
    expectFields(line, section(line));
    return line;
  });
}

/** An object has the fields that a section of the document lists, in order. */
function expectFields(line: Line, section: string): void {
  const fields = fieldsOf(section);
  const expected = fields.filter((f) => f.always || f.name in line).map((f) => f.name);
  expect(Object.keys(line)).toEqual(expected);
  for (const { name, fits } of fields) {
    if (name in line) expect(fits(line[name]), `${name}: ${JSON.stringify(line)}`).toBe(true);
  }
}

const verdictSection = ({ verdict }: Line): string =>
  verdict === 'untranslatable' ? 'Tests without meaning' : 'Verdicts';

const RESULTS = join(ROOT, 'measurements/weak-card-ro.jsonl');

const run = (...args: string[]) => remora([...args, '--json', '--jobs', '1']);

describe('--json', () => {
  test('explore: runs as lines and as data', async () => {
    const paths = ['tas', 'tas-elsewhere'].map((name) => `corpus/locks/${name}.litmus`);
    const { stdout } = await run('explore', ...paths);
    const steps = linesOf(stdout, verdictSection).flatMap(
      (line) => (line['steps'] ?? []) as Line[],
    );
    for (const step of steps) expectFields(step, 'Steps of runs');
    const kinds = new Set(steps.map(({ kind }) => kind));
    for (const kind of ['enter', 'post', 'perform', 'flush-local', 'poll', 'drain', 'assertion']) {
      expect(kinds).toContain(kind);
    }
  });

  test('tidy: a line a file, every candidate as documented', async () => {
    const paths = ['man-visible', 'msg-fence', 'msg-answer'].map(
      (n) => `corpus/fabrics/${n}.litmus`,
    );
    const { code, stdout } = await run('tidy', ...paths, '-m', 'rdma-tso,rdma-srd');
    const lines = linesOf(stdout, () => 'What is there for nothing');
    const candidates = lines.flatMap((line) => line['candidates'] as Line[]);
    for (const one of candidates) expectFields(one, 'Candidates');
    const verdicts = candidates.map(({ verdict }) => verdict);
    expect(verdicts).toEqual(['needless', 'needless', 'needed', 'needed', 'needless']);
    expect(code).toBe(1);
  });

  test('measured: a line a card, a test, and what is forbidden and seen', async () => {
    const section = {
      card: 'Measured cards',
      test: 'Measured tests',
      forbidden: 'Forbidden and seen',
    };
    const { code, stdout } = await run('measured', RESULTS, '-m', 'rdma-tso,rdma-ro');
    const lines = linesOf(stdout, ({ kind }) => section[kind as keyof typeof section]);
    expect(new Set(lines.map(({ kind }) => kind))).toEqual(new Set(Object.keys(section)));
    expect(code).toBe(1);
  });

  test('distinguish: a line a program, and one about all, every field as documented', async () => {
    const options = ['--operations', 'put', '--calls', '2', '--all'];
    const { code, stdout } = await run('distinguish', 'rdma-tso', 'rdma-ro', ...options);
    const lines = linesOf(stdout, () => 'Distinguish');
    expect(lines.map(({ differ }) => differ)).toEqual([
      ...lines.slice(1).map(() => undefined),
      true,
    ]);
    expect(code).toBe(1);
  });

  test('distinguish, many models: a line a program, and one about all pairs', async () => {
    const models = ['rdma-tso', 'rdma-tso-rec', 'rdma-ro'];
    const { code, stdout } = await run('distinguish', ...models, '--operations', 'put');
    const lines = linesOf(stdout, () => 'Tables of models');
    expect(lines.at(-1)).toMatchObject({
      pairs: [{ relation: 'equal' }, { relation: 'less' }, { relation: 'less' }],
    });
    expect(lines).toHaveLength(2);
    expect(code).toBe(1);
  });

  test('synthesise: a line a test, and one about all, every field as documented', async () => {
    const options = ['--operations', 'put,write', '--calls', '2'];
    const { code, stdout } = await run('synthesise', 'rdma-tso', ...options);
    const lines = linesOf(stdout, () => 'Synthesise');
    expect(lines.at(-1)).toMatchObject({ tests: lines.length - 1 });
    expect(lines.length).toBeGreaterThan(1);
    expect(code).toBe(0);
  });

  test('synthesise --of: a line a query, every field as documented', async () => {
    const { stdout, code } = await run(
      'synthesise',
      'rdma-tso',
      '--of',
      'corpus/tso/SB-flush.litmus',
      'corpus/tso/ST1.litmus',
    );
    const lines = linesOf(stdout, () => 'Is a test minimal?');
    expect(lines.map(({ verdict }) => verdict)).toEqual(['not minimal', 'minimal', 'allowed']);
    expect(code).toBe(1);
  });

  test('check: a line a query and model, every field as documented', async () => {
    const paths = ['tests', 'wait-simple.litmus', 'vacuous.litmus', 'endless.litmus', 'departing'];
    const { code, stdout, stderr } = await run('check', ...paths.map((p) => `test/files/${p}`));
    expect(stderr).toBe('');
    expect(code).toBe(1);
    const lines = linesOf(stdout, verdictSection);
    const of = (test: string, index = 0) =>
      lines.find((line) => line['test'] === test && line['index'] === index) ?? {};
    expect(lines).toHaveLength(12);
    expect(of('MP')).toEqual({
      format: 2,
      file: 'test/files/tests/mp.litmus',
      test: 'MP',
      query: 'exists (a = 1 /\\ b = 0)',
      index: 0,
      label: 'flag seen, data missing',
      model: 'rdma-tso',
      verdict: 'allowed',
      expected: 'allowed',
      authority: 'published',
      departs: false,
      state: { a: 1, b: 0 },
      flags: [],
      milliseconds: expect.any(Number) as number,
    });
    expect(of('loop')).toMatchObject({ verdict: 'forbidden', upTo: 3, departs: false });
    expect(of('loop', 1)).not.toHaveProperty('upTo');
    expect(of('two')).toMatchObject({ verdict: 'forbidden', authority: 'claim' });
    expect(of('two', 1)).toMatchObject({ verdict: 'holds', expected: 'holds', departs: false });
    expect(of('wait-simple')).toMatchObject({ note: '1 wait read as poll for rdma-tso' });
    expect(of('vacuous')).toMatchObject({ verdict: 'vacuous', departs: false });
    expect(of('vacuous')['reason']).toMatch(/^T1 polls node 2 more often/);
    expect(of('endless')).toMatchObject({ verdict: 'unknown' });
    expect(of('wrong')).toMatchObject({ verdict: 'allowed', expected: 'forbidden', departs: true });
    expect(of('wrong', 2)).toMatchObject({ verdict: 'fails', authority: 'claim', departs: true });
  });

  test('check, test and compare: a line for each query without translation', async () => {
    const file = 'test/files/wait.litmus';
    const untranslatable = {
      format: 2,
      file,
      test: 'waits',
      query: 'exists (z = 1)',
      index: 0,
      model: 'rdma-tso',
      verdict: 'untranslatable',
      reason: expect.stringMatching(/^wait\(d\) cannot be translated for rdma-tso: /) as string,
    };
    const [checked, tested, compared] = [
      await run('check', file),
      await run('test', file, '-m', 'rdma-tso,rdma-wait'),
      await run('compare', 'rdma-tso', 'rdma-wait', file),
    ];
    expect([checked.code, tested.code, compared.code]).toEqual([2, 0, 3]);
    expect(linesOf(checked.stdout, verdictSection)).toEqual([untranslatable]);
    for (const { stdout } of [tested, compared]) {
      const [first, second] = linesOf(stdout, verdictSection);
      expect(first).toEqual(untranslatable);
      expect(second).toMatchObject({ model: 'rdma-wait', verdict: 'forbidden' });
    }
  });

  test('check: flags, and computed expectations', async () => {
    const model = ['-m', 'test/files/models/flagged.cat,sc'];
    const { stdout } = await run('check', 'test/files/tests/mp.litmus', ...model);
    const [flagged, sc] = linesOf(stdout, verdictSection);
    expect(flagged).toMatchObject({ model: 'flagged', flags: ['reads-of-others'] });
    expect(flagged).not.toHaveProperty('expected');
    expect(sc).toMatchObject({ verdict: 'forbidden', authority: 'computed', departs: false });
    expect(sc).not.toHaveProperty('state');
  });

  test('outcomes: a line a test and model, every field as documented', async () => {
    const paths = ['tests/loop.litmus', 'wait-simple.litmus', 'wait.litmus', 'same-name.litmus'];
    const { code, stdout } = await run('outcomes', ...paths.map((p) => `test/files/${p}`));
    const [loop, simple, same, ...rest] = linesOf(stdout, () => 'Outcomes');
    expect(rest).toEqual([]);
    expect(loop).toMatchObject({ test: 'loop', states: [{ b: 1 }], upTo: 3 });
    expect(simple).toMatchObject({ states: [{ z: 0 }], note: '1 wait read as poll for rdma-tso' });
    expect(same['states']).toEqual([
      { 'T1:a': -3, 'T2:a': -3, x: 4 },
      { 'T1:a': 4, 'T2:a': -3, x: 4 },
    ]);
    expect(code).toBe(2);
  });

  test('outcomes: why a list is incomplete', async () => {
    const args = ['outcomes', 'test/files/long/pigeons.litmus', '--all', '--time-limit', '0.1'];
    const { code, stdout } = await run(...args);
    const [line] = linesOf(stdout, () => 'Outcomes');
    expect(line['incomplete']).toBeTypeOf('string');
    expect(code).toBe(3);
  });

  test('instructions: a line a model, every field as documented', async () => {
    const { code, stdout } = await remora(['instructions', 'rdma-tso', 'sc', '--json']);
    expect(code).toBe(0);
    const [tso, sc] = linesOf(stdout, () => 'Instructions');
    expect([tso['model'], sc['model']]).toEqual(['rdma-tso', 'sc']);
    expect(tso['operations']).toContainEqual(
      expect.objectContaining({ name: 'put', call: 'y^n := put(x)', short: 'y^n := x' }),
    );
    expect(tso['guesses']).toContainEqual(
      expect.objectContaining({ name: 'rao', how: 'either', pairs: '(nAR * nAR) & sn \\ id' }),
    );
    expect(tso['insteads']).toContainEqual(
      expect.objectContaining({ of: 'nC', tags: ['fallible'], label: 'nZ', without: ['nic'] }),
    );
  });

  test('refine: a line a client, and one about what was generated', async () => {
    const section = ({ kind }: Line): string =>
      kind === 'generated' ? 'Generated clients' : 'Refinement';
    const client = await run('refine', 'loco-rbl', 'corpus/loco/ring-self.litmus');
    const [fails, ...rest] = linesOf(client.stdout, section);
    expect([client.code, rest]).toEqual([1, []]);
    expect(fails).toMatchObject({
      implementations: ['loco-rbl'],
      client: 'ring-self',
      verdict: 'does not refine',
      hangs: false,
    });
    expect(fails['outcome']).toEqual([
      ...[
        { thread: 'T1', name: 'a', value: 1 },
        { thread: 'T1', name: 'c', value: 1 },
      ],
      ...[
        { thread: 'T1', name: 'e', value: null },
        { thread: 'T2', name: 'b', value: 1 },
      ],
      ...[
        { thread: 'T2', name: 'd', value: 1 },
        { thread: 'T2', name: 'f', value: null },
      ],
    ]);
    const all = await run('refine', 'loco-bal', '--generate', '--calls', '1', '--threads', '1');
    const lines = linesOf(all.stdout, section);
    expect(lines.at(-1)).toMatchObject({ kind: 'generated', clients: lines.length - 1 });
    expect(lines.length).toBeGreaterThan(1);
    expect(all.code).toBe(0);
  });

  const FILE = 'test/files/tests/mp.litmus';

  /** How each command that has the option is called. */
  const CALLS: { readonly [command: string]: readonly string[] } = {
    check: [FILE],
    test: [FILE],
    compare: ['rdma-sc', 'rdma-tso', FILE],
    fabrics: [FILE, '-m', 'rdma-tso'],
    tidy: [FILE],
    distinguish: ['rdma-tso', 'rdma-ro', '--operations', 'put', '--calls', '2'],
    synthesise: ['rdma-tso', '--operations', 'put', '--calls', '2'],
    outcomes: [FILE],
    explore: [join(ROOT, 'corpus/locks/tas.litmus')],
    explain: [FILE],
    robust: [FILE],
    agree: [FILE],
    refine: ['loco-sv', join(ROOT, 'corpus/loco/Fig5.litmus')],
    instructions: ['sc'],
    machine: ['sc'],
    measured: [RESULTS, '-m', 'rdma-tso'],
    merge: [],
  };

  test('every command: each object begins with the format', async () => {
    const { stdout: help } = await remora(['--help']);
    const commands = [...help.matchAll(/^ {2}(\w+)(?: \[options\])? [<[]/gm)].map(
      ([, name]) => name,
    );
    const able: string[] = [];
    for (const command of commands) {
      const { stdout } = await remora([command, '--help']);
      if (/^ {2}--json /m.test(stdout)) able.push(command);
    }
    expect(able.sort()).toEqual(Object.keys(CALLS).sort());
    const results = join(mkdtempSync(join(tmpdir(), 'remora-json-')), 'results.jsonl');
    await remora(['check', FILE, '--out', results]);
    for (const command of able) {
      const args = command === 'merge' ? [results] : CALLS[command];
      const { stdout } = await remora([command, ...args, '--json']);
      const lines = stdout.trimEnd().split('\n');
      for (const line of lines) expect(line, command).toMatch(/^\{"format":2,"/);
    }
    const [header, , ...lines] = readFileSync(results, 'utf8').trimEnd().split('\n');
    expect(header).toMatch(/^\{"remora":"[^"]+","format":2,/);
    for (const line of lines) expect(line).toMatch(/^\{"format":2,"/);
    rmSync(dirname(results), { recursive: true });
  });
});
