import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { CLIENTS, ENDING_FILES } from '../support/corpus.js';
import { ROOT, remora } from '../support/run.js';

test('corpus/robustness.md is what is computed (npm run golden)', async () => {
  // Folders as a whole, but for one with clients of libraries: those are no programs of instructions.
  const mixed = new Set(CLIENTS.map(({ file }) => dirname(file)));
  // What the tests of hosts ask is of other CPUs.
  const files = ENDING_FILES.filter(({ file }) => !file.startsWith('hosts/'));
  const paths = files.map(({ file }) =>
    mixed.has(dirname(file)) ? `corpus/${file}` : `corpus/${dirname(file)}/`,
  );
  const given = ['robust', ...new Set(paths), '--table'];
  const { stdout, stderr, code } = await remora(given);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toBe(readFileSync(join(ROOT, 'corpus/robustness.md'), 'utf8'));
}, 250_000);
