import fc from 'fast-check';
import { decide } from '../../src/check/decide.js';
import type { Model } from '../../src/model/term.js';
import type { Test } from '../../src/program/program.js';
import { inBlocks, programs } from '../../src/rdma/random/programs.js';
import { adapt } from '../../src/rdma/translate.js';
import { litmus, modelOf, newSolver } from './checker.js';
import { cases } from './random.js';

/** The verdict of the encoding and Z3 on a query. */
export function verdictOf(test: Test, model: Model, query = 0): string {
  let verdict = '';
  decide(test, model, newSolver, { queries: [query] }, (answer) => ({ verdict } = answer));
  return verdict;
}

const SHIPPED = fc.constantFrom(...['rdma-tso', 'rdma-sc', 'rdma-tso-nopcie'].map(modelOf));

/**
 * Asks random programs whether two registers can end with two numbers, and hands each question on.
 *
 * @param models by default three that come with Remora
 */
export function askAtRandom(
  runs: number,
  check: (test: Test, model: Model) => void,
  models: fc.Arbitrary<Model> = SHIPPED,
): void {
  const asked = fc.record({
    source: programs({ everything: false, instructions: 3 }),
    numbers: fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 2, maxLength: 2 }),
    model: models,
  });
  fc.assert(
    fc.property(asked, ({ source, numbers, model }) => {
      const plain = litmus(inBlocks(source));
      const adapted = adapt(plain.program, model);
      if (!adapted.ok) return;
      const registers = plain.program.threads.flatMap((thread, t) =>
        thread.registers.map((_, register) => ({ kind: 'register', thread: t, register }) as const),
      );
      const atoms = registers.slice(0, 2).map((left, i) => {
        const right = { kind: 'int', value: numbers[i] } as const;
        return { kind: 'atom', left, right, equal: true } as const;
      });
      if (atoms.length < 2) return;
      const condition = { kind: 'and', left: atoms[0], right: atoms[1] } as const;
      const { program } = adapted.value;
      const query = {
        quantifier: 'exists',
        condition,
        text: '',
        expectations: [],
        observations: [],
      };
      check({ ...plain, program, queries: [query] } as unknown as Test, model);
    }),
    { numRuns: cases(runs), seed: Number(process.env['REMORA_SEED'] ?? 20) },
  );
}
