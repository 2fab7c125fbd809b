// A process that fills a folder with small random tests, the same ones every time.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { outcomesByCandidates } from '../dist/check/by-candidates.js';
import { parseLitmus } from '../dist/index.js';
import { allSubjects, subjectName } from '../dist/program/subjects.js';
import { inBlocks, programs } from '../dist/rdma/random/programs.js';
import { modelNamed, valueOf } from './inputs.js';
import { given } from './process.js';

export interface GenerateGiven {
  readonly folder: string;
  readonly count: number;
}

const { folder, count } = given<GenerateGiven>();
const SEED = 1;

/** Candidates that are looked at to find final states to ask for. */
const LIMIT = 50;

const model = modelNamed('rdma-tso');
const several = programs({ threads: 3, instructions: 3 }).filter((p) => p.threads.length >= 2);
fc.sample(several, { numRuns: count, seed: SEED }).forEach((source, i) => {
  const text = inBlocks(source).replace('RDMA random', `RDMA random-${i}`);
  writeFileSync(join(folder, `${String(i).padStart(5, '0')}.litmus`), `${text}${query(text, i)}\n`);
});

/**
 * Two kinds of question in turn, so that about half of them are allowed: a final state that is combined
 * from two others, and values that two names may never have.
 */
function query(text: string, i: number): string {
  const test = valueOf(parseLitmus(text));
  const subjects = allSubjects(test.program);
  const name = (n: number): string => subjectName(test.program, subjects[n % subjects.length]);
  if (i % 2 === 1) return `exists (${name(i)} = ${i % 3} /\\ ${name(i + 1)} = ${1 + (i % 2)})`;
  const limits = { limit: LIMIT, deadline: Infinity };
  const { states } = outcomesByCandidates(test, model, subjects, false, limits);
  const values = subjects.map((_, n) => {
    const state = states[(n % 2 === 0 ? i : i * 7 + 1) % states.length];
    return `${name(n)} = ${state?.[name(n)] ?? 1}`;
  });
  return `exists (${values.join(' /\\ ')})`;
}
