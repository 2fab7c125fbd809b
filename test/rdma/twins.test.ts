import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Test } from '../../src/program/program.js';
import { adapt } from '../../src/rdma/translate.js';
import { allStates, modelOf, states } from '../support/checker.js';
import { ENDING_FILES } from '../support/corpus.js';
import { litmus } from '../support/litmus.js';
import { inBlocks, programs } from '../../src/rdma/random/programs.js';
import type { ProgramShape } from '../../src/rdma/random/programs.js';

/** Models that the papers prove to be equivalent, and what else must not change final states. */

/** Definitions of RDMA^TSO (TSO paper, Thms C.5 and C.6). */
const TSO = ['rdma-tso', 'rdma-tso-4.4', 'rdma-tso-rec'];
/** RDMA^SC, with and without the axiom that is implied (decidability paper, Thm 4.1). */
const SC = ['rdma-sc', 'rdma-sc-no-ib'];

function same(program: Test, models: readonly string[]): readonly string[] {
  const [first, ...rest] = models.map((model) => allStates(program, model));
  for (const other of rest) expect(other).toEqual(first);
  return first;
}

/** Every final state of one model is one of the other. */
function within(some: readonly string[], all: readonly string[]): void {
  expect(some.filter((state) => !all.includes(state))).toEqual([]);
}

const isBound = (state: string): boolean => state.startsWith('up to ');

describe('corpus', () => {
  /** As `states`, but with the reason where a program has no translation to polls. */
  const attempt = (text: string, model: string): readonly string[] => {
    try {
      return states(text, model);
    } catch (error) {
      return [String(error).replaceAll(model, 'the model')];
    }
  };

  test.each([[TSO], [SC]])('%j', (models) => {
    for (const { file, text } of ENDING_FILES) {
      // Under the recursive definition, these two take a third of the time of the corpus.
      if (models === TSO && file.startsWith('protocols/ring-buffer')) continue;
      const [first, ...rest] = models.map((model) => attempt(text, model));
      for (const other of rest) expect([file, ...other]).toEqual([file, ...first]);
    }
  });
});

describe('random programs', () => {
  const each = (shape: ProgramShape, seed: number, check: (program: Test) => void): void => {
    const property = fc.property(programs(shape), (source) => check(litmus(inBlocks(source))));
    fc.assert(property, { numRuns: 120, seed });
  };

  test('the definitions of RDMA^TSO agree, and those of RDMA^SC; weaker models allow more', () => {
    let weak = 0;
    each({ instructions: 3 }, 10, (program) => {
      const [tso, sc] = [same(program, TSO), same(program, SC)];
      const strongest = allStates(program, 'sc');
      within(strongest, sc);
      within(sc, tso);
      within(tso, allStates(program, 'rdma-tso-nopcie'));
      if (tso.length > strongest.length) weak += 1;
    });
    expect(weak).toBeGreaterThan(15);
  });

  test('without remote operations RDMA^TSO is x86-TSO, and RDMA^SC is SC', () => {
    let weak = 0;
    each({ remote: false, instructions: 3 }, 11, (program) => {
      const tso = same(program, ['rdma-tso', 'x86-tso', 'rdma-wait', 'rdma-tso-nopcie']);
      const sc = same(program, ['rdma-sc', 'sc']);
      within(sc, tso);
      if (tso.length > sc.length) weak += 1;
    });
    expect(weak).toBeGreaterThan(2);
  });

  test('a program with polls and its translation to waits agree, and the other way round', () => {
    let compared = 0;
    const translated = (program: Test): void => {
      const models = ['rdma-tso', 'rdma-wait'].map(modelOf);
      if (!models.every((model) => adapt(program.program, model).ok)) return;
      const [polling, waiting] = models.map((model) => allStates(program, model));
      expect(waiting).toEqual(polling);
      if (polling.length > 1) compared += 1;
    };
    each({ branches: false, instructions: 4 }, 12, translated);
    each({ branches: false, waits: true, instructions: 4 }, 13, translated);
    expect(compared).toBeGreaterThan(40);
  });

  test('RDMA^WAIT as a library is RDMA^WAIT, also beside a library that nothing calls', () => {
    const libraries = ['lib/rl', 'lib/sv'].map(modelOf);
    let several = 0;
    const alike = (program: Test): void => {
      const models = [modelOf('rdma-wait'), ...libraries];
      // The other library fences nothing, and what it guesses is about nothing.
      if (!models.every((model) => adapt(program.program, model).ok)) return;
      const [wait, ...others] = models.map((model) => allStates(program, model));
      for (const other of others) {
        // Under a library, more loops have no bound: then it has what the other has with more iterations, too.
        const isExact = wait.some(isBound) && !other.some(isBound);
        if (isExact)
          within(
            wait.filter((state) => !isBound(state)),
            other,
          );
        else expect(other).toEqual(wait);
      }
      if (wait.length > 1) several += 1;
    };
    each({ waits: true, instructions: 4 }, 14, alike);
    each({ everything: true, loopBack: true, instructions: 4 }, 15, alike);
    each({ atomics: true, waits: true, instructions: 3 }, 16, alike);
    expect(several).toBeGreaterThan(150);
  });
});
