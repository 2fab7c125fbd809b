import { describe, expect, test } from 'vitest';
import { MOST_EVENTS, structureFor } from '../../src/check/structure.js';
import { litmus, modelOf } from '../support/checker.js';

/** Writes in a loop without end: three in each iteration. */
const { program } = litmus(
  'RDMA t node 1 { x = 0 } thread T on 1 { while (1) { x := 1; x := 2; x := 3 } }',
);

describe('what is not tried', () => {
  test('more events than a program may have', () => {
    const reason = `too large: more than ${MOST_EVENTS} events`;
    expect(structureFor(program, modelOf('sc'), 10_000)).toEqual({ reason });
  });

  test('relations that take more memory than there may be: as far as the axioms need them', () => {
    const puts = litmus(
      `RDMA t node 1 {} node 2 { x = 0 } thread T on 1 { while (1) { ${'x^2 := 1; a := x^2; poll(2); rfence(2); '.repeat(10)} skip } }`,
    ).program;
    const iterations = 160;
    expect(structureFor(puts, modelOf('rdma-tso'), 10)).toHaveProperty('events.length', 603);
    expect(structureFor(puts, modelOf('rdma-tso'), iterations)).toEqual({
      reason: expect.stringMatching(
        /^too large: the relations of rdma-tso over 9603 events take 2\.\d GiB, and at most 1\.0 GiB is tried$/,
      ),
    });
  });
});
