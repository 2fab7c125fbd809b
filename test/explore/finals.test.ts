import { expect, test } from 'vitest';
import { machineFinals } from '../../src/explore/finals.js';
import type { Finals } from '../../src/explore/finals.js';
import { allSubjects, subjectName } from '../../src/program/subjects.js';
import { STRAIGHT } from '../engines/programs.js';
import { UNORDERED } from '../support/cats.js';
import { cat, modelOf } from '../support/checker.js';
import { litmus } from '../support/litmus.js';

/**
 * Steps of a machine that is read from a model file, where some can come first. That they lose no final state is tested in
 * test/engines; here, that there are fewer states.
 */
test.each(['rdma-tso', 'rdma-tso-nopcie'])('steps that come first save states: %s', (name) => {
  const counts = { all: 0, some: 0 };
  for (const { text } of STRAIGHT.filter((_, i) => i % 25 === 0)) {
    const { program } = litmus(text);
    const explored = (reduces: boolean): number => {
      const subjects = allSubjects(program).filter((_, i) => i % 2 === 0);
      const options = { subjects, bound: 2, room: 12, limit: 20_000, reduces };
      return (machineFinals(program, modelOf(name), options) as Finals).explored;
    };
    const [all, some] = [explored(false), explored(true)];
    expect(some).toBeLessThanOrEqual(all);
    counts.all += all;
    counts.some += some;
  }
  expect(counts.some).toBeLessThan(counts.all / 2);
});

test('what a read finds of two answers that nothing orders decides which comes to memory first', () => {
  const model = cat(UNORDERED);
  const { program } = litmus(`RDMA answers
node 1 { x = 0 }
node 2 { z = 1; w = 2; u = 0 }
thread T on 1 { x := z^2; x := w^2; u^2 := x }`);
  const subjects = allSubjects(program).filter((subject) =>
    ['u', 'x'].includes(subjectName(program, subject)),
  );
  const found = machineFinals(program, model, { subjects, bound: 2, room: 12 }) as Finals;
  expect(found.incomplete).toBeUndefined();
  // The put may read before there are answers. If it reads 2, and so not past the 1 that is there, too, that is in memory before.
  expect(found.states).toEqual([
    { x: 1, u: 0 },
    { x: 1, u: 1 },
    { x: 2, u: 0 },
    { x: 2, u: 1 },
    { x: 2, u: 2 },
  ]);
});
