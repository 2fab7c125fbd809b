import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, remora } from '../support/run.js';

/** What knows nothing of shared queues and of messages says so, and gives no answer. */

const STEAL = 'corpus/fabrics/sh-steal.litmus';
const MESSAGE = 'corpus/fabrics/msg-mp.litmus';

test.each([
  ['check', '--engine', 'simplified'],
  ['check', '--engine', 'six-buffers'],
  ['robust', '--explore'],
  ['robust', '--static'],
  ['distribute', '--server', '2'],
])('shared queue pairs: %s %s %s', async (...args) => {
  const { code, stdout, stderr } = await remora([...args, STEAL]);
  expect(code).toBe(2);
  // Beside the conditions, executions are looked at.
  if (!args.includes('--static')) expect(stdout).toBe('');
  expect(stderr).toContain('do not know queue pairs and completion queues that several share');
});

const FABRICS = join(ROOT, 'corpus/fabrics');
const isOrdered = /^(?:sh|cq|ooo|nic-(?:lanes|two|answers)|srd|un)-.*litmus$/;
const ordered = readdirSync(FABRICS).filter((file) => isOrdered.test(file));

// Which of two steps came first has to be remembered, and how many completions are in a queue.
test.each(['rdma-tso', 'rdma-nics'])(
  'machines and executions agree where queues are shared, under %s',
  async (model) => {
    expect(ordered.length).toBeGreaterThan(40);
    const files = ordered.map((file) => join(FABRICS, file));
    const engines = ['--engine', 'search,operational'];
    const { stdout } = await remora(['agree', '-m', model, ...engines, ...files]);
    expect(stdout).toContain('no disagreement');
    expect(Number(/agree on (\d+) programs/.exec(stdout)![1])).toBeGreaterThan(25);
  },
);

test.each(['simplified', 'six-buffers'])('messages: check --engine %s', async (engine) => {
  const { code, stderr } = await remora(['check', '--engine', engine, MESSAGE]);
  expect(code).toBe(2);
  expect(stderr).toContain('the machines do not know the operation `send`');
});

test('messages: robustness compares with SC, which has none', async () => {
  const { code, stderr } = await remora(['robust', MESSAGE]);
  expect(code).toBe(2);
  expect(stderr).toContain('sc has no operation `send`');
});
