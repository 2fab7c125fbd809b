import { expect, test } from 'vitest';
import type { Generated } from '../../src/analyses/refine/generate.js';
import { smallestClients, completeUpTo } from '../../src/cli/commands/refine/generated.js';

/** Up to how many calls all generated clients were tried. */

const ofSizes = (...sizes: readonly number[]): readonly Generated[] =>
  sizes.map((size) => ({
    shape: { threads: [0], objects: [], locations: [] },
    threads: [
      Array.from({ length: size }, () => ({ kind: { kind: 'plain', access: 'read' }, about: [0] })),
    ],
  }));

// Clients of 1, 1, 2, 2, 2 and 4 calls.
const ALL = ofSizes(1, 1, 2, 2, 2, 4);

test.each([
  { limit: 1, complete: [0, 0] },
  { limit: 2, complete: [0, 0, 1] },
  { limit: 4, complete: [0, 0, 1, 1, 1] },
  // There is none of 3 calls.
  { limit: 5, complete: [0, 0, 1, 1, 1, 3] },
  { limit: 6, complete: [0, 0, 1, 1, 1, 3, 4] },
  { limit: 9, complete: [0, 0, 1, 1, 1, 3, 4] },
])('with at most $limit', ({ limit, complete }) => {
  const chosen = smallestClients(ALL, limit);
  expect(chosen.clients).toEqual(ALL.slice(0, limit));
  expect(complete.map((_, tried) => completeUpTo(chosen, tried))).toEqual(complete);
});

test('of no clients', () => {
  expect(completeUpTo(smallestClients([], 5), 0)).toBe(0);
});
