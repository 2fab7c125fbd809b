import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { remora } from '../support/run.js';

test('the corpus that comes with Remora is read where it is asked for', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'remora-shipped-'));
  const args = ['test', '--shipped', '--grep', '^SB1$', '-m', 'sc'];
  const { code, stdout } = await remora(args, { cwd });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^1 test,/m);
  rmSync(cwd, { recursive: true });
});
