import { spawn } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readSaved } from '../../src/cli/results/read.js';
import { undigestedText } from '../support/results.js';
import type { Run } from '../support/run.js';
import {
  MAIN,
  ROOT,
  STACK_TRACE,
  remora,
  remoraProcess,
  shell,
  withoutTimes,
} from '../support/run.js';

const folder = mkdtempSync(join(tmpdir(), 'remora-resume-'));
afterAll(() => rmSync(folder, { recursive: true }));
beforeAll(() => cpSync(join(ROOT, 'test/files/tests'), join(folder, 'tests'), { recursive: true }));

type Signal = 'SIGKILL' | 'SIGINT';

const WAYS = ['--engine', 'enumerate', '--jobs', '1'];
const CHECK = ['check', 'tests', '-m', 'sc', ...WAYS];
const inFolder = (args: readonly string[]): Promise<Run> => remora(args, { cwd: folder });
const at = (file: string): string => join(folder, file);
const read = (file: string): string => readFileSync(at(file), 'utf8');
/** The lines of a file that are whole, without times and digests of these. */
const linesOf = (file: string): readonly string[] =>
  withoutTimes(undigestedText(read(file)))
    .split('\n')
    .slice(0, -1);

/** A line of results as `--json` prints it: without the execution. */
const asPrinted = (line: string): string => line.replace(/"witness":\{.*?\]\}\},/, '');

/** The fields of the two kinds of lines that docs/json.md lists. */
function fieldsOfFiles(): readonly (readonly string[])[] {
  const [, section] = readFileSync(join(ROOT, 'docs/json.md'), 'utf8').split(
    '\n## Files of results\n',
  );
  const tables = section.split('| --- | --- | --- | --- |').slice(1);
  return tables.map((table) => [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name));
}

async function refused(args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await inFolder(args);
  expect(stderr).not.toMatch(STACK_TRACE);
  expect([code, stdout]).toEqual([2, '']);
  return stderr;
}

describe('--out', () => {
  test('holds a line about the run, and of each file a line and what --json prints', async () => {
    const run = await inFolder([...CHECK, '--json', '--out', 'all.jsonl']);
    const [header, ...rest] = linesOf('all.jsonl');
    const documented = fieldsOfFiles();
    expect(Object.keys(JSON.parse(header) as object)).toEqual(
      documented[0].filter((name) => header.includes(`"${name}":`)),
    );
    expect(Object.keys(JSON.parse(rest[0]) as object)).toEqual(
      documented[1].filter((name) => rest[0].includes(`"${name}":`)),
    );
    expect(JSON.parse(header)).toMatchObject({
      command: 'check',
      models: [{ model: 'sc' }],
      engine: 'enumerate',
      shard: '1/1',
      files: 4,
      corpus: { files: 4 },
    });
    const results = rest.filter((line) => !line.includes('"source":'));
    expect(results.some((line) => line.includes('"witness":'))).toBe(true);
    expect(results.map(asPrinted).sort()).toEqual(
      withoutTimes(run.stdout).split('\n').slice(0, -1).sort(),
    );
    for (const name of ['loop', 'mp', 'sb', 'two']) {
      const source = readFileSync(at(`tests/${name}.litmus`), 'utf8');
      const line = rest.find((l) => l.includes(`"file":"tests/${name}.litmus","position"`));
      expect(JSON.parse(line ?? '{}')).toMatchObject({ source });
    }
  });

  test('a forced run that is not finished leaves the former results', async () => {
    cpSync(join(ROOT, 'test/files/long'), at('long'), { recursive: true });
    const args = ['check', 'tests', 'long', '--jobs', '1', '--force', '--out', 'all.jsonl'];
    const before = read('all.jsonl');
    const draft = at('all.jsonl.unfinished');
    const done = (): boolean =>
      existsSync(draft) && (readFileSync(draft, 'utf8').match(/"source":/g) ?? []).length >= 2;
    const signal = { name: 'SIGINT', after: done } as const;
    const { code, stderr } = await remoraProcess(args, { cwd: folder, signal });
    expect(code).toBe(130);
    expect(stderr).toContain(
      'all.jsonl is as it was, and all.jsonl.unfinished has what was found: --resume goes on\n',
    );
    expect(read('all.jsonl')).toBe(before);
    expect(await refused(args)).toBe(
      'all.jsonl.unfinished is there: go on with it by --resume, or remove it\n',
    );
    const saved = readSaved(draft);
    expect('saved' in saved && saved.saved!.entries.size).toBeGreaterThanOrEqual(2);
    rmSync(draft);
  });
});

test('a disk that fills up: what fits is kept, and the rest can be added later', async () => {
  const command = `remora ${CHECK.join(' ')}`;
  const full = await shell(`ulimit -f 3; ${command} --out small.jsonl`, { cwd: folder });
  const plain = await inFolder(CHECK);
  expect(full.stderr).toBe('small.jsonl: cannot be written (EFBIG); the report has all results\n');
  expect([full.code, full.stdout]).toEqual([2, plain.stdout]);
  const saved = readSaved(at('small.jsonl'));
  const { length } = read('small.jsonl');
  expect('saved' in saved ? saved.saved?.whole : 0).toBe(length);
  expect(length).toBeGreaterThan(1024);
  const resumed = await inFolder([...CHECK, '--resume', 'small.jsonl']);
  expect([resumed.code, resumed.stdout]).toEqual([0, plain.stdout]);
});

