import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FixRunsInput } from '../../src/analyses/repair/fix-runs.js';
import { fixRuns } from '../../src/analyses/repair/fix-runs.js';
import { ADDITION_KINDS, DEFAULT_COSTS, insert } from '../../src/rdma/additions.js';
import { additionsOf } from '../../src/rdma/offering.js';
import { findBad, findNear } from '../../src/explore/near.js';
import type { Safety } from '../../src/explore/safety.js';
import { isSafety } from '../../src/explore/safety.js';
import { stuckThreads } from '../../src/explore/stuck.js';
import type { Program, Test } from '../../src/program/program.js';
import { isStateQuery } from '../../src/program/program.js';
import { fixLines } from '../../src/report/fix.js';
import { readProgram, testCases } from '../support/cases.js';
import { ROOT } from '../support/run.js';
import { litmus, modelOf, modelsOf, newSolver } from '../support/checker.js';
import { ALL } from '../support/random.js';

/** The cheapest additions with which queries about runs hold. */

const NO_LIMITS = { deadline: Infinity };

const safetyOf = ({ queries }: Test): readonly Safety[] =>
  queries.flatMap((query) => (!isStateQuery(query) && isSafety(query) ? [query] : []));

function fixOf(
  text: string,
  model = 'rdma-tso',
  input: Partial<FixRunsInput> = {},
  seconds = 250,
): ReturnType<typeof fixRuns> {
  const test = litmus(text);
  const deadline = performance.now() + 1000 * seconds;
  const models = modelsOf({ models: model });
  const circumstances = { models, newSolver, acyclicity: 'elimination', deadline } as const;
  const queries = [...test.queries.keys()];
  return fixRuns({ test, queries, costs: DEFAULT_COSTS, ...input }, circumstances);
}

/** What `remora explore --fix` prints. The program with the additions is read again and explored anew. */
testCases(join(import.meta.dirname, 'repair-runs'), (input) => {
  const { settings, text } = readProgram(input, ['models', 'file']);
  const { models = 'rdma-tso' } = settings;
  const found = fixOf(text, models);
  if (found.kind === 'additions' && found.repair.kind === 'found') {
    const { program, ...fixed } = litmus(found.repair.litmus);
    const model = modelOf(models);
    expect(findBad(program, model, safetyOf({ program, ...fixed }), NO_LIMITS).kind).toBe('none');
    const stuck = stuckThreads(program, model, NO_LIMITS);
    expect(stuck).toMatchObject({ deadlock: false, threads: program.threads.map(() => false) });
  }
  return fixLines(found, { path: 'case.litmus', text }).join('\n');
});

const corpus = (name: string): string =>
  readFileSync(join(ROOT, `corpus/locks/${name}.litmus`), 'utf8');

const BROKEN = ['tas-elsewhere', 'alock-no-fence', 'peterson-own-flags', 'alock-no-poll'];

test.each(BROKEN.slice(0, ALL ? undefined : 1))(
  'no cheaper one or two additions mend %s, and runs nearby are runs',
  (name) => {
    const text = corpus(name);
    const found = fixOf(text);
    if (found.kind !== 'additions' || found.repair.kind !== 'found') throw new Error('no fix');
    const { cost: limit } = found.repair;
    const source = litmus(text);
    const model = modelOf('rdma-tso');
    const queries = safetyOf(source);
    const bad = (program: Program) => findBad(program, model, queries, NO_LIMITS);
    const guide = bad(source.program);
    if (guide.kind !== 'found') throw new Error('it is right');
    const before = stuckThreads(source.program, model, NO_LIMITS);
    const { program, additions } = additionsOf(source.program, new Set(ADDITION_KINDS), 'poll');
    const sets = additions.flatMap((a, i) => [[a], ...additions.slice(i + 1).map((b) => [a, b])]);
    let tried = 0;
    for (const set of sets) {
      const cost = set.reduce((sum, { kind }) => sum + DEFAULT_COSTS[kind], 0);
      if (cost >= limit || tried === 150) continue;
      tried += 1;
      const fixed = insert(program, set).program;
      const { kind } = bad(fixed);
      const near = findNear(guide.way, fixed, model, queries, NO_LIMITS);
      if (near !== undefined) expect(kind).toBe('found');
      // What is bad no more waits for ever.
      if (kind === 'none') expect(stuckThreads(fixed, model, NO_LIMITS)).not.toEqual(before);
    }
    expect(tried).toBeGreaterThan(4);
  },
);

test.runIf(ALL)(
  'additions to threads that are symmetric may make them different, and are tried all the same',
  () => {
    // MCS without its flush: `poll(2)` in all threads is about another queue pair for each of them.
    const flushed = readFileSync('bench/locks/mcs-three-data.litmus', 'utf8');
    const text = flushed.replace(/^ {4}b := d\^1; poll\(1\);\n/m, '');
    expect(text).not.toBe(flushed);
    const found = fixOf(text);
    expect(fixLines(found, { path: '', text }).slice(0, 2)).toEqual([
      'The cheapest that rules this out (cost 10, verified):',
      '  T2, T3, T4: add flushed1 := flush1^1; poll(1) before if (q = 2) { … } else { … } (37:7)',
    ]);
  },
);

test('a fence is tried behind the get at the same place: before it, dearer polls seem to be needed', () => {
  const text = `RDMA t
    node 1 { y = 1 }
    node 2 { x = 0; f = 0 }
    thread T1 on 1 { x^2 := y; f^2 :=[inline] 1 }
    thread T2 on 2 { a := f; b := x; if (a = 1) { assert(b = 1) } }
    assertions`;
  const found = fixOf(text, 'rdma-ro', { costs: { ...DEFAULT_COSTS, tag: 100 } });
  expect(fixLines(found, { path: '', text }).slice(0, 3)).toEqual([
    'The cheapest that rules this out (cost 11, verified):',
    '  T1: add flushed2 := flush2^2; poll(2) before f^2 :=[inline] 1 (4:32)',
    '  T1: add rfence(2) before f^2 :=[inline] 1 (4:32)',
  ]);
});

test('without time or states for it, a fix is unknown', () => {
  const text = corpus('tas-elsewhere');
  const late = fixOf(text, 'rdma-tso', {}, -1);
  expect(late).toMatchObject({ kind: 'undecided' });
  expect(late).toHaveProperty('reason', expect.stringContaining('time limit reached'));
  const short = fixOf(text, 'rdma-tso', { limit: 100 });
  expect(short).toHaveProperty('reason', 'limit of 100 states reached');
  // Enough for a run that is bad, too little to go through all states of the program with the additions.
  const some = fixOf(corpus('alock-1-2-data'), 'rdma-tso', { limit: 15_000 });
  expect(some).toMatchObject({
    kind: 'additions',
    repair: { kind: 'unknown', reason: 'limit of 15000 states reached' },
  });
});

test('where a model has no machine, there is no fix', () => {
  const found = fixOf(corpus('tas-elsewhere'), 'x86-tso-textbook');
  const reason = expect.stringContaining('x86-tso-textbook is no machine: axiom') as unknown;
  expect(found).toHaveProperty('reason', reason);
});
