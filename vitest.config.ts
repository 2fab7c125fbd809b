import { relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';
import { V8_FLAGS } from './src/cli/run/v8.js';
import { BUILT_MODULES, builtModules } from './test/support/built.js';
import { BOTH, DEAREST, LONG, RANDOM } from './test/support/long.js';

/** In a browser, of the built site: `npm run site` comes before. */
const SITE = ['test/site/**/*.test.ts'];

/** What each mode runs, and how much of it (see test/support/random.ts). */
const MODES = {
  // Some of them wait for others: for Redis, for processes, for limits of time.
  long: { include: [...LONG, ...BOTH], env: { REMORA_CASES: 'long' }, maxWorkers: 3 },
  site: { include: SITE, env: { REMORA_CASES: 'long' } },
  all: {
    include: [...LONG, ...BOTH, ...RANDOM, ...SITE],
    env: { REMORA_CASES: 'all' },
    maxWorkers: 3,
  },
};

/** Begins with what takes longest. */
class DearestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = DEAREST.indexOf(relative(import.meta.dirname, moduleId));
      return at < 0 ? DEAREST.length : at;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

/** `vitest run --mode long` runs the long tests, `--mode site` those of the site, `--mode all` both with all cases; without a mode, the others are run. */
export default defineConfig(({ mode }) => ({
  plugins: [builtModules],
  test: {
    maxWorkers: 2,
    // As for long runs of the command: tests run the same code, and each of both saves about a tenth of their processor time. The second is
    // how many MiB of young objects are collected at a time.
    execArgv: [...V8_FLAGS, '--max-semi-space-size=48'],
    ...(mode in MODES
      ? MODES[mode as keyof typeof MODES]
      : { include: ['test/**/*.test.ts'], exclude: [...LONG, ...SITE] }),
    sequence: { sequencer: DearestFirst },
    globalSetup: ['test/support/built.ts'],
    server: { deps: { external: [BUILT_MODULES] } },
    setupFiles: ['test/support/setup.ts'],
    // Against tests that hang. What passes on a fast machine passes on one that is slow and loaded, too.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    // Loading the sources and Z3 anew for each file would take a fifth of all time. No file changes
    // what is loaded; answers depend on the clauses alone (see test/project/corpus.test.ts).
    isolate: false,
  },
}));
