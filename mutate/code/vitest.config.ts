import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { ROOT, compileMutant } from './mutant.js';
import { codeMutants } from './mutants/index.js';

/** Tests over sources with a mistake in them: that of the mutant that the environment names, or none. */

const mutant = codeMutants.find(({ name }) => name === process.env.REMORA_MUTANT);
const compiled = mutant === undefined ? [] : compileMutant(mutant);
const mistaken = new Map(compiled.map(({ file, text }) => [join(ROOT, file), text]));

export default defineConfig({
  root: ROOT,
  plugins: [
    {
      name: 'mutant',
      enforce: 'pre',
      transform: (_, id) => mistaken.get(id),
    },
  ],
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/setup.ts', 'mutate/code/no-shrinking.ts'],
    testTimeout: 60_000,
    isolate: false,
    maxWorkers: 1,
  },
});
