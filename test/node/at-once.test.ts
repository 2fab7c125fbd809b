import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FAMILIES } from '../../bench/families.js';
import type { DecideJob } from '../../src/analyses/workers.js';
import { INTERRUPTION } from '../../src/check/result.js';
import type { Answer } from '../../src/check/result.js';
import { decideInStages } from '../../src/check/stages.js';
import { callingThread } from '../../src/node/at-once.js';
import { createWorkers } from '../../src/node/pool.js';
import type { Test } from '../../src/program/program.js';
import { allSubjects } from '../../src/program/subjects.js';
import { stagesOf } from '../../src/rdma/engines.js';
import { adapt } from '../../src/rdma/translate.js';
import { litmus, modelOf, newSolver } from '../support/checker.js';

/** What is decided in the calling thread, and what is left to workers. */

const corpus = readdirSync('corpus/field').map((file) =>
  litmus(readFileSync(join('corpus/field', file), 'utf8')),
);

const models = [modelOf('sc'), modelOf('rdma-tso')];

/** All queries of a test, under the models that can treat it. */
function jobOf(asked: Test): DecideJob {
  const treated = models.flatMap((model) => {
    const adapted = adapt(asked.program, model);
    return adapted.ok ? [{ model, test: { ...asked, program: adapted.value.program } }] : [];
  });
  return {
    kind: 'decide',
    engine: 'auto',
    models: treated.map(({ model }) => model),
    tests: treated.map((one) => one.test),
    queries: [...asked.queries.keys()],
  };
}

/** Answers without the time that they took. */
const plain = (answers: readonly (readonly Answer[])[]) =>
  answers.map((ofModel) => ofModel.map((answer) => ({ ...answer, milliseconds: 0 })));

const jobs = corpus.map(jobOf);

test('its answers are those of the engine', async () => {
  const thread = callingThread([]);
  const means = { solver: async () => newSolver, started: () => {}, timeLimit: Infinity };
  for (const job of jobs) {
    const answers = await thread.decide(job);
    expect(answers).toBeDefined();
    expect(plain(answers!)).toEqual(plain(await decideInStages(stagesOf('auto'), job, means)));
  }
});

test('what may take long is left to a worker', async () => {
  const thread = callingThread([]);
  const [job] = jobs;
  expect(await thread.decide(job)).toBeDefined();
  expect(await thread.decide({ ...job, engine: 'search' })).toBeDefined();
  for (const engine of ['smt', 'enumerate', 'operational'] as const) {
    expect(await thread.decide({ ...job, engine })).toBeUndefined();
  }
  expect(await thread.decide({ ...job, queries: new Array<number>(9).fill(0) })).toBeUndefined();
  expect(await thread.decide(jobOf(litmus(FAMILIES.sbring(16))))).toBeUndefined();
  const listing = { ...job, kind: 'outcomes', subjects: [], counted: true } as const;
  const states = async (k: number) => {
    const test = litmus(FAMILIES.sbring(k));
    const found = await thread.outcomes({ ...listing, test, subjects: allSubjects(test.program) });
    return found?.states.length;
  };
  // All but that nobody has seen a put: SC forbids it.
  expect(await states(4)).toBe(15);
  expect(await states(16)).toBeUndefined();
});

test('a pool starts no worker for that, however many jobs there are', async () => {
  // The sources have no worker that could be started: what is given to one stays unknown.
  const pool = createWorkers({ atOnce: true, eager: 0, jobs: 2, preload: false });
  const all = await Promise.all(jobs.map((job) => pool.decide(job)));
  expect(all.flat(2).filter(({ verdict }) => verdict === 'unknown')).toEqual([]);
  await pool.close();
  expect((await pool.decide(jobs[0])).flat()[0].reason).toBe(INTERRUPTION);
});