describe('--resume', () => {
  const resume = (file: string, ...args: readonly string[]): Promise<Run> =>
    inFolder([...CHECK, '--json', ...args, '--resume', file]);

  test('a file may end anywhere: what is cut off is computed again', async () => {
    const whole = await resume('whole.jsonl');
    const text = read('whole.jsonl');
    for (const end of [text.indexOf('\n'), text.lastIndexOf('{"file"') + 9, text.length - 1]) {
      writeFileSync(at('cut.jsonl'), text.slice(0, end));
      const { code, stdout } = await resume('cut.jsonl');
      expect([code, withoutTimes(stdout)]).toEqual([0, withoutTimes(whole.stdout)]);
      expect(linesOf('cut.jsonl')).toEqual(linesOf('whole.jsonl'));
    }
  });

  test('a file that ends anywhere is read', async () => {
    const bytes = readFileSync(at('whole.jsonl'));
    for (let end = 0; end <= bytes.length; end += 7) {
      writeFileSync(at('prefix.jsonl'), bytes.subarray(0, end));
      const saved = readSaved(at('prefix.jsonl'));
      expect(saved, `${end} bytes`).not.toHaveProperty('error');
      if ('saved' in saved) expect(saved.saved?.whole).toBeLessThanOrEqual(end);
    }
  });

  test('files that are new or changed are decided, files that moved are not', async () => {
    cpSync(at('tests'), at('changing'), { recursive: true });
    const args = ['test', 'changing', '-m', 'sc', ...WAYS, '--json', '--resume', 'changing.jsonl'];
    const before = await inFolder(args);
    appendFileSync(at('changing/mp.litmus'), '\nexists (a = 2)\n');
    cpSync(at('changing/sb.litmus'), at('changing/zz.litmus'));
    rmSync(at('changing/sb.litmus'));
    const after = await inFolder(args);
    const times = ({ stdout }: Run): readonly string[] =>
      stdout.match(/"milliseconds":[\d.]+/g) ?? [];
    const kept = times(before).filter((time) => times(after).includes(time));
    expect(kept.length).toBeGreaterThanOrEqual(times(before).length - 1);
    expect(after.stdout).toContain('"query":"exists (a = 2)"');
    expect(after.stdout).toContain('"file":"changing/zz.litmus"');
    const [merged, fresh] = await Promise.all([
      inFolder(['merge', 'changing.jsonl', '--json']),
      inFolder(args.slice(0, -2)),
    ]);
    expect(merged.stdout).toBe(after.stdout);
    expect(withoutTimes(merged.stdout)).toBe(withoutTimes(fresh.stdout));
  });
});

describe('signals', () => {
  /** Starts a run with `--resume` and sends a signal when so many files are done. */
  async function stop(args: readonly string[], file: string, files: number, signal: Signal) {
    const all = [MAIN, ...args, '--jobs', '1', '--resume', file];
    const child = spawn(process.execPath, all, { cwd: ROOT, stdio: 'ignore' });
    const ended = new Promise((resolve) => child.on('exit', resolve));
    const done = (): number =>
      existsSync(file) ? (readFileSync(file, 'utf8').match(/"source":/g) ?? []).length : 0;
    while (done() < files && child.exitCode === null) await sleep(5);
    child.kill(signal);
    await ended;
    return child;
  }

  test('SIGKILL loses no file that was done', async () => {
    const args = ['test', 'corpus/tso', '-m', 'sc,rdma-tso'];
    const file = at('killed.jsonl');
    for (const files of [3, 9]) {
      const { signalCode } = await stop(args, file, files, 'SIGKILL');
      expect(signalCode).toBe('SIGKILL');
      const lines = read('killed.jsonl').split('\n').slice(0, -1);
      for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
    }
    const before = read('killed.jsonl');
    const [resumed, whole] = await Promise.all([
      remora([...args, '--resume', file, '--jobs', '1']),
      remora([...args, '--out', at('uninterrupted.jsonl'), '--jobs', '1']),
    ]);
    const kept = before.slice(0, before.lastIndexOf('{"file":'));
    expect(read('killed.jsonl').startsWith(kept)).toBe(true);
    expect(withoutTimes(resumed.stdout)).toBe(withoutTimes(whole.stdout));
    expect([resumed.code, whole.code]).toEqual([0, 0]);
    const sorted = (name: string) => [...linesOf(name)].sort();
    expect(sorted('killed.jsonl')).toEqual(sorted('uninterrupted.jsonl'));
  });

  test('Ctrl-C leaves what is done in the file, and nothing else', async () => {
    const args = ['check', 'test/files/tests', 'test/files/long'];
    const file = at('interrupted.jsonl');
    const { exitCode } = await stop(args, file, 4, 'SIGINT');
    expect(exitCode).toBe(130);
    expect(read('interrupted.jsonl')).not.toContain('interrupted');
    const { code, stderr } = await remora(['merge', file]);
    expect(stderr).toBe(
      `${file}: shard 1/1 is not complete: 2 of 6 files are missing; --resume completes it\n`,
    );
    expect(code).toBe(2);
  });
});
