import { expect, test } from 'vitest';
import { ROOT, remora } from '../support/run.js';

/** Milliseconds. It takes two minutes where nothing else runs. */
const TIMEOUT = 480_000;

/** The mistake that `local.test.ts` is without, since it takes so long to be found. */
test('a ring buffer that waits for nobody is not locally sound', { timeout: TIMEOUT }, async () => {
  const asked = ['--library', 'rbl-repaired', '--set', 'S=4', '--objects', '1', '--values', '2'];
  const path = 'corpus/broken/rbl-no-wait.impl';
  const { code, stdout } = await remora(['refine', '--local', path, ...asked, '--json'], {
    cwd: ROOT,
    limit: TIMEOUT,
  });
  const told = JSON.parse(stdout) as { readonly departure?: object; readonly promise?: object };
  expect([code, typeof told.departure, told.promise]).toEqual([1, 'object', undefined]);
});
