import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { build } from 'esbuild';
import fc from 'fast-check';
import { replacing } from '../../scripts/bundler.js';
import type { CodeMutant } from './mutant.js';
import { ROOT, mutatedText } from './mutant.js';

/**
 * Sources that are pure functions, each with the test file that says all that they have to do: the tests need a fraction of a second, and wait
 * for nothing.
 */
export const PURE: Readonly<Record<string, string>> = {
  'src/parse/integers.ts': 'test/parse/integers.test.ts',
  'src/model/relation/bits.ts': 'test/model/matrix.test.ts',
  'src/model/relation/components.ts': 'test/model/matrix.test.ts',
  'src/model/relation/in-place.ts': 'test/model/matrix.test.ts',
  'src/model/relation/matrix.ts': 'test/model/matrix.test.ts',
};

/** The name of the first test that fails, or that none does, or that they did not end. */
export type Ran = { readonly failed: string } | 'passed' | 'endless';

/**
 * Runs a test file in this process, over the sources with a mutant's mistake in them; undefined: without any.
 *
 * @param expect Vitest's: a failure is what this throws
 * @param limit milliseconds after which the tests are ended
 */
export async function runInProcess(
  file: string,
  mutant: CodeMutant | undefined,
  expect: unknown,
  limit: number,
): Promise<Ran> {
  const tests: Test[] = [];
  const modules: Readonly<Record<string, unknown>> = {
    vitest: { expect, ...collector(tests) },
    'fast-check': QUICK,
  };
  const define = new Script(await bundled(file, mutant)).runInThisContext() as Define;
  const require = createRequire(join(ROOT, file));
  let current = file;
  const run = (): void => {
    define((name) => modules[name] ?? require(name), {});
    for (const { name, body } of tests) {
      current = name;
      body();
    }
  };
  try {
    within(limit, run);
    return 'passed';
  } catch (error) {
    return isTimeout(error) ? 'endless' : { failed: current };
  }
}

type Define = (require: (name: string) => unknown, module: object) => void;

/** Calls a function, and ends it if it takes too long. */
function within(limit: number, run: () => void): void {
  const global = globalThis as { mutantRun?: () => void };
  global.mutantRun = run;
  try {
    new Script('mutantRun()').runInThisContext({ timeout: limit });
  } finally {
    delete global.mutantRun;
  }
}

const isTimeout = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';

/** A test file and all that it imports of Remora, as a function. */
async function bundled(file: string, mutant: CodeMutant | undefined): Promise<string> {
  const replaced = mutant === undefined ? [] : [[mutant.file, mutatedText(mutant)] as const];
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: [file],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    packages: 'external',
    banner: { js: '(function (require, module) {' },
    footer: { js: '})' },
    plugins: [replacing(new Map(replaced))],
  });
  return outputFiles[0].text;
}

interface Test {
  readonly name: string;
  readonly body: () => void;
}

/** What these test files have of Vitest; it keeps the tests. */
function collector(tests: Test[]) {
  const test = (name: string, body: () => void): void => void tests.push({ name, body });
  const each =
    (rows: readonly (readonly unknown[])[]) =>
    (name: string, body: (...row: readonly unknown[]) => void): void =>
      rows.forEach((row) => test(name, () => body(...row)));
  return {
    test: Object.assign(test, { each }),
    describe: (_: string, body: () => void): void => body(),
  };
}

/** fast-check, but that a test fails is all that counts: no smallest failure is looked for. */
const QUICK = {
  ...fc,
  assert: <T>(property: fc.IProperty<T>, parameters: fc.Parameters<T> = {}): void =>
    void fc.assert(property, { endOnFailure: true, ...parameters }),
};
