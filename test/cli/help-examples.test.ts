import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CARD, SKIP_CARD } from '../support/card.js';
import { COMMANDS } from '../support/commands.js';
import { blocksOf } from '../support/documents.js';
import type { RunningRedis } from '../support/redis.js';
import { SKIP_REDIS, WITH_REDIS, startRedis } from '../support/redis.js';
import { typed } from '../support/replay.js';
import { ROOT, remora, shell } from '../support/run.js';

const folder = mkdtempSync(join(tmpdir(), 'remora-help-'));
afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(async () => {
  cpSync(join(ROOT, 'corpus'), join(folder, 'corpus'), { recursive: true });
  // Results for the examples of measured and merge.
  const blocks = blocksOf('docs/cards.md');
  const results = blocks.find(({ name }) => name === 'results.jsonl')!;
  writeFileSync(join(folder, 'results.jsonl'), results.text);
  for (const part of [1, 2]) {
    const args = ['corpus/loco', '--shard', `${part}/2`, '--out', `${part}.jsonl`, '--jobs', '1'];
    await remora(['test', ...args], { cwd: folder });
  }
});

let redis: RunningRedis | undefined;
beforeAll(async () => {
  if (!SKIP_REDIS) redis = await startRedis();
});
afterAll(() => redis?.remove());

/** What is a process of its own: what serves an editor or a program, and campaigns, which need Redis. */
const PROCESSES = /^remora (?:campaign|lsp|run) /;

/** The exit code of an example, and what it printed. */
async function example(line: string): Promise<readonly [code: number | null, printed: string]> {
  if (!PROCESSES.test(`${line} `)) {
    const { code, all } = await typed(line, folder);
    return [code, all];
  }
  const { code, stderr } = await shell(line, {
    cwd: folder,
    env: redis === undefined ? {} : { REMORA_REDIS: redis.socket },
  });
  return [code, stderr];
}

/** A server waits for its client: the first two of these are one line. */
const pairOf = ([server, client, ...others]: readonly string[]): readonly string[] => [
  `${server} & sleep 3; ${client}; wait`,
  ...others,
];

/** The examples at the end of a help. */
const examplesIn = (help: string): readonly string[] =>
  [...help.matchAll(/^ {2}(remora .*)$/gm)].map(([, line]) => line);

describe.each([[], ...COMMANDS.map((name) => [name])])('remora %s', (...command) => {
  test('the examples in its help work', async ({ skip }) => {
    if (command[0] === 'campaign' && SKIP_REDIS) return skip(WITH_REDIS);
    if (command[0] === 'run' && SKIP_CARD) return skip(CARD);
    const { stdout } = await remora([...command, '--help']);
    const examples = examplesIn(stdout);
    expect(examples.length).toBeGreaterThan(0);
    for (const line of command[0] === 'run' ? pairOf(examples) : examples) {
      const [code, printed] = await example(line);
      expect([0, 1], `${line}\n${printed}`).toContain(code);
    }
  });
});
