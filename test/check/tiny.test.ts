import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decide, enumerate } from '../../src/check/decide.js';
import type { Answer } from '../../src/check/result.js';
import { decideIfTiny, outcomesIfTiny } from '../../src/check/tiny.js';
import type { Model } from '../../src/model/term.js';
import { MAIN_MODELS } from '../../src/model/shipped.js';
import type { Test } from '../../src/program/program.js';
import { allSubjects } from '../../src/program/subjects.js';
import { adapt } from '../../src/rdma/translate.js';
import { inBlocks, programs } from '../../src/rdma/random/programs.js';
import { modelOf, newSolver } from '../support/checker.js';
import { litmus } from '../support/litmus.js';

/** What the engine `auto` decides without a solver, with the solver. */

const corpus = readdirSync('corpus', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.litmus') && !file.startsWith('locks'))
  .map((file) => readFileSync(join('corpus', file), 'utf8'))
  // Clients of libraries bring models of their own.
  .filter((text) => !/^uses /m.test(text))
  .map(litmus);

/** Tests in the instructions of a model, where they can be. */
const cases = (tests: readonly Test[]): readonly (readonly [Test, Model])[] =>
  tests.flatMap((t) =>
    MAIN_MODELS.map(modelOf).flatMap((model) => {
      const adapted = adapt(t.program, model);
      return adapted.ok ? [[{ ...t, program: adapted.value.program }, model] as const] : [];
    }),
  );

describe('tiny tests have the answers of the solver', () => {
  test('on the corpus', () => {
    let tiny = 0;
    const all = cases(corpus);
    for (const [subject, model] of all) {
      const queries = subject.queries.map((_, i) => i);
      const decided = decideIfTiny(subject, model, queries);
      if (decided === undefined) continue;
      tiny += 1;
      const solved: Answer[] = [];
      decide(subject, model, newSolver, {}, (a) => solved.push(a));
      const plain = (answers: readonly Answer[]) =>
        answers.map(({ query, verdict, reason, upTo }) => ({ query, verdict, reason, upTo }));
      expect([subject.name, model.name, plain(decided)]).toEqual([
        subject.name,
        model.name,
        plain(solved),
      ]);
    }
    expect(tiny).toBeGreaterThan(all.length / 2);
  });

  test('on random programs: all final states', () => {
    let tiny = 0;
    fc.assert(
      fc.property(programs({ everything: true, instructions: 3 }), (source) => {
        for (const [subject, model] of cases([litmus(inBlocks(source))])) {
          const subjects = allSubjects(subject.program);
          const listed = outcomesIfTiny(subject, model, subjects);
          if (listed === undefined) continue;
          tiny += 1;
          const solved = enumerate(subject, model, newSolver, subjects);
          expect(listed.states).toEqual(solved.states);
          expect([solved.incomplete, solved.upTo]).toEqual([undefined, undefined]);
        }
      }),
      { numRuns: 80 },
    );
    expect(tiny).toBeGreaterThan(100);
  });
});
