import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ROOT, remora } from '../support/run.js';

/**
 * A shared queue (LOCO paper, section 2.2): the ring refines its specification, and what breaks where a check is left out
 * (docs/libraries.md).
 */

const FOLDER = 'corpus/broken/queue';

const client = (name: string): string => `corpus/libraries/queue-${name}.litmus`;
const refine = async (...args: readonly string[]) =>
  await remora(['refine', ...args], { cwd: ROOT });

/** A client that shows the mistake, an outcome that the specification forbids, and the size of the ring where 2 is too large. */
const BROKEN: Readonly<Record<string, readonly [client: string, outcome: RegExp, S?: number]>> = {
  // What was put in is lost: the cell is not marked as that of a dequeuer who found nothing.
  'no-rounds': ['empty', /a = none, b = 1, c = none/],
  // The own value is in the second cell, and only the first one was looked at.
  'no-tail': ['slow', /b = 1,.* c = none/],
  // Both have the only cell, in two rounds. Taken in the wrong one, 1 is no value.
  'no-turn': ['turn', /a = 1, b = -7, c = 15/, 1],
  // The queue is told to be empty by a cell that was not read yet.
  'no-wait': ['told', /a = 1, b = 1, c = none/],
  // The put has been received, and is not in the cell.
  puts: ['told', /a = 1, b = 1, c = none/],
};

test('each has a client', () => {
  expect(readdirSync(FOLDER)).toEqual(Object.keys(BROKEN).map((name) => `${name}.impl`));
});

test.each(Object.entries(BROKEN))('%s is refuted', async (name, [by, outcome, S = 2]) => {
  const set = ['--set', `S=${S}`];
  const broken = await refine(`${FOLDER}/${name}.impl`, ...set, client(by));
  expect([broken.code, broken.stderr]).toEqual([1, '']);
  expect(broken.stdout).toMatch(/ does not refine\n/);
  expect(broken.stdout).toMatch(outcome);
  const right = await refine('ring-queue', ...set, client(by));
  expect([right.code, right.stderr]).toEqual([0, '']);
});

test('with more attempts, what is put in behind a dequeuer who found nothing is found', async () => {
  const { stdout } = await refine('ring-queue', '--set', 'A=2', client('empty'), '--json');
  expect(JSON.parse(stdout)).toMatchObject({ verdict: 'refines', specified: 2, implemented: 1 });
});

test('stamps are kept; the moment of a call is no single event', async () => {
  const bounds = ['--objects', '1', '--values', '1'];
  const one = ['--set', 'D=1', '--calls', '1', ...bounds];
  const { code, stdout } = await refine('--local', 'ring-queue', ...one);
  expect(code).toBe(0);
  expect(stdout).toMatch(/stamp promises of 12 calls are kept[^]*orders and axioms are kept/);
  const two = ['--set', 'D=2', '--calls', '2', ...bounds];
  const more = await refine('--local', 'ring-queue', ...two);
  expect(more.code).toBe(1);
  expect(more.stdout).toMatch(/stamps are kept, and an order of queue is not/);
});
