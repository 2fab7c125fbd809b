import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inProcess } from '../../src/analyses/in-process.js';
import type { Kept } from '../../src/analyses/tidy/difference.js';
import { tidy } from '../../src/analyses/tidy/tidy.js';
import { together } from '../../src/analyses/tidy/together.js';
import { tidyText } from '../../src/report/tidy.js';
import { isStateQuery } from '../../src/program/program.js';
import { readProgram, testCases } from '../support/cases.js';
import { litmus, modelOf, modelsOf, newSolver, states } from '../support/checker.js';

/** What `remora tidy` prints of a program. The program that is left is read again, and has the same outcomes. */
testCases(join(import.meta.dirname, 'tidy'), async (input) => {
  const { settings, text } = readProgram(input, ['models', 'cat', 'keep', 'bound']);
  const models = modelsOf(settings);
  const read = litmus(text);
  const kept = (settings.keep ?? 'outcomes') as Kept;
  const pool = inProcess({ solver: async () => newSolver });
  const tidied = await tidy(pool, read, models, { kept, engine: 'auto' });
  if (tidied.litmus !== undefined && kept === 'outcomes' && read.queries.some(isStateQuery)) {
    for (const name of tidied.models) {
      const model = models.find((one) => one.name === name) ?? modelOf(name);
      expect(states(tidied.litmus, model)).toEqual(states(text, model));
    }
  }
  return tidyText({ test: read, source: { path: 'case.litmus', text }, kept, tidied });
});

test('the most that go together', async () => {
  /** Sets that do not go: all that hold one of these. */
  const never = [
    [0, 1],
    [0, 2],
  ];
  const go = async (some: readonly number[]) =>
    !never.some((both) => both.every((i) => some.includes(i)));
  expect(await together(4, go)).toEqual({ chosen: [1, 2, 3], most: true });
  expect(await together(1, () => Promise.reject(new Error('one goes alone')))).toEqual({
    chosen: [0],
    most: true,
  });
});

test('where there are too many sets, it says so', async () => {
  const pairs = async (some: readonly number[]) => some.length < 2;
  expect(await together(12, pairs)).toEqual({ chosen: [0], most: false });
});
