import { describe, expect, test } from 'vitest';
import { STACK_TRACE, remora } from '../support/run.js';

/** Which files `remora refine` takes as clients. */

const refine = (...args: readonly string[]) => remora(['refine', ...args, '--jobs', '1']);

const NO_CLIENT = 'this is no client of a library: it has no `uses`';

describe('tests that are no clients', () => {
  test('are left out of a folder that has clients, with one notice', async () => {
    const { code, stdout, stderr } = await refine('loco-bal', 'corpus/loco');
    expect(stderr).toBe(
      'left out: corpus/loco/L2c.litmus and 4 more: no `uses`, so no client of a library\n',
    );
    expect(stdout).toMatch(/^ {2}Fig23 +2 of 2 outcomes; refines$/m);
    expect(stdout).not.toContain('L2c');
    expect(stdout).toMatch(/^16 clients, 0 do not refine; /m);
    expect(code).toBe(0);
  });

  test.each([
    ['named', ['corpus/loco/L2c.litmus', 'corpus/loco/Fig12.litmus'], NO_CLIENT],
    ['alone in a folder', ['corpus/fabrics'], `${NO_CLIENT}, and no other file here is one`],
  ])('are an error where they are %s', async (_, paths, message) => {
    const { code, stdout, stderr } = await refine('loco-bal', ...paths);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^corpus\/\S+\.litmus: /);
    expect(stderr.slice(stderr.indexOf(' ') + 1)).toBe(`${message}\n`);
    expect(stderr).not.toMatch(STACK_TRACE);
  });

  test('are clients of what needs no name, where polls take the place of waits', async () => {
    const { code, stdout, stderr } = await refine('loco-wait', 'corpus/loco/L2c.litmus');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^ {2}L2c +\d+ of \d+ outcomes?; refines$/m);
  });
});

test('an implementation of a library that a client does not use changes nothing', async () => {
  const { code, stdout } = await refine('loco-bal', 'corpus/loco/Fig5.litmus');
  expect(stdout).toMatch(/^ {2}Fig5 +3 of 3 outcomes; refines$/m);
  expect(code).toBe(0);
});
