import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contentOf, parseShard, shardOf } from '../../src/cli/inputs/shard.js';
import type { Header } from '../../src/cli/results/format.js';
import { digested } from '../../src/cli/results/digest.js';
import { redigested, undigestedText } from '../support/results.js';
import type { Run } from '../support/run.js';
import { ROOT, STACK_TRACE, remora, withoutTimes } from '../support/run.js';

const folder = mkdtempSync(join(tmpdir(), 'remora-shard-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A corpus with several folders, a test without translation, and a file that is broken. */
const corpus = join(folder, 'corpus');
const WAYS = ['--engine', 'enumerate', '--jobs', '1'];
const MODELS = ['-m', 'sc,rdma-tso'];

const inFolder = (args: readonly string[]): Promise<Run> => remora(args, { cwd: folder });
const texts = ({ stdout, stderr, code }: Run) => [withoutTimes(stdout), stderr, code];

/** Runs a command once for each of three shards, all at the same time. */
function shards(name: string, args: readonly string[]): Promise<readonly Run[]> {
  const one = (i: number) =>
    inFolder([...args, '--shard', `${i}/3`, '--out', `${name}-${i}.jsonl`]);
  return Promise.all([1, 2, 3].map(one));
}

beforeAll(() => {
  for (const name of ['tests', 'departing', 'broken']) {
    cpSync(join(ROOT, 'test/files', name), join(corpus, name), { recursive: true });
  }
  for (const name of ['wait.litmus', 'vacuous.litmus', 'silent.litmus', 'branches.litmus']) {
    cpSync(join(ROOT, 'test/files', name), join(corpus, name));
  }
});

describe('--shard', () => {
  test('is a part of a whole', () => {
    expect(parseShard('2/3')).toEqual({ index: 2, of: 3 });
    for (const text of ['3/2', '0/4', 'x', '1/0', '1', '1/2/3', '-1/2', '1.5/2', '01/2', '']) {
      expect(parseShard(text), text).toBeUndefined();
    }
  });

  test('spreads contents evenly', () => {
    const counts = [0, 0, 0, 0];
    for (let i = 0; i < 4000; i++) counts[shardOf(contentOf(`test ${i}`), 4) - 1] += 1;
    for (const count of counts) expect(count).toBeGreaterThan(900);
  });

  test('every test is in one shard, wherever its file is and whatever it is called', async () => {
    const listed = async (paths: readonly string[], shard?: string) => {
      const part = shard === undefined ? [] : ['--shard', shard];
      const run = await inFolder(['check', ...paths, '-m', 'sc', ...WAYS, '--json', ...part]);
      const lines = run.stdout.split('\n').slice(0, -1);
      return lines.map((line) => (JSON.parse(line) as { test: string }).test).sort();
    };
    const moved = join(folder, 'elsewhere');
    mkdirSync(moved);
    cpSync(join(corpus, 'tests'), join(moved, 'z'), { recursive: true });
    renameSync(join(moved, 'z/sb.litmus'), join(moved, 'a.litmus'));
    const tests = join(corpus, 'tests');
    const [all, ...parts] = await Promise.all([
      listed([tests]),
      listed([tests], '1/2'),
      listed([tests], '2/2'),
      listed([moved], '1/2'),
      listed([moved], '2/2'),
    ]);
    expect([...parts[0], ...parts[1]].sort()).toEqual(all);
    expect(parts[0].filter((name) => parts[1].includes(name))).toEqual([]);
    expect(parts.slice(2)).toEqual(parts.slice(0, 2));
  });
});

describe('merge', () => {
  const part = (i: number): string => `test-${i}.jsonl`;

  beforeAll(async () => {
    await shards('test', ['test', 'corpus', ...MODELS, ...WAYS]);
  });

  /** What must be refused: one message, nothing on standard output. */
  async function refused(...files: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await inFolder(['merge', ...files]);
    expect(stderr).not.toMatch(STACK_TRACE);
    expect([code, stdout]).toEqual([2, '']);
    return stderr;
  }

  test('a shard of another run is an error that says what differs', async () => {
    const text = readFileSync(join(folder, part(2)), 'utf8');
    const header = JSON.parse(text.slice(0, text.indexOf('\n'))) as Header;
    const other = (change: Partial<Header>): Promise<string> => {
      const line = JSON.stringify({ ...header, ...change });
      const changed = line + text.slice(text.indexOf('\n'));
      writeFileSync(join(folder, 'other.jsonl'), redigested(changed));
      return refused(part(1), 'other.jsonl', part(3));
    };
    const head = 'other.jsonl: holds results of another run than test-1.jsonl: ';
    expect(await other({ bound: 2 })).toBe(`${head}bound 2, not of the files\n`);
    expect(await other({ command: 'check', models: header.models.slice(1) })).toBe(
      `${head}command check, not test; models rdma-tso, not sc, rdma-tso\n`,
    );
    expect(await other({ corpus: { files: 4, content: '' } })).toBe(
      `${head}4 litmus files, not 11\n`,
    );
    expect(await other({ shard: '2/4' })).toBe(
      'other.jsonl: holds shard 2/4, and test-1.jsonl 1/3\n',
    );
  });

  test('a shard that is not complete is an error', async () => {
    const text = readFileSync(join(folder, part(2)), 'utf8');
    const cut = text.slice(0, text.lastIndexOf('{"file"') + 40);
    writeFileSync(join(folder, 'cut.jsonl'), cut);
    expect(await refused(part(1), 'cut.jsonl', part(3))).toMatch(
      /^cut\.jsonl: shard 2\/3 is not complete: 1 of \d files are missing; --resume completes it\n$/,
    );
  });

  test('a source that its content was not made from is an error with its line', async () => {
    const text = readFileSync(join(folder, part(2)), 'utf8');
    writeFileSync(join(folder, 'broken.jsonl'), redigested(text.replace('RDMA', 'XDMA')));
    expect(await refused('broken.jsonl')).toBe(
      'broken.jsonl:2: the source is not the one that the content was made from\n',
    );
  });

  test('a line that was changed, moved or copied is an error with its number', async () => {
    const isVerdict = (line: string) => /"verdict":"(allowed|forbidden)"/.test(line);
    const linesOf = (i: number) => readFileSync(join(folder, part(i)), 'utf8').split('\n');
    const own = [1, 2, 3].find((i) => linesOf(i).some(isVerdict))!;
    const lines = linesOf(own);
    const at = lines.findIndex(isVerdict);
    const refusedAs = async (changed: readonly string[]): Promise<string> => {
      writeFileSync(join(folder, 'edited.jsonl'), changed.join('\n'));
      return refused('edited.jsonl', ...[1, 2, 3].filter((i) => i !== own).map(part));
    };
    const problem = 'this line was changed, or stood elsewhere: its digest is another one\n';
    const other = lines[at].includes('"allowed"') ? 'forbidden' : 'allowed';
    const edited = lines[at].replace(/"verdict":"\w+"/, `"verdict":"${other}"`);
    expect(await refusedAs(lines.with(at, edited))).toBe(`edited.jsonl:${at + 1}: ${problem}`);
    // Below another line it would have another digest.
    const moved = digested(undigestedText(lines[at])).line;
    expect(await refusedAs(lines.with(at, moved))).toBe(`edited.jsonl:${at + 1}: ${problem}`);
    expect(
      await refusedAs(lines.with(0, lines[0].replace('"timeLimit":60', '"timeLimit":61'))),
    ).toBe(`edited.jsonl:1: ${problem}`);
  });
});

describe('executions in files of results', () => {
  const source = 'sb.jsonl';
  const run = (model: string, ...more: readonly string[]) =>
    inFolder(['check', 'corpus/tests/sb.litmus', '-m', model, ...WAYS, ...more]);
  const linesOf = (file: string) => readFileSync(join(folder, file), 'utf8').split('\n');

  beforeAll(async () => {
    await run('sc,rdma-tso', '--out', source);
  });

  /** What `merge` says where lines are changed, with digests that fit. */
  async function merged(
    change: (line: string, model: string, positive: string) => string,
  ): Promise<Run> {
    const lines = linesOf(source);
    const positive = lines.find((line) => line.includes('"witness":'))!;
    const changed = lines.map((line) =>
      line === '' ? line : change(line, /"model":"([\w-]+)"/.exec(line)![1], positive),
    );
    expect(changed).not.toEqual(lines);
    writeFileSync(join(folder, 'made-up.jsonl'), redigested(changed.join('\n')));
    return inFolder(['merge', 'made-up.jsonl']);
  }

  const isForbidden = (line: string): boolean => line.includes('"verdict":"forbidden"');
  const replace =
    (from: string | RegExp, to: string) =>
    (line: string): string =>
      line.includes('"witness":') ? line.replace(from, to) : line;

  test.each<[string, (line: string, model: string, positive: string) => string, string]>([
    [
      'of a weaker model under a stronger one',
      (line, _, positive) =>
        isForbidden(line) ? positive.replace('"model":"rdma-tso"', '"model":"sc"') : line,
      'there is no such execution: ',
    ],
    [
      'that is not there',
      (line) => (isForbidden(line) ? line.replace('"forbidden"', '"allowed"') : line),
      "'allowed' without an execution that shows it",
    ],
    [
      'of another end',
      replace(/"state":\{"a":\d/, '"state":{"a":7'),
      'the final state is not that',
    ],
    ['of another verdict', replace('"allowed"', '"fails"'), "'fails' is no answer to exists"],
    ['with other flags', replace('"flags":[]', '"flags":["race"]'), 'the flags are not those'],
    [
      'with other events',
      replace(/"rf":\[\[\d+/, '"rf":[[999'),
      'there is no such execution: rf is',
    ],
    ['without events', replace(/"(rf|mo|reads)":\[\[.*?\]\]/g, '"$1":[]'), 'there is no such '],
    [
      'with other choices',
      replace('"choices":[]', '"choices":[1]'),
      'there is no such execution: it ',
    ],
    ['that is none', replace(/"rf":\[\[\d+/, '"rf":[[-1'), 'not a line of results'],
  ])('one %s is an error with its line', async (_, change, problem) => {
    const { code, stdout, stderr } = await merged(change);
    expect(stderr).toMatch(/^made-up\.jsonl:[34]: [^\n]*\n$/);
    expect(stderr).toContain(problem);
    expect([code, stdout]).toEqual([2, '']);
    const resumed = await run('sc,rdma-tso', '--resume', 'made-up.jsonl');
    expect([resumed.code, resumed.stdout, resumed.stderr]).toEqual([2, '', stderr]);
  });

  test('of models with a CPU of their own, and without an axiom, are judged by those', async () => {
    writeFileSync(
      join(folder, 'mine.cat'),
      'include "rdma-tso.cat"\nacyclic po | rf | mo | rf^-1;mo as strong\n',
    );
    writeFileSync(join(folder, 'own-cpu.cat'), 'include "cpu/arm.cat"\n');
    const models =
      'mine.cat+own-cpu.cat~strong,mine.cat+own-cpu.cat,rdma-tso+./own-cpu.cat,mine.cat';
    const whole = await run(models.replaceAll('+own', '+./own'), '--out', 'own.jsonl');
    expect(whole.stdout.match(/^SB under .*|^ {4}(allowed|forbidden)/gm)).toEqual([
      ...['SB under mine+own-cpu~strong', '    allowed'],
      ...['SB under mine+own-cpu', '    forbidden'],
      ...['SB under rdma-tso+own-cpu', '    allowed'],
      ...['SB under mine', '    forbidden'],
    ]);
    expect(texts(await inFolder(['merge', 'own.jsonl']))).toEqual(texts(whole));
  });

  test('true ones pass; where the model has another text, none is replayed, and one line says so', async () => {
    const whole = await run('sc,rdma-tso');
    expect(texts(await inFolder(['merge', source]))).toEqual(texts(whole));
    const other = await merged((line) =>
      line.replace(/("model":"rdma-tso","content":)"\w+"/, `$1"${contentOf('')}"`),
    );
    expect(texts(other)).toEqual([
      withoutTimes(whole.stdout),
      '1 witness was not replayed, as the model is not here with the text that it had: rdma-tso\n',
      0,
    ]);
  });
});
