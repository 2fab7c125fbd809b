import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { totalmem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { defaultMemory } from '../../src/node/memory.js';
import { remora, remoraProcess } from '../support/run.js';

/** `--memory`: what takes more is unknown, and the rest is decided. */

const folder = mkdtempSync(join(tmpdir(), 'remora-memory-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A machine of four threads that has too many states for any memory. */
const LARGE = `RDMA large
node 1 { x = 0; y = 0; z = 0; w = 0 }
node 2 { u = 0; v = 0; s = 0; t = 0 }
thread A on 1 { loop { x := 1; u^2 := x; y := 2; v^2 := y } }
thread B on 1 { loop { z := 1; s^2 := z; w := 2; t^2 := w } }
thread C on 2 { loop { a := u; b := v; u := 5; z^1 := u } }
thread D on 2 { loop { c := s; d := t; t := 3; y^1 := t } }
deadlock
`;
const SMALL = 'RDMA small node 1 { x = 0 } thread T on 1 { loop { x := 1 } } deadlock\n';

describe('--memory', () => {
  test('what takes more is unknown, and the next program is decided', async () => {
    writeFileSync(join(folder, 'large.litmus'), LARGE);
    writeFileSync(join(folder, 'small.litmus'), SMALL);
    const args = ['explore', 'large.litmus', 'small.litmus', '-m', 'rdma-tso'];
    const { code, stdout } = await remoraProcess([...args, '--memory', '256', '--jobs', '1'], {
      cwd: folder,
    });
    expect(code).toBe(3);
    expect(stdout).toContain('    unknown: memory limit of 256 MiB reached\n');
    expect(stdout).toMatch(/small under rdma-tso\n {2}no deadlock\n {4}holds/);
  });

  test.each(['5', '255', '1e3', '-1'])('%s is no size', async (size) => {
    const { code, stderr } = await remora(['check', 'any.litmus', '--memory', size]);
    expect(code).toBe(2);
    expect(stderr).toContain(
      `error: option '--memory <MiB>' argument '${size}' is invalid. a whole number from 256 is needed.`,
    );
  });

  test('is most of what there is where nothing is said, and never more', () => {
    const machine = totalmem() / 2 ** 20;
    const container = process.constrainedMemory() / 2 ** 20;
    const there = container > 0 ? Math.min(machine, container) : machine;
    expect(defaultMemory()).toBeLessThan(there);
    expect(defaultMemory()).toBeGreaterThan(there / 2);
  });
});
