import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, remora } from '../support/run.js';

/** Queue pairs that may break, on the machines of model files: what fails is chosen when a call begins. */

const explored = (body: string) =>
  remora(['explore', '-'], {
    input: `RDMA t
node 1 { a = 0; b = 5 }
node 2 { x = 0; y = 0 }
qp p : T -> 2 [fallible]
qp q : T -> 2 [fallible]
cq c { q }
thread T on 1 { ${body} }
deadlock
`,
  });

test.each([
  [
    'what is behind a failure is flushed',
    'x^2.p := 1; y^2.p := 2; s := poll(2.p); t := poll(2.p); assert(s = 0 || t = 2)',
  ],
  [
    'what is before it is not',
    'x^2.p := 1; y^2.p := 2; s := poll(2.p); t := poll(2.p); assert(t != 2 || s = 1)',
  ],
  ['nothing is flushed without a failure', 'x^2.p := 1; s := poll(2.p); assert(s != 2)'],
  [
    'a queue pair fails once',
    'x^2.p := 1; s := poll(2.p); x^2.p := 1; t := poll(2.p); assert(s != 1 || t != 1)',
  ],
  [
    'other queue pairs go on',
    'x^2.p := 1; s := poll(2.p); x^2.q := 1; t := poll(c); assert(t != 2)',
  ],
])('%s', async (_, body) => {
  const { code, stdout } = await explored(body);
  expect(stdout).toContain('assertions\n    holds');
  expect(code).toBe(0);
});

test.each([
  [
    'work behind a failure',
    'x^2.p := 1; y^2.p := 2; s := poll(2.p); t := poll(2.p); assert(t != 2)',
  ],
  [
    'what fails may have taken effect',
    'x^2.p := 1; s := poll(2.p); a := x^2.q; u := poll(c); r := a; assert(s = 0 || r = 0)',
  ],
  [
    'or not',
    'x^2.p := 1; s := poll(2.p); a := x^2.q; u := poll(c); r := a; assert(s = 0 || u != 0 || r = 1)',
  ],
  ['each work may fail', 'x^2.p := 1; s := poll(2.p); x^2.p := 1; t := poll(2.p); assert(t != 1)'],
])('may be otherwise: %s', async (_, body) => {
  const { stdout } = await explored(body);
  expect(stdout).toContain('assertions\n    fails');
});

test('a run in words', async () => {
  const { stdout } = await explored(
    'x^2.p := 1; y^2.p := 2; s := poll(2.p); t := poll(2.p); assert(s != 1)',
  );
  const lines = stdout.split('\n').map((line) => line.trim());
  const at = (line: string): number => lines.indexOf(line);
  expect(at('T->2.p: x^2.p := 1 fails')).toBeGreaterThan(at('T posts x^2.p := 1'));
  expect(at('T->2.p: y^2.p := 2 is flushed')).toBeGreaterThan(at('T->2.p: x^2.p := 1 fails'));
  expect(at('T polls a failure from queue pair 2.p')).toBeGreaterThan(0);
  expect(at('T polls flushed work from queue pair 2.p')).toBeGreaterThan(at('T sets s = 1'));
});

test('of several threads, there is none', async () => {
  const { stdout, stderr } = await remora([
    'check',
    '--engine',
    'operational',
    join(ROOT, 'corpus/fabrics/fail-shared.litmus'),
  ]);
  expect(stdout + stderr).toContain(
    'an axiom rules out a call by what is not before it in its thread',
  );
  expect(stdout).not.toMatch(/allowed|forbidden/);
});
