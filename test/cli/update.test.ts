import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { Run } from '../support/run.js';
import { remora } from '../support/run.js';

const folder = mkdtempSync(join(tmpdir(), 'remora-update-'));
afterAll(() => rmSync(folder, { recursive: true }));

const SB = `RDMA sb
# a comment

node 1 { x = 0; y = 0 }
thread T1 on 1 { x := 1; a := y }
thread T2 on 1 { y := 1; b := x }

exists (a = 0 /\\ b = 0)   # both old
  expect allowed under rdma-tso "paper"
  computed allowed under sc, rdma-tso-nopcie   # to be seen
`;

const FILE = join(folder, 'sb.litmus');
beforeEach(() => writeFileSync(FILE, SB));
const read = (): string => readFileSync(FILE, 'utf8');
const update = (...args: string[]): Promise<Run> =>
  remora(['test', ...args, '--update', '--jobs', '1'], { cwd: folder });

describe('--update', () => {
  test.skipIf(process.getuid?.() === 0)(
    'a file that cannot be written is one message',
    async () => {
      chmodSync(FILE, 0o444);
      const { code, stderr } = await update('sb.litmus');
      expect(stderr).toBe('sb.litmus: is not updated: it cannot be written (EACCES)\n');
      expect([read(), code]).toEqual([SB, 2]);
    },
  );
});
