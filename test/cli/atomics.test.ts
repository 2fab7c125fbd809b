import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { remora } from '../support/run.js';

/** Commands with a program that has remote atomics: what each does, or why not. */

const folder = mkdtempSync(join(tmpdir(), 'atomics-'));
const path = join(folder, 'told.litmus');
writeFileSync(
  path,
  `RDMA told
node 1 { f = 0 }
node 2 { x = 0 }
thread A on 1 { a := rfaa(x^2, 1); poll(2); f := 1 }
thread B on 2 { b := f^1; poll(1); c := x; r := faa(x, 0); r := xchg(x, r) }
exists (b = 1 /\\ c = 0)
`,
);

test.each([
  [['robust', path, '--explore'], 'proofs of robustness do not know the operation `rfaa`'],
  [['robust', path, '--static'], 'the static conditions for robustness do not know the operation'],
  [['export', '--promela', path], 'proofs of robustness do not know the operation `rfaa`'],
  [['distribute', path, '--server', '1'], 'on several nodes already'],
])('%j is refused, with the place', async (args, message) => {
  const { code, stderr } = await remora(args);
  expect(stderr).toContain(message);
  expect(stderr).toMatch(/told\.litmus:(4:17: .*\n4 \| thread A on 1 \{ a := rfaa|1:1: )/);
  expect(stderr).not.toContain('internal error');
  expect(code).toBe(2);
});

test.each([
  [['outcomes', path], 0, 'b = 1  c = 0   (1)'],
  [['outcomes', '--herd', path], 0, 'Test told Allowed'],
  [['compare', 'rdma-tso', 'rdma-tso-late', path], 0, '1 of 1 verdicts differ'],
  [['export', '--smtlib', path], 0, '; told'],
  [['test', '--json', path], 0, '"verdict":"allowed"'],
  [['explain', '--fix', '-m', 'rdma-wait', path], 0, 'wait(flush2)'],
  [['robust', path], 1, 'nrW(x, 1)  atomic →'],
] as const)('%j answers', async (args, code, text) => {
  const run = await remora([...args]);
  expect(run.stderr).toBe('');
  expect(run.stdout).toContain(text);
  expect(run.code).toBe(code);
});

test('a report has a page of it', async () => {
  const out = join(folder, 'site');
  const { code } = await remora(['report', path, '--out', out]);
  expect(code).toBe(0);
  expect(existsSync(join(out, 'tests', 'told.html'))).toBe(true);
});
