import { describe, expect, test } from 'vitest';
import { decide } from '../../src/check/decide.js';
import type { Answer } from '../../src/check/result.js';
import { decideIfTiny } from '../../src/check/tiny.js';
import type { Model } from '../../src/model/term.js';
import { MAIN_MODELS } from '../../src/model/shipped.js';
import type { Test } from '../../src/program/program.js';
import { adapt } from '../../src/rdma/translate.js';
import { modelOf, newSolver } from '../support/checker.js';
import { ENDING_FILES } from '../support/corpus.js';
import { litmus } from '../support/litmus.js';
import { ALL } from '../support/random.js';

/** What the engine `auto` decides where there is no encoding, and what the solver says where there is one. */

/** All files, or every twelfth. */
const corpus = ENDING_FILES.filter((_, i) => ALL || i % 12 === 0).map(({ text }) => litmus(text));

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
});
