import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { QUICK } from '../support/random.js';
import { remora } from '../support/run.js';

/** The other folders have files of the same kinds. */
const FOLDERS = QUICK
  ? ['corpus/c/cpu']
  : ['corpus/c/cpu', 'corpus/c/functions', 'corpus/c/completions'];

test.each(FOLDERS)('the programs of %s stand beside their C', async (folder) => {
  const { stdout, code } = await remora(['c', '--show-litmus', folder]);
  expect(code).toBe(0);
  const files = readdirSync(folder).filter((name) => name.endsWith('.c'));
  expect(stdout.match(/^thread \w+ on \w+$/gm)!.length).toBeGreaterThanOrEqual(files.length);
});
