import { defineConfig } from 'vitest/config';
import { LONG } from './test/support/long.js';

/** `vitest run --mode long` runs the long tests, and nothing else. */
export default defineConfig(({ mode }) => ({
  test: {
    include: mode === 'long' ? [...LONG] : ['test/**/*.test.ts'],
    exclude: mode === 'long' ? [] : [...LONG],
    setupFiles: ['test/support/setup.ts'],
    testTimeout: 60_000,
    // Loading the sources and Z3 anew for each file would take a fifth of all time. No file changes
    // what is loaded; answers depend on the clauses alone (see test/project/corpus.test.ts).
    isolate: false,
    maxWorkers: 2,
  },
}));
