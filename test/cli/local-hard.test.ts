import { expect, test } from 'vitest';
import { local } from '../support/local.js';
import { ALL } from '../support/random.js';

/** What takes longest of local soundness, and by hand what takes a minute or more; the rest is in `local.test.ts`. */

/** Milliseconds. The hardest takes two minutes where nothing else runs. */
const TIMEOUT = 480_000;

/** A shipped implementation, and the largest clients that are all tried. */
const RIGHT: readonly (readonly [args: string, complete: number])[] = [
  ['loco-bal', 4],
  ['loco-bal-all --library bal-all', 4],
  ['loco-msw --objects 1 --limit 60', 1],
  ['loco-rbl --library rbl-repaired --set S=2 --objects 1 --limit 60', 2],
];

test.concurrent.each(RIGHT.slice(0, ALL ? undefined : 2))(
  '%s is locally sound',
  { timeout: TIMEOUT },
  async (args, complete) => {
    const told = await local(...args.split(' '));
    expect([told.code, told.promise, told.departure]).toEqual([0, undefined, undefined]);
    expect(told.complete).toBeGreaterThanOrEqual(complete);
  },
);

test.runIf(ALL)('a ring buffer that waits for nobody is not', { timeout: TIMEOUT }, async () => {
  const asked = ['--library', 'rbl-repaired', '--set', 'S=4', '--objects', '1', '--values', '2'];
  const { code, departure, promise } = await local('corpus/broken/rbl-no-wait.impl', ...asked);
  expect([code, typeof departure, promise]).toEqual([1, 'object', undefined]);
});
