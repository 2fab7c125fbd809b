import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/setup.ts'],
    testTimeout: 60_000,
    // Loading the sources and Z3 anew for each file would take a fifth of all time. No file changes
    // what is loaded; answers depend on the clauses alone (see test/project/corpus.test.ts).
    isolate: false,
    // One more than the cores of a small machine: many tests wait for processes and time limits.
    maxWorkers: 3,
  },
});
