import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { Run } from '../support/run.js';
import { ROOT, remora, withoutTimes } from '../support/run.js';

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
const NOW = SB.replace(
  '  computed allowed under sc, rdma-tso-nopcie   # to be seen\n',
  '  computed forbidden under sc\n  computed allowed under rdma-tso-nopcie   # to be seen\n',
);

const FILE = join(folder, 'sb.litmus');
beforeEach(() => writeFileSync(FILE, SB));
const read = (): string => readFileSync(FILE, 'utf8');
const update = (...args: string[]): Promise<Run> =>
  remora(['test', ...args, '--update', '--jobs', '1'], { cwd: folder });

describe('--update', () => {
  test('rewrites computed lines, shows the difference, and then all is as expected', async () => {
    const first = await update('sb.litmus');
    expect(read()).toBe(NOW);
    expect(first.stdout).toContain(`\
--- sb.litmus
+++ sb.litmus
@@ -7,4 +7,5 @@
 
 exists (a = 0 /\\ b = 0)   # both old
   expect allowed under rdma-tso "paper"
-  computed allowed under sc, rdma-tso-nopcie   # to be seen
+  computed forbidden under sc
+  computed allowed under rdma-tso-nopcie   # to be seen
`);
    expect(first.stdout).toMatch(/^1 test, 6 verdicts, 0 unknown; .* held.*, 0 failed; /m);
    expect([first.stderr, first.code]).toEqual(['', 0]);

    const second = await update('sb.litmus');
    expect(second.stdout).not.toContain('+++');
    expect(read()).toBe(NOW);
    expect(readdirSync(folder)).toEqual(['sb.litmus']);
  });

  test('only models of the run are decided', async () => {
    await update('sb.litmus', '-m', 'rdma-tso,rdma-tso-nopcie');
    expect(read()).toBe(SB);
  });

  test('what is published or claimed stays, and departs', async () => {
    cpSync(join(ROOT, 'test/files/departing/wrong.litmus'), FILE);
    const before = read();
    const { code, stdout } = await update('sb.litmus', '-m', 'sc,rdma-tso');
    expect(read()).toBe(before.replace('computed allowed', 'computed forbidden'));
    expect(stdout).toContain('published as forbidden');
    expect(stdout).toMatch(/, 4 failed; /);
    expect(code).toBe(1);
  });

  test('an unknown verdict is not written', async () => {
    const { code } = await update('sb.litmus', '--engine', 'smt', '--time-limit', '0.001');
    expect(read()).toBe(SB);
    expect(code).toBe(3);
  });

  test('what is known up to the loop bound only is not written, and the report says so', async () => {
    const file = join(folder, 'up.litmus');
    const text = `RDMA up
node 1 { x = 0 }
thread T1 on 1 { i := 0; a := x; while (a = 0) { a := x; i := i + 1 } }
thread T2 on 1 { x := 1 }
exists (i = 5)
  computed allowed under sc
forall (i != 5)
  computed fails under sc
exists (i = 1)
  computed forbidden under sc
`;
    const right = text.replace('computed forbidden', 'computed allowed');
    writeFileSync(file, text);
    const { code, stdout } = await update('up.litmus', '-m', 'sc');
    expect(readFileSync(file, 'utf8')).toBe(right);
    const runs = 'for runs with at most 3 iterations of each loop';
    expect(stdout).toContain(`under sc: forbidden ${runs}, expected allowed\n`);
    expect(stdout).toContain(`under sc: holds ${runs}, expected fails\n`);
    expect(code).toBe(1);
    const far = await update('up.litmus', '-m', 'sc', '--bound', '6');
    expect([far.code, readFileSync(file, 'utf8')]).toEqual([0, right]);
    rmSync(file);
  });

  test('a link stays a link, and a file keeps its rights', async () => {
    chmodSync(FILE, 0o640);
    const link = join(folder, 'link.litmus');
    symlinkSync('sb.litmus', link);
    await update('link.litmus');
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(read()).toBe(NOW);
    expect(statSync(FILE).mode & 0o777).toBe(0o640);
    rmSync(link);
  });

  test.skipIf(process.getuid?.() === 0)(
    'a file that cannot be written is one message',
    async () => {
      chmodSync(FILE, 0o444);
      const { code, stderr } = await update('sb.litmus');
      expect(stderr).toBe('sb.litmus: is not updated: it cannot be written (EACCES)\n');
      expect([read(), code]).toEqual([SB, 2]);
    },
  );

  test('the corpus is as it would be computed', async () => {
    const corpus = join(folder, 'corpus');
    cpSync(join(ROOT, 'corpus/loco'), corpus, { recursive: true });
    const { stdout } = await update('corpus');
    expect(stdout).not.toContain('+++');
    const report = withoutTimes((await remora(['test', 'corpus'], { cwd: folder })).stdout);
    expect(withoutTimes(stdout)).toBe(report);
    rmSync(corpus, { recursive: true });
  });
});
