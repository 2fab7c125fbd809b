import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { byCandidates } from '../../src/check/by-candidates.js';
import { enumerate } from '../../src/check/decide.js';
import { decideInStages } from '../../src/check/stages.js';
import { CPU_MODEL, MAIN_MODELS } from '../../src/model/shipped.js';
import { parseLitmus } from '../../src/node/tests.js';
import type { Test } from '../../src/program/program.js';
import { allSubjects } from '../../src/program/subjects.js';
import type { Engine } from '../../src/rdma/engines.js';
import { stagesOf } from '../../src/rdma/engines.js';
import { inBlocks, programs } from '../../src/rdma/random/programs.js';
import { adapt } from '../../src/rdma/translate.js';
import { adapted, cat, modelOf, newSolver } from '../support/checker.js';
import { litmus, valueOf } from '../support/litmus.js';
import { cases, some } from '../support/random.js';
import { ROOT } from '../support/run.js';

/**
 * Remote atomics. What the files of corpus/rmw state was derived from the definitions by hand
 * (docs/atomics.md), not by Remora.
 */

const VARIANTS = ['glob', 'late', 'loclock', 'getfirst', 'failwrite', 'out'].map(
  (v) => `rdma-tso-${v}`,
);
const MODELS = [...MAIN_MODELS, ...VARIANTS];

const testsOf = (folder: string): readonly Test[] =>
  readdirSync(join(ROOT, 'corpus', folder)).map((file) => {
    const text = readFileSync(join(ROOT, 'corpus', folder, file), 'utf8');
    return valueOf(parseLitmus(text, file));
  });

const ATOMICS = testsOf('rmw');

/** What a file states of its queries: `exists (x = 1): allowed under sc`. */
const stated = ({ queries }: Test): readonly string[] =>
  queries.flatMap(({ text, expectations }) =>
    expectations.flatMap(({ verdict, models }) =>
      models.map((model) => `exists (${text}): ${verdict} under ${model.text}`),
    ),
  );

/** The same, as an engine answers. */
async function answered(subject: Test, engine: Engine): Promise<readonly string[]> {
  const models = MODELS.map(modelOf);
  const questions = {
    tests: models.map((model) => adapted(subject, model)),
    models,
    queries: [...subject.queries.keys()],
  };
  const means = {
    solver: () => Promise.resolve(newSolver),
    started: () => undefined,
    timeLimit: Infinity,
  };
  const all = await decideInStages(stagesOf(engine), questions, means);
  return all.flatMap((answers, i) =>
    answers.map(({ query, verdict }) => {
      return `exists (${subject.queries[query].text}): ${verdict} under ${models[i].name}`;
    }),
  );
}

const known = new Map<string, readonly string[]>();

/** All final states of a program, from one execution after the other. */
function finalStates(subject: Test, model: string): readonly string[] {
  const key = `${subject.file} ${model}`;
  const found = known.get(key) ?? enumerated(subject, model);
  known.set(key, found);
  return found;
}

function enumerated(subject: Test, model: string): readonly string[] {
  const given = adapted(subject, modelOf(model));
  const subjects = allSubjects(given.program);
  const limits = { deadline: Infinity };
  const found = byCandidates.outcomes(given, modelOf(model), subjects, false, limits);
  expect(found.incomplete).toBeUndefined();
  return found.states.map((state) => JSON.stringify(state)).toSorted();
}

test('every outcome has a verdict under each model, and some models differ', () => {
  for (const subject of ATOMICS) {
    for (const { expectations } of subject.queries) {
      const models = expectations.flatMap((one) => one.models.map(({ text }) => text));
      expect([subject.name, ...models.toSorted()]).toEqual([subject.name, ...MODELS.toSorted()]);
    }
  }
  const differing = VARIANTS.filter((variant) =>
    ATOMICS.flatMap(stated).some((line) => {
      const other = `${line.includes('allowed') ? 'forbidden' : 'allowed'} under rdma-tso`;
      const [outcome, model] = [line.split(': ')[0], line.split(' under ')[1]];
      return model === variant && ATOMICS.flatMap(stated).includes(`${outcome}: ${other}`);
    }),
  );
  expect(differing).toEqual(VARIANTS);
});

