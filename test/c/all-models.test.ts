import { expect, test } from 'vitest';
import { expectedOf } from '../../src/check/expectation.js';
import { readCorpus } from '../../src/cli/inputs/corpus.js';
import { CPU_MODEL, MAIN_MODELS } from '../../src/model/shipped.js';
import { loadC } from '../../src/node/c.js';
import { ALL } from '../support/random.js';
import { remora } from '../support/run.js';

await loadC();

interface Answered {
  readonly model: string;
  readonly verdict: string;
  readonly expected?: string;
}

const MAIN = new Set<string>([...MAIN_MODELS, CPU_MODEL]);

// test/project/corpus.test.ts has the verdicts under the main models.
/** Of the others, those of every eighth, unless all cases are tried. */
test('each verdict that a C file states of another model is computed', async () => {
  const { tests, errors } = readCorpus(['corpus/c'], { items: [] });
  expect(errors).toEqual([]);
  const queries = tests.flatMap(({ test }) => test.queries);
  const stated = queries.flatMap(({ expectations }) => expectations.flatMap((one) => one.models));
  const others = [...new Set(stated.map(({ text }) => text))].filter((name) => !MAIN.has(name));
  expect(others).toContain('rdma-ro');
  const tried = others.filter((_, i) => ALL || i % 8 === 0);
  // Claims are expected to hold without a line.
  const expected = tried.flatMap((model) => queries.flatMap((one) => expectedOf(one, model) ?? []));
  const { code, stdout } = await remora(['test', 'corpus/c', '-m', tried.join(), '--json']);
  const answers = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Answered);
  const stating = answers.filter((one) => one.expected !== undefined);
  expect(stating.filter((one) => one.verdict !== one.expected)).toEqual([]);
  expect(stating).toHaveLength(expected.length);
  // Files are asked under models of which they state nothing, too.
  expect(answers.filter((one) => one.verdict === 'unknown')).toEqual([]);
  expect(code).toBe(0);
});
