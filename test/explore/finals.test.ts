import { expect, test } from 'vitest';
import { machineFinals } from '../../src/explore/finals.js';
import type { Finals } from '../../src/explore/finals.js';
import { allSubjects } from '../../src/program/subjects.js';
import { STRAIGHT } from '../engines/programs.js';
import { modelOf } from '../support/checker.js';
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
