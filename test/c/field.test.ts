import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadC } from '../../src/node/c.js';
import type { Test } from '../../src/program/program.js';
import { readCorpus } from '../../src/cli/inputs/corpus.js';

await loadC();

/** `rdma-tso forbidden` for each verdict that a file states, by query. */
const stated = ({ queries }: Test): readonly (readonly string[])[] =>
  queries.map(({ expectations }) =>
    expectations.flatMap(({ models, verdict }) => models.map(({ text }) => `${text} ${verdict}`)),
  );

const testIn = (file: string): Test => {
  const { tests, errors } = readCorpus([file], { items: [] });
  expect(errors).toEqual([]);
  return tests[0].test;
};

// What the files state is decided with the rest of the corpus, in test/project/corpus.test.ts.
test('the questions of engineers are there as C, and state the same verdicts', () => {
  for (const file of readdirSync('corpus/field')) {
    const asLitmus = testIn(`corpus/field/${file}`);
    const asC = testIn(`corpus/c/field/${file.replace('.litmus', '.c')}`);
    expect(asC.name).toBe(asLitmus.name);
    expect(stated(asLitmus).flat()).not.toEqual([]);
    stated(asLitmus).forEach((verdicts, query) =>
      expect(stated(asC)[query]).toEqual(expect.arrayContaining([...verdicts])),
    );
  }
});
