import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { local } from '../support/local.js';
import { ROOT, remora } from '../support/run.js';

/** `remora refine --local`: local soundness (LOCO paper, Def. 3.13). */

/** Milliseconds. */
const TIMEOUT = 120_000;
const folder = mkdtempSync(join(tmpdir(), 'remora-local-'));
afterAll(() => rmSync(folder, { recursive: true }));

test(
  'a shared variable is locally sound (LOCO paper, Thms 3.15 and G.1, Fig. 25)',
  { timeout: TIMEOUT },
  async () => {
    const told = await local('loco-sv', '--limit', '80');
    expect([told.code, told.promise, told.departure]).toEqual([0, undefined, undefined]);
    expect(told.complete).toBeGreaterThanOrEqual(1);
  },
);

test.each([
  ['loco-ov', 60],
  ['loco-av', 60],
  ['rw-local', 60],
  ['loco-bal-sst --library bal-all', 20],
])('%s is, as far as it is tried', async (args, limit) => {
  const told = await local(...args.split(' '), '--limit', `${limit}`);
  expect([told.code, told.promise, told.departure]).toEqual([0, undefined, undefined]);
});

test('a barrier without fence is one that fences nothing, and no other (LOCO paper, Fig. 15)', async () => {
  const own = await local('loco-bal-unfenced', '--library', 'bal-unfenced', '--limit', '20');
  expect([own.code, own.promise, own.departure]).toEqual([0, undefined, undefined]);
  const fenced = await local('loco-bal-unfenced', '--limit', '20');
  expect([fenced.code, fenced.promise?.stamp]).toEqual([1, 'aGF(1)']);
});

/**
 * A mistake, and the stamp whose promise is broken; none: an order or an axiom. All are refuted by clients, too (libraries/broken): what is
 * not sound is not locally sound (LOCO paper, Thms 3.14 and E.3, the other way round).
 */
const BROKEN: readonly (readonly [args: string, stamp?: string])[] = [
  ['av-cpu-at-home', 'aNAR(1)'],
  ['av-load-gets', 'aNAR(1)'],
  ['av-store-puts', 'aNAR(1)'],
  ['bal-late-fence'],
  ['bal-no-waiting'],
  ['bal-too-early'],
  ['msw-any-hash --objects 1'],
  ['msw-get-nobody --objects 1'],
  ['msw-no-hash --objects 1'],
  ['msw-wait-nothing --objects 1'],
  ['rbl-early-acknowledgement --library rbl-repaired --set S=2 --objects 1 --values 2'],
  ['rbl-head-first --library rbl-repaired --set S=2'],
  ['rbl-no-space --library rbl-repaired --set S=2 --objects 1 --values 2'],
  ['sv-fence-no-wait', 'aGF(1)'],
  ['sv-fence-puts', 'aGF(1)'],
  ['sv-wait-nothing'],
];

test.concurrent.each(BROKEN)('%s is not', { timeout: TIMEOUT }, async (args, stamp) => {
  const [name, ...options] = args!.split(' ');
  const told = await local(`corpus/broken/${name}.impl`, ...options);
  expect([told.code, told.promise?.stamp]).toEqual([1, stamp]);
  expect(told.departure === undefined).toBe(stamp !== undefined);
});

test('LOCO paper, Thms 5.3 and G.7: a thread must not receive what it submitted', async () => {
  const told = await local('loco-rbl');
  expect([told.code, told.departure?.outcome]).toEqual([1, 'a1 = 1, a2 = 1']);
  expect(told.text).toMatch(/writer T1; reader T1[^]*rbl\.submit[^]*rbl\.receive/);
});

test('a mark of no stamp is a mistake', async () => {
  const path = join(folder, 'wrong.impl');
  const right = readFileSync(join(ROOT, 'models/lib/impl/loco-sv.impl'), 'utf8');
  writeFileSync(path, right.replace('as aGF', 'as aGFF'));
  const { code, stderr } = await remora(['refine', '--local', path], { cwd: ROOT });
  expect(code).toBe(2);
  const [first, ...rest] = stderr.split('\n');
  expect(first).toMatch(/wrong\.impl:16:81: no stamp 'aGFF'$/);
  expect(rest.join('\n')).toMatch(/\| +\^{4} {2}did you mean 'aGF'\?\n$/);
});

test('it makes its own clients', async () => {
  const { code, stderr } = await remora(['refine', '--local', 'loco-bal', 'corpus/loco']);
  expect([code, stderr.split('\n')[0]]).toEqual([
    2,
    'error: --local takes implementation files alone, and makes its own clients',
  ]);
});
