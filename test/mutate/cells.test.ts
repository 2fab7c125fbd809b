import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { caughtByExecutions } from '../../mutate/run/by-executions.js';
import { compare, familyOf } from '../../mutate/evaluate/compare.js';
import { guardsOf } from '../../mutate/guards.js';
import { MODELS, mutantsOf } from '../../mutate/models/index.js';
import type { Mutant } from '../../mutate/models/mutant.js';
import { originalModel } from '../../mutate/models/text.js';
import { valuesOf } from '../../mutate/search/conditions.js';
import { readTests } from '../../mutate/run/read-tests.js';
import { expectedOf } from '../../src/check/expectation.js';
import { enumerateCandidates } from '../../src/check/enumerate/candidates.js';
import { unroll } from '../../src/program/events/unroll.js';
import { CPU_MODEL, MAIN_MODELS } from '../../src/model/shipped.js';
import { OPERATIONAL_MODELS, exploreOutcomes } from '../../src/rdma/machines/index.js';
import { isRemote } from '../../src/program/instructions.js';
import type { Test } from '../../src/program/program.js';
import { allSubjects, subjectName } from '../../src/program/subjects.js';
import { adapt } from '../../src/rdma/translate.js';
import { holds } from '../../src/check/witness/witness.js';
import { allStates } from '../support/checker.js';
import { some } from '../support/random.js';
import { isStateQuery } from '../../src/program/program.js';

/**
 * The tests that guard single cells and terms of the models: that all engines agree on their final
 * states, that what they expect is so, and that each tells the mutants that it says it guards.
 */

const FOLDER = 'corpus/cells';
const { items, errors } = readTests([FOLDER]);

const family = familyOf(MODELS.map((model) => ({ original: originalModel(model), mutants: [] })));

/** A program's final states under every model, from all of its executions; as `allStates` has them. */
const enumerated = new Map(
  items.map((item) => {
    const subjects = allSubjects(item.program);
    const names = subjects.map((s) => subjectName(item.program, s));
    const compared = compare(item.program, family, undefined, 200_000);
    const states = compared.map((c) =>
      c === undefined
        ? undefined
        : [...c.states]
            .map(valuesOf)
            .sort(byValues)
            .map((values) => values.map((v, i) => `${names[i]}=${v}`).join(' ')),
    );
    return [item.name, new Map(MODELS.map((model, m) => [model as string, states[m]]))] as const;
  }),
);

function byValues(a: readonly number[], b: readonly number[]): number {
  const i = a.findIndex((v, k) => v !== b[k]);
  return i < 0 ? 0 : a[i] - b[i];
}

/** The models that a file says something about. */
const modelsOf = (item: Test): readonly string[] =>
  MODELS.filter((model) => item.queries.some((q) => expectedOf(q, model) !== undefined));

test('the folder is read', () => {
  expect(errors).toEqual([]);
  expect(items).toHaveLength(readdirSync(FOLDER).length);
  expect(items.length).toBeGreaterThan(50);
  expect(items.length).toBeLessThanOrEqual(120);
});

describe.each(items.map((item) => [item.name, item] as const))('%s', (name, item) => {
  const guards = guardsOf(item.file);

  test('says what it guards, and is small', () => {
    expect(item.file).toBe(join(FOLDER, `${name}.litmus`));
    expect(guards.length).toBeGreaterThan(0);
    expect(guards.some((g) => g.mutant === name.replace(/-again$/, ''))).toBe(true);
    expect(unroll(item.program).events.length).toBeLessThan(30);
  });

  test('has the expected verdicts by all of its executions', () => {
    const subjects = allSubjects(item.program);
    for (const model of modelsOf(item)) {
      const states = enumerated.get(name)!.get(model)!;
      for (const query of item.queries.filter(isStateQuery)) {
        const met = states.some((state) => {
          const values = state.split(' ').map((v) => Number(v.split('=')[1]));
          return holds(query.condition, (s) => {
            const i = subjects.findIndex((t) => JSON.stringify(t) === JSON.stringify(s));
            return values[i];
          });
        });
        const verdict = met ? 'allowed' : 'forbidden';
        expect([model, query.text, verdict]).toEqual([
          model,
          query.text,
          expectedOf(query, model)?.verdict,
        ]);
      }
    }
  });

  test('has the same final states by the solver, by enumeration and by the machine', () => {
    for (const model of [...MAIN_MODELS, CPU_MODEL]) {
      if (!modelsOf(item).includes(model)) continue;
      const states = enumerated.get(name)!.get(model)!;
      expect([model, ...allStates(item, model)]).toEqual([model, ...states]);
      const hardware = OPERATIONAL_MODELS.get(model);
      if (hardware === undefined) continue;
      const adapted = adapt(item.program, originalModel(model));
      if (!adapted.ok) throw new Error(`${name} has no polls for ${model}`);
      const run = exploreOutcomes(adapted.value.program, hardware);
      const shown = run.states.map((s) =>
        Object.entries(s)
          .map(([key, value]) => `${key}=${value}`)
          .join(' '),
      );
      expect([model, run.incomplete, ...shown]).toEqual([model, undefined, ...states]);
    }
  });

  test('has the same final states by enumeration of candidates', () => {
    for (const model of ['rdma-tso', 'rdma-tso-nopcie', 'rdma-wait']) {
      if (!modelsOf(item).includes(model)) continue;
      const adapted = adapt(item.program, originalModel(model));
      if (!adapted.ok) throw new Error(`${name} has no translation for ${model}`);
      const { program } = adapted.value;
      const subjects = allSubjects(program);
      const found = new Set<string>();
      const { incomplete } = enumerateCandidates(
        unroll(program),
        originalModel(model),
        ({ run }) => {
          const values = subjects.map((s) => `${subjectName(program, s)}=${run.final(s)}`);
          found.add(values.join(' '));
        },
        { limit: 100_000 },
      );
      const states = enumerated.get(name)!.get(model)!;
      expect([model, incomplete, ...[...found].sort()]).toEqual([
        model,
        undefined,
        ...[...states].sort(),
      ]);
    }
  });
});

describe.each(MODELS)('mutants of %s', (model) => {
  test('are told by the files that guard them', () => {
    const byName = new Map(mutantsOf(model).map((m) => [m.name, m]));
    const guarding = items.map((item) => {
      const mine = guardsOf(item.file).filter((g) => g.models.includes(model));
      return { item, names: mine.map((g) => g.mutant) };
    });
    const unknown = guarding.flatMap(({ names }) => names.filter((n) => !byName.has(n)));
    expect(unknown).toEqual([]);
    // Where not all cases are tried, a third of the files of each model, and the mutants that these guard.
    const used = some(
      guarding.filter(({ names }) => names.length > 0),
      0.3,
    );
    const mutants = [...new Set(used.flatMap(({ names }) => names))].map((n) => byName.get(n)!);
    const told = caughtByExecutions(
      model,
      mutants as readonly Mutant[],
      used.map(({ item }) => item),
    );
    for (const { item, names } of used) {
      const caught = new Set(told.get(item)!.map((m) => m.name));
      expect([item.name, ...names.filter((n) => !caught.has(n))]).toEqual([item.name]);
    }
  });
});

test('remote programs are outside of the model of CPUs', () => {
  const remote = items.filter((item) => isRemote(item.program));
  expect(remote.flatMap((item) => modelsOf(item)).includes(CPU_MODEL)).toBe(false);
});
