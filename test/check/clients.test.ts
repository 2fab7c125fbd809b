import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inProcess } from '../../src/analyses/in-process.js';
import { expectedOf } from '../../src/check/expectation.js';
import { parseLitmus } from '../../src/index.js';
import type { Model } from '../../src/model/term.js';
import { showQuery } from '../../src/program/print.js';
import type { Test } from '../../src/program/program.js';
import type { Engine } from '../../src/rdma/engines.js';
import { adapt } from '../../src/rdma/translate.js';
import { testCases } from '../support/cases.js';
import { newSolver } from '../support/checker.js';
import { valueOf } from '../support/litmus.js';

/** Clients of libraries: what the LOCO paper says of its own, by every engine, and engines among each other. */

const FOLDER = 'corpus/loco';
const ENGINES: readonly Engine[] = ['auto', 'search', 'smt', 'enumerate'];
const pool = inProcess({ solver: () => Promise.resolve(newSolver), timeLimit: 20 });

/** A client with what one of its models says of its calls. */
const inModel = (subject: Test, model: Model): Test => ({
  ...subject,
  program: valueOf(adapt(subject.program, model)).program,
});

const published = readdirSync(FOLDER)
  .map((name) => `${FOLDER}/${name}`)
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }))
  .filter(({ text }) => /^uses /m.test(text));

test('the clients of the paper are there', () => {
  expect(published.map(({ path }) => path.slice(FOLDER.length + 1, -'.litmus'.length))).toEqual(
    expect.arrayContaining([
      ...['Fig5', 'Fig5-puts', 'Fig6', 'Fig6-puts', 'Fig8a', 'Fig8b', 'Fig8c', 'Fig9a', 'Fig9b'],
      ...['Fig9c', 'Sec34', 'Fig12', 'Fig13', 'Fig23', 'AppG6', 'ring-self'],
    ]),
  );
});

describe.each(published)('$path', ({ path, text }) => {
  const subject = valueOf(parseLitmus(text, path));
  test.each(ENGINES)('is as published, by %s', async (engine) => {
    for (const model of subject.models!) {
      const queries = [...subject.queries.keys()];
      const [answers] = await pool.decide({
        kind: 'decide',
        engine,
        models: [model],
        tests: [inModel(subject, model)],
        queries,
      });
      const expected = queries.map((q) => expectedOf(subject.queries[q], model.name)?.verdict);
      expect(expected.some((verdict) => verdict !== undefined)).toBe(true);
      const departing = answers.filter(
        ({ query, verdict }) => expected[query] !== undefined && verdict !== expected[query],
      );
      expect(departing).toEqual([]);
      expect(answers.map(({ query }) => query)).toEqual(queries);
    }
  });
});

/** What libraries say together, worked out by hand from the definitions of the LOCO paper. */
testCases(join(import.meta.dirname, 'clients'), async (input) => {
  const subject = valueOf(parseLitmus(`RDMA case\n${input}`, 'case.litmus'));
  const [model] = subject.models!;
  const queries = [...subject.queries.keys()];
  const said = await Promise.all(
    ENGINES.map(async (engine) => {
      const tests = [subject];
      const [answers] = await pool.decide({
        kind: 'decide',
        engine,
        models: [model],
        tests,
        queries,
      });
      return answers.map(({ verdict }, q) => `${showQuery(subject.queries[q])}: ${verdict}`);
    }),
  );
  for (const lines of said) expect(lines).toEqual(said[0]);
  return said[0].join('\n');
});
