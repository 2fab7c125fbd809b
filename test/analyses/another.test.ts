import { describe, expect, test } from 'vitest';
import type { Another } from '../../src/analyses/another/another.js';
import { another } from '../../src/analyses/another/another.js';
import { explain } from '../../src/analyses/explain/explain.js';
import { enumerateCandidates } from '../../src/check/enumerate/candidates.js';
import { structureFor } from '../../src/check/structure.js';
import { holds } from '../../src/check/witness/witness.js';
import { stateQuery } from '../../src/program/program.js';
import { adapted, answers, litmus, modelOf, newSolver } from '../support/checker.js';
import { published } from '../support/explained.js';
import { two } from '../support/litmus.js';

/** The executions of an outcome, one after the other. */

const circumstances = (model: string) => ({
  models: [modelOf(model)],
  newSolver,
  acyclicity: 'elimination' as const,
  deadline: Infinity,
});

/** All that are found after the one of the answer, and how that ended. */
function following(text: string, model: string, query = 0): readonly Another[] {
  const test = adapted(litmus(text), modelOf(model));
  const answer = answers(text, model)[query];
  const found: Another[] = [];
  do found.push(another({ test, query, answer, seen: found.length }, circumstances(model)));
  while (found.at(-1)!.kind === 'found');
  return found;
}

/** How many executions of an outcome can be told apart, by going through all of them without a solver. */
function counted(text: string, model: string, query = 0): number {
  const test = adapted(litmus(text), modelOf(model));
  const structure = structureFor(test.program, modelOf(model));
  if ('reason' in structure) throw new Error(structure.reason);
  const { condition, quantifier } = stateQuery(test, query);
  const seen = new Set<string>();
  enumerateCandidates(
    structure,
    modelOf(model),
    ({ run, witness }) => {
      if (holds(condition, run.final) === (quantifier === 'forall')) return;
      const { choices, rf, mo, reads } = witness;
      const pairs = [rf, mo, reads].map((all) => all.map((pair) => pair.join('-')).sort());
      seen.add(JSON.stringify([choices, ...pairs]));
    },
    { limit: 1e6 },
  );
  return seen.size;
}

const WIDE = two(
  'thread T1 on 1 { z^2 := 1; x := 1 } thread T2 on 2 { z := 2; a := z; b := z } exists (T2:b = 1)',
);

describe('as many as there are by definition, and none twice', () => {
  test.each([
    ['one outcome of one execution', published('GFG'), 'rdma-tso', 0],
    ['values that the query leaves open', WIDE, 'rdma-tso', 0],
    ['under SC', WIDE, 'sc', 0],
    ['what shows that something is not always so', WIDE.replace('exists', 'forall'), 'rdma-tso', 0],
    [
      'choices of threads',
      two('thread T on 1 { choose { a := 1 } or { a := 2 } or { a := 3 } } exists (a != 1)'),
      'rdma-tso',
      0,
    ],
  ] as const)('%s', (_, text, model, query) => {
    const found = following(text, model, query);
    expect(found.at(-1)).toEqual({ kind: 'none' });
    expect(found.length).toBe(counted(text, model, query));
    const shown = found.flatMap((one) => (one.kind === 'found' ? [one.answer.witness!] : []));
    const looks = shown.map(({ choices, rf, mo, reads }) =>
      JSON.stringify([choices, rf, mo, reads]),
    );
    expect(new Set(looks).size).toBe(looks.length);
  });
});

test('those are marked that end as one before', () => {
  // Who reads x last can read it from either of two writes of 1.
  const text = two('thread T1 on 1 { x := 1; x := 1; a := x } exists (a = 1)').replace(
    'thread T1',
    'thread T2 on 1 { x := 1 } thread T1',
  );
  const found = following(text, 'sc');
  expect(found.length).toBe(counted(text, 'sc'));
  expect(found.slice(0, -1).map((one) => one.kind === 'found' && one.endsAsBefore)).not.toContain(
    false,
  );
});

test('loops that go on: there are none up to the bound', () => {
  const text = two(
    'thread T1 on 1 { x := 1 } thread T2 on 1 { loop bound 2 { r := x; x := r + 1 } } exists (x = 1)',
  );
  expect(following(text, 'rdma-tso').at(-1)).toMatchObject({ kind: 'none', upTo: 2 });
});

test('an explanation tells of the very execution, if it is asked to', () => {
  const model = modelOf('rdma-tso');
  const written = litmus(published('GFG'));
  const [answer] = answers(published('GFG'), 'rdma-tso');
  const input = {
    test: written,
    programs: [adapted(written, model).program],
    notes: [undefined],
    query: 0,
    answers: [answer],
  };
  const kinds = [false, true].map(
    (exactly) =>
      explain({ ...input, exactly }, circumstances('rdma-tso')).models[0].admitted!.order!.kind,
  );
  expect(kinds).toEqual(['run', 'events']);
});
