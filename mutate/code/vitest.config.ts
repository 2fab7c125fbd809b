import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { ROOT, mutatedText } from './mutant.js';
import { mutantNamed } from './sources.js';

/** Tests over sources with a mistake in them: that of the mutant that the environment names, or none. */

const name = process.env.REMORA_MUTANT ?? '';
const mutant = name === '' ? undefined : mutantNamed(name);

export default defineConfig({
  root: ROOT,
  plugins: [
    {
      name: 'mutant',
      enforce: 'pre',
      transform: (_, id) =>
        mutant !== undefined && id === join(ROOT, mutant.file) ? mutatedText(mutant) : undefined,
    },
  ],
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/setup.ts', 'mutate/code/no-shrinking.ts'],
    testTimeout: 300_000,
    isolate: false,
    maxWorkers: 1,
  },
});
