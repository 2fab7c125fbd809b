import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { redigested } from '../support/results.js';
import { blocksOf } from '../support/documents.js';
import type { Run } from '../support/run.js';
import { STACK_TRACE, remora } from '../support/run.js';

/**
 * What docs/instructions.md says: an operation in a file of one's own works with every command. The
 * files are those of the document, in a folder outside of the project.
 */

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'remora-instructions-'));
  for (const { name, text } of blocksOf('docs/instructions.md')) {
    if (name) writeFileSync(at(name), text);
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

const at = (file: string): string => join(folder, file);
const read = (file: string): string => readFileSync(at(file), 'utf8');

async function run(...args: readonly string[]): Promise<Run> {
  const done = await remora(args, { cwd: folder });
  expect(done.stderr).not.toMatch(STACK_TRACE);
  expect(done.stdout + done.stderr).not.toMatch(/internal error|engine failed|undefined/);
  return done;
}

/** Runs a command that succeeds, and says nothing on standard error. */
async function good(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...args);
  expect([code, stderr], args.join(' ')).toEqual([0, '']);
  return stdout;
}

interface Line {
  readonly verdict: string;
  readonly model: string;
  readonly reason?: string;
}

const linesOf = (stdout: string): readonly Line[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
const verdicts = (stdout: string): readonly string[] => linesOf(stdout).map((l) => l.verdict);

describe('an operation in a file of one’s own', () => {
  test('takes at most 15 lines, and a push one', () => {
    expect(read('rdma-max.cat').trimEnd().split('\n').length).toBeLessThanOrEqual(15);
    expect(read('rdma-push.cat').trimEnd().split('\n')).toHaveLength(2);
  });

  test('results in files: shards are merged, and a run is resumed, by the declarations in the file', async () => {
    const models = ['-m', 'rdma-max.cat,rdma-tso'];
    writeFileSync(at('other.litmus'), read('greatest.litmus').replace('greatest', 'other'));
    const tests = ['greatest.litmus', 'other.litmus', ...models];
    const whole = await run('test', ...tests, '--json');
    const parts = ['1', '2'].map((i) => `${i}.jsonl`);
    for (const [i, part] of parts.entries()) {
      await run('test', ...tests, '--shard', `${i + 1}/2`, '--out', part);
    }
    const resumed = await run('test', ...tests, '--shard', '1/2', '--resume', '1.jsonl', '--json');
    expect(resumed.code).toBe(0);
    const elsewhere = mkdtempSync(join(tmpdir(), 'remora-merge-'));
    const files = parts.map(at);
    const merged = await remora(['merge', ...files, '--json'], { cwd: elsewhere });
    rmSync(elsewhere, { recursive: true });
    expect([merged.code, merged.stderr]).toEqual([0, '']);
    expect(verdicts(merged.stdout)).toEqual(verdicts(whole.stdout));
    const broken = read('1.jsonl').replace('event nMR by nic', 'event nMR by ghosts');
    writeFileSync(at('1.jsonl'), redigested(broken));
    const { code, stderr } = await run('merge', ...parts);
    expect(code).toBe(2);
    expect(stderr).toContain('model rdma-max: rdma-max.cat:2:');
  });
});

describe('remora instructions', () => {
  test('every shipped model has some', async () => {
    const { stdout } = await run('--help');
    const [, names] = /^Models: (.*)$/m.exec(stdout) ?? [];
    const told = await good('instructions', ...names.split(', '));
    expect(told.match(/^The instructions of /gm)).toHaveLength(names.split(', ').length);
  });
});
