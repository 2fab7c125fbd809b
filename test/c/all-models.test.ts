import { expect, test } from 'vitest';
import { loadC } from '../../src/node/c.js';
import { readCorpus } from '../../src/cli/inputs/corpus.js';
import { CPU_MODEL, MAIN_MODELS } from '../../src/model/shipped.js';
import { remora } from '../support/run.js';

await loadC();

const MAIN = new Set<string>([...MAIN_MODELS, CPU_MODEL]);

// test/project/corpus.test.ts has the verdicts under the main models.
test('each verdict that a C file states of another model is computed', async () => {
  const { tests, errors } = readCorpus(['corpus/c'], { items: [] });
  expect(errors).toEqual([]);
  const stated = tests.flatMap(({ test }) =>
    test.queries.flatMap(({ expectations }) =>
      expectations.flatMap(({ models }) => models.map(({ text }) => text)),
    ),
  );
  const others = stated.filter((name) => !MAIN.has(name));
  expect(others).toContain('rdma-ro');
  const models = [...new Set(others)].join();
  const { code, stdout } = await remora(['test', 'corpus/c', '-m', models]);
  expect(stdout).toContain(`; ${others.length} expectations held, 0 failed;`);
  expect(code).toBe(0);
});
