import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { CLIENTS, ENDING_FILES } from '../support/corpus.js';
import { ALL } from '../support/random.js';
import { ROOT, remora } from '../support/run.js';

/** The folders that take most of the time: all cases have them, too. */
const DEAR = ['cells', 'fabrics', 'protocols', 'rmw'];

test('corpus/robustness.md is what is computed (npm run golden)', async () => {
  // Folders as a whole, but for one with clients of libraries: those are no programs of instructions.
  const mixed = new Set(CLIENTS.map(({ file }) => dirname(file)));
  // What the tests of hosts ask is of other CPUs.
  const files = ENDING_FILES.filter(
    ({ file }) => !file.startsWith('hosts/') && (ALL || !DEAR.includes(dirname(file))),
  );
  const paths = files.map(({ file }) =>
    mixed.has(dirname(file)) ? `corpus/${file}` : `corpus/${dirname(file)}/`,
  );
  const given = ['robust', ...new Set(paths), '--table'];
  const { stdout, stderr, code } = await remora(given);
  expect([code, stderr]).toEqual([0, '']);
  const kept = readFileSync(join(ROOT, 'corpus/robustness.md'), 'utf8');
  if (ALL) expect(stdout).toBe(kept);
  for (const section of sectionsOf(stdout)) expect(sectionsOf(kept)).toContain(section);
}, 250_000);

/** The table of each folder, without the summary. */
const sectionsOf = (page: string): readonly string[] =>
  page
    .split(/^(?=## )/m)
    .filter((section) => section.startsWith('## corpus/'))
    .map((section) => section.trimEnd());
