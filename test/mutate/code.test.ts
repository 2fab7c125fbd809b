import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { describe, expect, test } from 'vitest';
import type { CodeMutant } from '../../mutate/code/index.js';
import {
  LEFT_OUT,
  PURE,
  codeMutants,
  OPEN,
  isMeant,
  isOpen,
  mutantsOfFile,
  mutantsOfSource,
  mutatedText,
  runCodeMutants,
  runInProcess,
  sampleOf,
  sourceFiles,
  told,
} from '../../mutate/code/index.js';
import { OPERATORS } from '../../mutate/code/operators.js';
import { allStages, stagesFor } from '../../mutate/code/stages.js';
import { testCases } from '../support/cases.js';
import { ALL, QUICK, cases } from '../support/random.js';

/** Mistakes in the code are found by syntax, and the corpus and the tests are to catch them (npm run mutate). */

/** An operator, and a text: its mutants. `names`: those of comparisons. */
testCases(join(import.meta.dirname, 'code'), (input) => {
  const [, operator, text] = /^([a-z]+): (.*)$/s.exec(input)!;
  const wanted = operator === 'names' ? 'comparison' : operator;
  expect(Object.keys(OPERATORS)).toContain(wanted);
  const found = mutantsOfSource('x.ts', text).filter(
    ({ name }) => name.split('/').at(-2) === wanted,
  );
  if (found.length === 0) return 'none';
  return found
    .map(({ name, start, end, replacement }) =>
      operator === 'names'
        ? name.slice('x.ts/'.length)
        : `${text.slice(start, end)} → ${replacement}`,
    )
    .join('\n');
});

/** Of what is tried in part, `npm run test:all` tries all, or more. */
const SEED = process.env['REMORA_SEED'] ?? '1';
const mutants = codeMutants();

test('each has a name of its own, and each operator has some', () => {
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
  const used = new Set(mutants.map(({ name }) => name.split('/').at(-2)));
  expect([...used].sort()).toEqual(Object.keys(OPERATORS).sort());
});

test('a source can be parsed with a mistake in it, and is another text', async () => {
  for (const mutant of sampleOf(mutants, cases(2000), SEED)) {
    const mutated = mutatedText(mutant);
    expect(mutated, mutant.name).not.toBe(readFileSync(mutant.file, 'utf8'));
    await expect(transform(mutated, { loader: 'ts' }), mutant.name).resolves.toBeDefined();
  }
});

test('what is left out is there, for a reason', () => {
  const there = new Map<string, readonly CodeMutant[]>();
  for (const { why, mutants: entries } of [...LEFT_OUT, { why: 'Open.', mutants: OPEN }]) {
    expect(why).toMatch(/^.+\.$/);
    for (const entry of entries) {
      const [file] = /^.*?\.ts/.exec(entry)!;
      expect(sourceFiles()).toContain(file);
      const all = there.get(file) ?? mutantsOfFile(file);
      there.set(file, all);
      expect(
        all.some((one) => isMeant(one, entry)),
        entry,
      ).toBe(true);
    }
  }
});

test('a sample keeps what it had when mutants come and go', () => {
  const some = sampleOf(mutants, 50, 'one');
  expect(some).toHaveLength(50);
  expect(sampleOf(mutants, 50, 'two')).not.toEqual(some);
  const more = sampleOf(mutants, 60, 'one');
  expect(some.every((one) => more.includes(one))).toBe(true);
  const gone = some[7];
  const without = sampleOf(
    mutants.filter((one) => one !== gone),
    50,
    'one',
  );
  expect(some.filter((one) => !without.includes(one))).toEqual([gone]);
});

/** Pure functions have tests that catch every mistake. All are tried by `npm run test:all`. */
describe('mistakes in pure functions are caught', () => {
  /** A run with a mistake is ended when it has taken many times as long as one without. */
  const limits = new Map<string, number>();
  test.each([...new Set(Object.values(PURE))])('%s passes without a mistake', async (file) => {
    const started = performance.now();
    expect(await runInProcess(file, undefined, expect, 60_000)).toBe('passed');
    limits.set(file, 500 + 5 * (performance.now() - started));
  });

  const pure = mutants.filter(({ file }) => file in PURE);
  const tried = ALL ? pure : sampleOf(pure, QUICK ? 8 : 60, SEED);
  test.each(tried.map((one) => [told(one), one] as const))('%s', async (_, mutant) => {
    const file = PURE[mutant.file];
    const ran = await runInProcess(file, mutant, expect, limits.get(file) ?? 5000);
    expect(ran, `no test of ${file} fails with it`).not.toBe('passed');
  });
});

// `npm run mutate` tries more of them: each takes up to a minute.
test.skipIf(QUICK)(
  'a mistake is put into a copy of Remora, and caught there by the corpus',
  async () => {
    const sample = sampleOf(
      mutants.filter(({ file }) => file === 'src/program/events/use.ts'),
      ALL ? 2 : 1,
      SEED,
    );
    const results = await runCodeMutants({
      mutants: sample,
      corpus: 'corpus',
      parallel: 2,
      report: () => {},
    });
    const survived = results.filter((r) => r.outcome === 'survived' && !isOpen(r.mutant));
    expect(survived.map(({ mutant }) => told(mutant))).toEqual([]);
  },
  600_000,
);

const guards = readdirSync('corpus/events', { recursive: true, encoding: 'utf8' }).filter((f) =>
  f.endsWith('.litmus'),
);

test.each(guards)('%s says what it guards', (file) => {
  expect(readFileSync(join('corpus/events', file), 'utf8')).toMatch(/^# Guards: /);
});

test('the tests that guard something are run first, and each file is there', () => {
  const stages = allStages('corpus', { large: 'large', small: 'small' });
  const apart = /^src\/(?:rdma|machine|explore)\//;
  for (const [where, [first]] of stages.filter(([folder]) => !apart.test(folder))) {
    expect(first.args[0], where).toBe(join('corpus', 'events'));
  }
  const tests = stages.flatMap(([, list]) => list.filter(({ command }) => command === 'vitest'));
  for (const { args } of tests) expect(existsSync(args[0]), args[0]).toBe(true);
  for (const file of sourceFiles()) expect(stagesFor(stages, file), file).not.toEqual([]);
});