describe.each(['search', 'enumerate'] as const)('%s', (engine) => {
  test.each(ATOMICS.map((subject) => [subject.name, subject] as const))(
    '%s is as stated',
    async (_, subject) => {
      const found = await answered(subject, engine);
      expect(found.toSorted()).toEqual(stated(subject).toSorted());
    },
  );
});

describe('models among each other', () => {
  const WEAKER = [
    ['sc', 'rdma-sc', 'rdma-tso', 'rdma-tso-nopcie'],
    ['rdma-tso-glob', 'rdma-tso', 'rdma-tso-loclock'],
    ['rdma-tso-late', 'rdma-tso'],
    ['rdma-tso-getfirst', 'rdma-tso'],
  ];

  test.each(WEAKER.map((models) => [models]))(
    '%j: each allows what the one before it does',
    (models) => {
      for (const subject of ATOMICS) {
        const states = models.map((model) => finalStates(subject, model));
        states.slice(1).forEach((weaker, i) => {
          const more = states[i].filter((state) => !weaker.includes(state));
          expect([subject.name, ...more]).toEqual([subject.name]);
        });
      }
    },
  );

  test.each([
    ['rdma-tso', 'rdma-tso-rec'],
    ['rdma-tso', 'rdma-tso-4.4'],
    ['rdma-sc', 'rdma-sc-no-ib'],
  ])('%s and %s have the same final states', (one, other) => {
    for (const subject of ATOMICS) {
      const states = [one, other].map((model) => finalStates(subject, model));
      expect([subject.name, states[1]]).toEqual([subject.name, states[0]]);
    }
  });

  test('without remote atomics, every variant is RDMA^TSO', () => {
    for (const subject of some(['tso', 'robustness', 'decidability'].flatMap(testsOf))) {
      const expected = finalStates(subject, 'rdma-tso');
      for (const variant of VARIANTS) {
        expect([subject.name, finalStates(subject, variant)]).toEqual([subject.name, expected]);
      }
    }
  });
});

test('a model of CPUs says that it has no such operation', () => {
  const model = modelOf(CPU_MODEL);
  const text = 'RDMA t node 1 {} node 2 { x = 0 } thread T on 1 { a := rcas(x^2, 0, 1) }';
  const given = adapt(valueOf(parseLitmus(text, 't.litmus', [model])).program, model);
  expect(!given.ok && given.errors.map(({ message }) => message)).toEqual([
    'x86-tso has no operation `rcas`',
  ]);
});

/** The two models as they were in other words: parts that are one in `ib` and `ob`, and write parts whose order of issue is left open. */
const IN_OTHER_WORDS: readonly (readonly [model: string, now: string, before: string])[] = [
  [
    'rdma-tso-glob',
    `let issued = contract(ippo | rf | pf | nfo | rbb)
let observed = contract(oppo | (rf \\ rfb) | [nlW] ; pf | nfo | rb | mo)
include "rdma-axioms.cat"`,
    `let ib = (contract(ippo | rf | pf | nfo | rbb))+
let ob = (contract(oppo | (rf \\ rfb) | [nlW] ; pf | nfo | rb | mo | [Inst] ; ib))+
irreflexive ib
irreflexive ob`,
  ],
  [
    'rdma-tso-out',
    'let ippo = ippo \\ qpo & (nAR * (nrW | nrR | nAR)) | rmw',
    'let ippo = ippo \\ qpo & (nAR * (nrW | nrR | nAR))',
  ],
];

test.each(IN_OTHER_WORDS)('%s allows the same in other words', (name, now, before) => {
  const text = readFileSync(join(ROOT, 'models', `${name}.cat`), 'utf8');
  expect(text).toContain(now);
  const other = cat(text.replace(now, before));
  const shape = { instructions: 3, threads: 2, atomics: true };
  const drawn = fc.sample(programs(shape), { seed: 6, numRuns: cases(300) });
  for (const subject of drawn.map((source) => litmus(inBlocks(source)))) {
    const subjects = allSubjects(subject.program);
    const [found, expected] = [modelOf(name), other].map(
      (model) => enumerate(adapted(subject, model), model, newSolver, subjects).states,
    );
    expect(found).toEqual(expected);
  }
});
