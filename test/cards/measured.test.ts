import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CARD, SKIP_CARD, card, runWith } from '../support/card.js';
import { ROOT, remora } from '../support/run.js';
import { BROKEN } from './verdicts.js';

/** A weak card with one rule broken does what its fabric forbids: `remora measured` says so, and names the test. */

const TESTS = join(ROOT, 'test/cards/broken');

/** The test that shows that a rule is broken, by the rule. */
const SHOWS: Readonly<Record<string, string>> = {
  'put-order': 'put-order',
  'memory-order': 'put-order',
  'read-pushes': 'read-after-put',
  'read-after-put': 'read-after-put',
  'answer-order': 'answer-order',
  'answer-completion': 'answer-completion',
  'source-completion': 'source-completion',
  fence: 'fence',
  'atomic-unit': 'atomic-unit',
  'receive-completion': 'receive-completion',
};

/** So many rounds with one seed show it mostly; otherwise others do. */
const ROUNDS = '60';
const SEEDS = 6;

describe.skipIf(SKIP_CARD)(`${CARD}, with one rule broken`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'remora-broken-'));
  let library: string;

  beforeAll(async () => {
    library = card();
    const { code, stderr } = await remora(['emit', TESTS, '-o', folder]);
    expect([code, stderr]).toEqual([0, '']);
    const made = spawnSync('make', ['-s', '-j2', 'CFLAGS=-O1'], { cwd: folder, encoding: 'utf8' });
    expect(made.stderr).toBe('');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Runs tests, and holds what they saw against the model of the fabric that the card is, but for the rule. */
  async function measured(seed: number, rule: string, only: readonly string[]) {
    const out = join(folder, 'results.jsonl');
    const { stderr, status } = runWith(
      library,
      [join(folder, 'run'), '--rounds', ROUNDS, '--out', out, ...only],
      {
        REMORA_CARD_ROOM: join(folder, 'room'),
        REMORA_CARD_SEED: `${seed}`,
        REMORA_CARD_BREAK: rule,
      },
    );
    expect([stderr, status]).toEqual(['', 0]);
    return remora(['measured', out, '-m', 'rdma-tso']);
  }

  test.each(Object.entries(SHOWS))('%s: %s is forbidden and seen', async (rule, name) => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { code, stdout } = await measured(seed, rule, ['--only', name]);
      expect(stdout).toContain(`firmware weak tso without ${rule}, `);
      if (code === 0) continue;
      expect(code).toBe(1);
      expect(stdout).toContain(`\nFORBIDDEN AND SEEN: ${name} under rdma-tso: `);
      expect(stdout).toContain('Left: none. Refuted: rdma-tso.');
      return;
    }
    throw new Error(`not seen with ${SEEDS} seeds`);
  });

  test('with all rules, none of them is', async () => {
    const { code, stdout } = await measured(1, '', []);
    expect(stdout).toContain('Left: rdma-tso. Refuted: none.');
    expect(code).toBe(0);
  });

  test('each rule has its test', () => {
    expect(Object.keys(SHOWS).sort()).toEqual(Object.keys(BROKEN).sort());
    const names = readdirSync(TESTS).map((file) => basename(file, '.litmus'));
    expect([...new Set(Object.values(SHOWS))].sort()).toEqual(names.sort());
  });
});
