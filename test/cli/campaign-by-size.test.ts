import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { inProcess } from '../../src/analyses/in-process.js';
import { divide } from '../../src/cli/commands/campaign/divide.js';
import { jobsOf } from '../../src/cli/commands/campaign/plan.js';
import { openJournal } from '../../src/cli/results/journal.js';
import { redigested } from '../support/results.js';
import { remora, withoutTimes } from '../support/run.js';

/** Campaigns of commands that go through all programs by size, without the Redis between workers and who watches. */

const folder = mkdtempSync(join(tmpdir(), 'remora-campaign-by-size-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function run(...words: readonly string[]) {
  const { code, stdout, stderr } = await remora(words, { cwd: folder });
  return { code, stderr, stdout: withoutTimes(stdout) };
}

/** Does the jobs of a command line, the last ones first, and writes them as `campaign watch --out` does. */
async function campaign(words: readonly string[], file: string) {
  const division = await divide(words);
  if ('errors' in division) throw new Error(division.errors.join('\n'));
  const { header, unit, count, size } = division;
  const jobs = jobsOf({
    remora: 'r',
    build: 'b',
    words,
    paths: [],
    files: [],
    header,
    unit,
    count,
    size,
  });
  const journal = openJournal(join(folder, file), header, (error) => {
    throw error;
  });
  if ('error' in journal) throw new Error(journal.error);
  for (const job of [...jobs].reverse()) {
    const lines = await division.work(job, inProcess(), 1);
    expect(division.wrong(job, lines)).toBeUndefined();
    expect(division.wrong({ ...job, to: job.to + 1 }, lines)).toBe('it is about another range');
    journal.add(lines);
  }
  expect(journal.close()).toBe(true);
  return jobs;
}

describe.each([
  ['synthesise rdma-tso --calls 2 --operations put,get', 0],
  ['distinguish rdma-tso rdma-ro --calls 2 --operations put --no-tags', 1],
  ['distinguish rdma-tso rdma-tso-rec --calls 2 --operations put', 0],
  ['distinguish rdma-tso rdma-ro rdma-ooo-rw --calls 2 --operations put,get --no-tags', 1],
])('%s', (line, code) => {
  const words = line.split(' ');
  const file = `${words.length}-${words[0]}.jsonl`;

  test('a campaign comes to what one run comes to', async () => {
    const jobs = await campaign(words, file);
    expect(jobs.length).toBeGreaterThan(3);
    const whole = await run(...words);
    expect(whole.code).toBe(code);
    expect(await run('merge', file)).toEqual(whole);
    const text = readFileSync(join(folder, file), 'utf8');
    expect(await run(...words, '--resume', file)).toEqual(whole);
    expect(readFileSync(join(folder, file), 'utf8')).toBe(text);
  });

  test('what is not done is said, and can be done on one machine', async () => {
    const lines = readFileSync(join(folder, file), 'utf8').split('\n');
    writeFileSync(join(folder, 'part.jsonl'), `${[lines[0], ...lines.slice(2, 4)].join('\n')}\n`);
    const part = await run('merge', 'part.jsonl');
    expect([part.code, part.stderr]).toEqual([3, '']);
    expect(part.stdout).toContain('some shares are not gone through yet');
    expect(part.stdout).not.toMatch(/agree|differ|no test needs/);
    const whole = await run(...words);
    expect(await run(...words, '--resume', 'part.jsonl')).toEqual(whole);
    expect(await run('merge', 'part.jsonl')).toEqual(whole);
  });
});

test.each([
  [
    ['synthesise', 'rdma-tso', '--of', 'x.litmus'],
    /--of is not for a campaign: only tests that are made/,
  ],
  [['synthesise', 'rdma-tso', '--resume', 'x'], /--resume is not for a campaign/],
  [['distinguish', 'rdma-tso', 'rdma-ro', '-o', 'x'], /--out is not for a campaign/],
  [['distinguish', 'rdma-tso', 'rdma-ro', '--calls', '9'], /--calls: at most 6/],
])('%j is refused', async (words, message) => {
  await expect(divide(words)).rejects.toThrow(message);
});

test('other formats are those of the command', async () => {
  const { code, stderr } = await run('merge', '6-synthesise.jsonl', '--json');
  expect([code, stderr]).toEqual([
    2,
    'results of synthesise are reported as text alone: synthesise --resume has other formats\n',
  ]);
});

test('the file has the text of a model', async () => {
  writeFileSync(join(folder, 'm.cat'), '"m"\ninclude "rdma-tso.cat"\n');
  const words = ['synthesise', 'm.cat', '--calls', '2', '--operations', 'put'];
  const whole = await run(...words, '--resume', 'm.jsonl');
  expect(whole.code).toBe(0);
  rmSync(join(folder, 'm.cat'));
  expect(await run('merge', 'm.jsonl')).toEqual(whole);
  const other = readFileSync(join(folder, 'm.jsonl'), 'utf8').replace(
    /"content":"\w{4}/,
    '"content":"0000',
  );
  writeFileSync(join(folder, 'other.jsonl'), redigested(other));
  expect(await run('merge', 'other.jsonl')).toEqual({
    ...{ code: 2, stdout: '' },
    stderr: 'the results are of another text of model m than is here\n',
  });
});
