import { expect, test } from 'vitest';
import { modelFor } from '../../src/program/occasions.js';
import { litmus, modelOf } from '../support/checker.js';

test('what a program calls is found in a copy of its instruction set, as workers have one', () => {
  const { program } = litmus(
    'RDMA t node 1 { x = 0 } node 2 { y = 0 } thread T on 1 { y^2 := x; poll(2); x := 1 }',
  );
  const model = modelOf('rdma-tso');
  const basesFor = (one: typeof program): readonly string[] => modelFor(one, model).bases;
  expect(basesFor(structuredClone(program))).toEqual(basesFor(program));
  expect(basesFor(program)).toEqual(expect.arrayContaining(['nlR', 'nrW', 'P', 'lW', 'pf']));
  for (const name of ['nrR', 'nC', 'nS', 'msg', 'post', 'rao']) {
    expect(basesFor(program)).not.toContain(name);
  }
});
