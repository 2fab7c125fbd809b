import { describe, expect, test } from 'vitest';
import { FAMILIES } from '../../bench/families.js';
import { VERDICTS } from '../../bench/verdicts.js';
import { decideByCandidates, outcomesByCandidates } from '../../src/check/by-candidates.js';
import { decideByMachine, outcomesByMachine } from '../../src/rdma/machines/decide.js';
import { enumerate } from '../../src/check/decide.js';
import { machineFor, unsupported } from '../../src/rdma/machines/index.js';
import type { Program } from '../../src/program/program.js';
import { compareStates } from '../../src/program/final.js';
import { allSubjects } from '../../src/program/subjects.js';
import { adapted, litmus, modelOf, newSolver, verdicts } from '../support/checker.js';

/** The growing programs of the benchmark have the verdicts that they should have, by every engine. */

const model = modelOf('rdma-tso');
const machine = machineFor(model, 'simplified')!;
const limits = { deadline: Infinity };
const member = (family: string, k: number) => adapted(litmus(FAMILIES[family](k)), model);

/** The machines of the papers know neither shared queue pairs nor messages. */
const isRun = (program: Program): boolean => unsupported(program).length === 0;

/** What enumeration and machines still treat at once. */
const isSmall = (family: string, k: number): boolean =>
  k < 4 || !['getsputs', 'putrace'].includes(family);

test('every family is expected to mean something', () => {
  expect(Object.keys(FAMILIES)).toEqual(Object.keys(VERDICTS));
});

describe.each(Object.keys(VERDICTS))('%s', (family) => {
  test.each([2, 3, 4])('%i: the verdict', (k) => {
    const subject = member(family, k);
    const expected = [VERDICTS[family](k)];
    expect(verdicts(FAMILIES[family](k), model)).toEqual(expected);
    if (!isSmall(family, k)) return;
    for (const answer of [
      ...decideByCandidates(subject, model, [0], false, limits),
      ...(isRun(subject.program) ? decideByMachine(subject, machine, [0], limits) : []),
    ]) {
      const upTo = answer.upTo === undefined ? '' : ` up to ${answer.upTo}`;
      expect([answer.verdict + upTo]).toEqual(expected);
    }
  });

  test.each([2, 3])('%i: the final states', (k) => {
    const subject = member(family, k);
    const subjects = allSubjects(subject.program);
    const states = [
      enumerate(subject, model, newSolver, subjects),
      outcomesByCandidates(subject, model, subjects, false, limits),
      ...(isRun(subject.program) ? [outcomesByMachine(subject, machine, subjects, limits)] : []),
    ].map((outcomes) => [...outcomes.states].sort(compareStates));
    expect(states[0].length).toBeGreaterThan(0);
    expect(states[1]).toEqual(states[0]);
    expect(states.at(-1)).toEqual(states[0]);
  });
});
