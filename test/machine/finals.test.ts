import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseLitmus } from '../../src/index.js';
import { byCandidates } from '../../src/check/by-candidates.js';
import { machineFinals } from '../../src/machine/finals.js';
import type { Model } from '../../src/model/term.js';
import type { Test } from '../../src/program/program.js';
import { DEFAULT_BOUND } from '../../src/program/events/unroll.js';
import { allSubjects } from '../../src/program/subjects.js';
import { inBlocks, programs } from '../../src/rdma/random/programs.js';
import { adapt } from '../../src/rdma/translate.js';
import { cat, litmus, modelOf } from '../support/checker.js';
import { ENDING_FILES } from '../support/corpus.js';
import { cases } from '../support/random.js';

/**
 * The machine that is read from a model file has the final states of the executions that the model's axioms allow. Executions are enumerated, which shares nothing with the
 * machine but the table of terms.
 */

const text = (name: string): string => readFileSync(`test/machine/models/${name}.cat`, 'utf8');

/** All shipped models with a machine; the texts of two of them, in a form that has one; and models of a user's kind. */
const MODELS: ReadonlyMap<string, Model> = new Map([
  ...[
    ...['sc', 'rdma-sc', 'rdma-sc-no-ib', 'rdma-tso', 'rdma-tso-4.4', 'rdma-tso-rec', 'rdma-wait'],
    ...['rdma-tso-nopcie', 'rdma-tso-late', 'rdma-tso-loclock', 'rdma-tso-getfirst'],
    ...['rdma-tso-failwrite', 'rdma-ro', 'rdma-ro-tagged', 'rdma-manpage'],
  ].map((name) => [name, modelOf(name)] as const),
  ...['rdma-tso-glob', 'rdma-tso-out'].map(
    (name) => [`${name}, layered`, cat(text(name))] as const,
  ),
  ['PSO', cat(own('let oppo = oppo \\ po & (lW * lW) & ~loc'))],
  ['a strong remote fence', cat(own('let oppo = oppo | qpo & ((nrW | nlW) * nF)'))],
]);

/** A variation of RDMA^TSO. */
function own(change: string): string {
  return `"own"\ninclude "rdma-tso-base.cat"\n${change}\ninclude "rdma-tso-orders.cat"\ninclude "rdma-axioms.cat"`;
}

const corpus: readonly Test[] = ENDING_FILES.filter(
  ({ file }) => !file.startsWith('protocols/') && !file.startsWith('cells/'),
).flatMap(({ file, text }) => {
  const parsed = parseLitmus(text, file);
  return parsed.ok ? [parsed.value] : [];
});

/** Compares the two for one program. Undefined: the model does not have its instructions, or one of the two gave up. */
function compare(t: Test, model: Model): boolean | undefined {
  const adapted = adapt(t.program, model);
  if (!adapted.ok) return undefined;
  const { program } = adapted.value;
  const subjects = allSubjects(program);
  const bound = program.bound ?? DEFAULT_BOUND;
  const found = machineFinals(program, model, { subjects, bound, room: 12, limit: 5_000 });
  if ('message' in found) throw new Error(`${t.name}: ${found.message}`);
  if (found.incomplete !== undefined) return undefined;
  const limits = { deadline: Infinity, limit: 2_000 };
  const known = byCandidates.outcomes({ ...t, program }, model, subjects, false, limits);
  if (known.incomplete !== undefined) return undefined;
  expect({ name: t.name, states: found.states }).toEqual({ name: t.name, states: known.states });
  return true;
}

const random = (
  shape: Parameters<typeof programs>[0],
  numRuns: number,
  seed: number,
): readonly Test[] =>
  fc.sample(programs(shape), { seed, numRuns }).map((source) => litmus(inBlocks(source)));

describe.each([...MODELS])('%s', (name, model) => {
  const seed = [...MODELS.keys()].indexOf(name);

  test('on the corpus', () => {
    const every = Math.round(400 / cases(400));
    const some = corpus.filter((_, i) => i % (8 * every) === seed % (8 * every));
    expect(some.filter((t) => compare(t, model) === true).length).toBeGreaterThan(some.length / 3);
  });

  // Enumerating executions of a model that is defined by itself takes too long for more than the corpus.
  test.skipIf(name === 'rdma-tso-rec')('on random programs', () => {
    const shape = { instructions: 4, threads: 2, atomics: true };
    const drawn = [
      ...random({ instructions: 3 }, cases(30), seed),
      ...random(shape, cases(30), seed),
      ...random({ ...shape, queuePairs: true, loopBack: true }, cases(30), seed),
    ];
    expect(drawn.filter((t) => compare(t, model) === true).length).toBeGreaterThan(
      drawn.length / 2,
    );
  });
});

test('steps that come first lose no final state', () => {
  const shape = { instructions: 4, threads: 2, atomics: true, queuePairs: true, loopBack: true };
  for (const name of ['rdma-tso', 'rdma-tso-nopcie']) {
    const model = modelOf(name);
    for (const t of random(shape, cases(30), 5)) {
      const { program } = t;
      const subjects = allSubjects(program).filter((_, i) => i % 2 === 0);
      const options = { subjects, bound: 2, room: 12, limit: 20_000 };
      const [all, some] = [false, true].map((reduces) =>
        machineFinals(program, model, { ...options, reduces }),
      );
      if ('message' in all || 'message' in some || all.incomplete !== undefined) continue;
      expect({ name: t.name, states: some.states }).toEqual({ name: t.name, states: all.states });
      expect(some.explored).toBeLessThanOrEqual(all.explored);
    }
  }
});
