import { expect, test } from 'vitest';
import { remora } from '../support/run.js';

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
