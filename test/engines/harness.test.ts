import { describe, expect, test } from 'vitest';
import { compareRow } from './harness.js';
import type { Row } from './harness.js';
import { random } from './programs.js';
import type { Found, Way } from './ways.js';
import { WAYS } from './ways.js';

/** What a way gets wrong is found, and shown with the program and the model. */

const SB = `RDMA t node 1 { x = 0; y = 0 }
thread T on 1 { x := 1; a := y }
thread U on 1 { y := 1; b := x }`;

const ROW: Row = {
  name: 'store buffering',
  programs: [{ text: SB }],
  under: ['rdma-tso'],
  ways: { search: 1, enumerate: 1 },
  telling: 1,
};

/** The ways, where one of them changes what it finds. */
const but = (change: (found: Found) => Found): Readonly<Record<string, Way>> => ({
  ...WAYS,
  enumerate: {
    ...WAYS.enumerate,
    upTo: 'may',
    list: async (...asked) => change(await WAYS.enumerate.list(...asked)),
  },
});

const WEAK = 'x=1 y=1 a=0 b=0';

test('what agrees passes', async () => {
  await compareRow(
    ROW,
    but((found) => found),
  );
});

describe('a way', () => {
  test.each<[string, (found: Found) => Found, string]>([
    [
      'that loses a state',
      (found) => ({ ...found, states: found.states.slice(1) }),
      `search under rdma-tso and enumerate under rdma-tso differ: only search under rdma-tso has\n  ${WEAK}\n${SB}`,
    ],
    [
      'that has one too many',
      (found) => ({ ...found, states: [...found.states, { x: 1, y: 1, a: 2, b: 2 }] }),
      `only enumerate under rdma-tso has\n  x=1 y=1 a=2 b=2\n${SB}`,
    ],
    [
      'that gives up, and has one that there is not',
      (found) => ({ states: [{ ...found.states[0], a: 7 }], incomplete: 'time' }),
      'only enumerate under rdma-tso has\n  x=1 y=1 a=7 b=0',
    ],
    [
      'that has one twice',
      ({ states }) => ({ states: [...states, states[0]] }),
      'another order, or some are there twice',
    ],
    [
      'with another order',
      ({ states }) => ({ states: states.toReversed() }),
      'another order, or some are there twice',
    ],
    ['with another bound', (found) => ({ ...found, upTo: 3 }), 'the bounds are no bound and 3'],
    ['that gives up', () => ({ states: [], incomplete: 'time' }), 'what enumerate decides'],
  ])('%s', async (_, change, message) => {
    await expect(compareRow(ROW, but(change))).rejects.toThrow(message);
  });

  test('that loses a state of a random program: it is made smaller', async () => {
    const row: Row = {
      ...ROW,
      programs: random({ instructions: 3 }),
      ways: { search: 100, enumerate: 100 },
    };
    const lossy = but(({ states }) => ({ states: states.length > 1 ? states.slice(1) : states }));
    const error: unknown = await compareRow(row, lossy).catch((failed: unknown) => failed);
    const { message } = (error as Error).cause as Error;
    expect(message).toContain('only search under rdma-tso has\n');
    const program = message.slice(message.indexOf('RDMA random'));
    expect(program.match(/:=/g)!.length).toBeLessThan(6);
  });
});

describe('models', () => {
  test('that are not equivalent', async () => {
    const row = { ...ROW, under: [['rdma-tso', 'sc']] };
    await expect(compareRow(row)).rejects.toThrow(
      `search under rdma-tso and search under sc differ: only search under rdma-tso has\n  ${WEAK}`,
    );
  });

  test('of which one is not weaker', async () => {
    const under = ['sc', 'rdma-tso'];
    const row = { ...ROW, under, weaker: { models: ['rdma-tso', 'sc'], apart: 0 } };
    await expect(compareRow(row)).rejects.toThrow(`only search under rdma-tso has\n  ${WEAK}`);
  });
});

test('programs of which none says anything are too few', async () => {
  const row = { ...ROW, programs: [{ text: SB }], tells: () => false, telling: 20 };
  await expect(compareRow(row)).rejects.toThrow('comparisons that say something');
});
