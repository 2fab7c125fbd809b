import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openSession } from '../../src/check/session.js';
import type { Model } from '../../src/model/term.js';
import { loadModel } from '../../src/node/models.js';
import { readSource } from '../../src/node/read.js';
import { ok } from '../../src/parse/diagnostics/index.js';
import type { Program } from '../../src/program/program.js';
import { REMOTE_ATOMICS } from '../../src/rdma/instructions.js';
import { inBlocks, programs } from '../../src/rdma/random/programs.js';
import { instructionsOf } from '../../src/program/instructions.js';
import { adapt } from '../../src/rdma/translate.js';
import { parseLitmus } from '../../src/node/tests.js';
import { ClauseSearch } from '../../src/solve/search/search.js';
import type { SolverFactory } from '../../src/solve/solver.js';
import { litmus, modelOf, newSolver } from '../support/checker.js';
import { ENDING_FILES } from '../support/corpus.js';
import { valueOf } from '../support/litmus.js';
import { ALL, cases } from '../support/random.js';

/**
 * Theorems as models (models/theorems; robustness paper, Thms 1-4 and 13-16, Lemma 1): an execution of such a model refutes its theorem.
 * Theorems 5, 6, 17 and 18 and the corollaries are about programs: test/analyses/robust.test.ts.
 */

const FOLDER = 'models/theorems';

/** A theorem, with some of its text changed. */
function theorem(name: string, changed: (text: string) => string = (text) => text): Model {
  const path = join(FOLDER, `${name}.cat`);
  const text = changed(readFileSync(path, 'utf8'));
  const read = (file: string) => (file === path ? ok({ path, text }) : readSource(file));
  return valueOf(loadModel(path, { exists: existsSync, read }).model);
}

const search: SolverFactory = () => new ClauseSearch(Infinity);

/** Has a program an execution under a model? */
function refutes(program: Program, model: Model, solver = search): boolean {
  const session = openSession(program, model, solver);
  if ('reason' in session) throw new Error(session.reason);
  const { kind } = session.find();
  session.solver.dispose();
  expect(kind).not.toBe('unknown');
  return kind === 'found';
}

const THEOREMS = readdirSync(FOLDER)
  .map((file) => file.replace('.cat', ''))
  .filter((name) => name !== 'robustness' && !name.endsWith('-printed'));

const without = (name: string) => (text: string) =>
  text.replace(new RegExp(`^.* as ${name}$`, 'm'), '');

/** The programs of the corpus that the paper is about: they end, and have no remote atomics. */
const corpus = ENDING_FILES.flatMap(({ file, text }) => {
  const parsed = parseLitmus(text, file);
  if (!parsed.ok) return [];
  const isOther = parsed.value.program.threads.some(({ body }) =>
    [...instructionsOf(body)].some(
      (i) => i.kind === 'loop' || (i.kind === 'call' && REMOTE_ATOMICS.includes(i.operation)),
    ),
  );
  const polled = adapt(parsed.value.program, modelOf('rdma-sc'));
  return isOther || !polled.ok ? [] : [{ file, program: polled.value.program }];
});

const published = corpus.filter(({ file }) => /^(tso|robustness|decidability)\//.test(file));

const RANDOM = fc.sample(programs({ threads: 3, instructions: 4, branches: false }), {
  seed: 35,
  numRuns: cases(600),
});

describe.each(THEOREMS)('robustness paper: %s', (name) => {
  const model = theorem(name);

  test('no program of the corpus refutes it', () => {
    const asked = ALL ? corpus : published;
    expect(asked.length).toBeGreaterThan(ALL ? 150 : 50);
    const found = asked
      .filter(({ program }) => refutes(program, model, newSolver))
      .map(({ file }) => file);
    expect(found).toEqual([]);
  });

  test('no random program refutes it', () => {
    const found = RANDOM.map(inBlocks).filter((text) => refutes(litmus(text).program, model));
    expect(found).toEqual([]);
  });
});

/** Each theorem with less: what some published program then refutes. */
test.each([
  [
    'theorem-1',
    'with Def. 6 as printed',
    (t: string) => t.replace('gb \\', 'guaranteed(oppo, _) \\'),
  ],
  ['theorem-2', 'without the first shape', without('not-in-a-thread')],
  ['theorem-2', 'without the second shape', without('not-around-a-thread')],
  ['theorem-3', 'without its premise', without('ldrf')],
  ['theorem-4', 'without its premise', without('fenced')],
  [
    'theorem-4',
    'with Def. 6 as printed',
    (t: string) => t.replace('\\ gb', '\\ guaranteed(oppo, _)'),
  ],
  ['theorem-13', 'with the order of Def. 6', (t: string) => t.replace('gb_tso', 'gb')],
  ['theorem-14', 'without the first shape', without('not-in-a-thread')],
  ['theorem-14', 'without the second shape', without('not-around-a-thread')],
  ['theorem-15', 'without its premise', without('ldrf')],
  ['theorem-16', 'with the order of Def. 6', (t: string) => t.replace('gb_tso', 'gb')],
  [
    'lemma-1',
    'without operations of the two events',
    (t: string) => t.replace('id | half^-1', 'id'),
  ],
])('robustness paper: %s fails %s', (name, _, changed) => {
  const model = theorem(name, changed);
  expect(published.some(({ program }) => refutes(program, model))).toBe(true);
});

describe('robustness paper, Thm 1 as printed', () => {
  const [printed, amended] = [theorem('theorem-1-printed'), theorem('theorem-1')];
  const single = (body: readonly string[]) =>
    litmus(
      `RDMA t node 1 { a = 0; y = 0 } node 2 { x = 0; z = 0 } thread T on 1 { ${body.join('; ')} }`,
    ).program;

  test('corpus/robustness/Thm1 refutes it', () => {
    const { program } = published.find(({ file }) => file === 'robustness/Thm1.litmus')!;
    expect([refutes(program, printed), refutes(program, amended)]).toEqual([true, false]);
  });

  test('corpus/robustness/Thm5 refutes Theorem 5 with it', () => {
    const { program } = published.find(({ file }) => file === 'robustness/Thm5.litmus')!;
    expect(refutes(program, theorem('theorem-4-printed'))).toBe(true);
    expect(refutes(program, theorem('theorem-4'))).toBe(false);
  });

  test('no shorter thread refutes it', () => {
    const kinds = ['z^2 := 1', 'a := x^2', 'rfence(2)', 'poll(2)', 'y := 1', 'b := y'];
    const longer = (all: readonly (readonly string[])[]) =>
      all.flatMap((body) => kinds.map((kind) => [...body, kind]));
    const [one, two] = [longer([[]]), longer(longer([[]]))];
    const shorter = [...one, ...two, ...longer(two)];
    expect(shorter).toHaveLength(6 + 36 + 216);
    expect(shorter.filter((body) => refutes(single(body), printed))).toEqual([]);
    expect(refutes(single(['z^2 := 1', 'a := x^2', 'rfence(2)', 'poll(2)']), printed)).toBe(true);
  });
});
