import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { codeMutants, compileMutant, runCodeMutants } from '../../mutate/code/index.js';
import { allStages } from '../../mutate/code/stages.js';

/** The list of mistakes that the corpus is to catch follows the code (npm run mutate). */

test('there are enough of them, each with a name of its own', () => {
  expect(codeMutants.length).toBeGreaterThanOrEqual(25);
  expect(new Set(codeMutants.map((m) => m.name)).size).toBe(codeMutants.length);
});

describe.each(codeMutants.map((m) => [m.name, m] as const))('%s', (_, mutant) => {
  test('has its snippet once in its file, and is TypeScript with the mistake in it', () => {
    expect(mutant.what).toMatch(/^.+\.$/);
    for (const { text } of compileMutant(mutant)) expect(text).not.toBe('');
  });
});

test('a snippet that is not there, or not once, is an error', () => {
  const [mutant] = codeMutants;
  expect(() => compileMutant({ ...mutant, find: 'no such code' })).toThrow('occurs 0 times');
  expect(() => compileMutant({ ...mutant, find: 'const ' })).toThrow(/occurs \d+ times/);
});

const guards = readdirSync('corpus/events', { recursive: true, encoding: 'utf8' }).filter((f) =>
  f.endsWith('.litmus'),
);

test.each(guards)('%s says what it guards', (file) => {
  expect(readFileSync(join('corpus/events', file), 'utf8')).toMatch(/^# Guards: /);
});

test('the tests that guard something are run first', () => {
  const { of, rest } = allStages('corpus', { large: 'large', small: 'small' });
  for (const stages of [...of.slice(2).map(([, stages]) => stages), rest]) {
    expect(stages[0].args[0]).toBe(join('corpus', 'events'));
  }
});

test('a mistake is put into a copy, and caught there', async () => {
  const reported: string[] = [];
  const results = await runCodeMutants({
    corpus: 'corpus',
    parallel: 1,
    only: /^operands-from-the-right$/,
    report: ({ mutant, outcome }) => reported.push(`${mutant.name}: ${outcome}`),
  });
  expect(reported).toEqual(['operands-from-the-right: caught']);
  expect(results[0].by?.where).toContain('operand-order');
}, 120_000);
