import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/setup.ts'],
    testTimeout: 60_000,
    // Loading the sources and Z3 anew for each file would take a fifth of all time. No file changes
    // what is loaded; answers depend on the clauses alone (see test/project/corpus.test.ts).
    isolate: false,
    maxWorkers: 2,
  },
});
