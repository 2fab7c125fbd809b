import { expect, test } from 'vitest';
import { assumedBy } from '../../src/check/unknowns.js';

const at =
  (line: number) =>
  (
    holds: boolean,
  ): { unknown: { text: string; first: boolean; line: number }; holds: boolean; path: [] } => ({
    unknown: { text: 'more(x)', first: true, line },
    ...{ holds, path: [] },
  });

test('a condition that is asked several times is told once, with how it went', () => {
  const ways = [...[true, true, false, true].map(at(7)), at(9)(false)];
  expect(assumedBy({ ways: () => ways })).toEqual({
    assuming: [
      'more(x) holds 2 times, then does not hold, then holds, at line 7',
      'more(x) does not hold, at line 9',
    ],
  });
});

test('an execution without such conditions assumes nothing', () => {
  expect(assumedBy({ ways: () => [] })).toEqual({});
});
