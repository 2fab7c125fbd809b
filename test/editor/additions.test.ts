import { expect, test } from 'vitest';
import type { PrintedRepair } from '../../src/analyses/repair/print.js';
import { fix } from '../../src/analyses/repair/fix.js';
import { edited, editsFor } from '../../src/editor/additions.js';
import { DEFAULT_COSTS } from '../../src/rdma/additions.js';
import { adapted, litmus, modelsOf, newSolver, verdicts } from '../support/checker.js';

/** Edits that write a repair into a file. Those of additions are tested with the language server. */

function repairOf(text: string, model: string): Extract<PrintedRepair, { kind: 'found' }> {
  const models = modelsOf({ models: model });
  const found = fix(
    { test: adapted(litmus(text), models[0]), query: 0, costs: DEFAULT_COSTS },
    {
      models,
      newSolver,
      acyclicity: 'elimination',
      deadline: performance.now() + 20_000,
    },
  );
  if (found.kind !== 'additions' || found.repair.kind !== 'found') throw new Error('no repair');
  return found.repair;
}

test.each([
  ['a tag is added', 'rdma-ro', 'f = 0', 'f = 0 [strict]'],
  ['a tag is taken away', 'rdma-ro-tagged', 'f = 0 [relaxed]', 'f = 0'],
  ['a tag is exchanged, and the rest stays', 'rdma-ro', 'f  =0[relaxed]', 'f  =0 [strict]'],
  ['a family has its tag once', 'rdma-ro', 'f[0..1] = 0; g = 0', 'f[0..1] = 0 [strict]; g = 0'],
])('%s', (_, model, before, after) => {
  const flag = before.startsWith('f[') ? 'f[1]' : 'f';
  const withFlag = (declared: string): string => `RDMA t
node 1 {}
node 2 { x = 0; ${declared} }  # both
thread T1 on 1 { x^2 := 1; ${flag}^2 := 1 }
thread T2 on 2 { a := ${flag}; b := x }
exists (a = 1 /\\ b = 0)
`;
  const text = withFlag(before);
  const repair = repairOf(text, model);
  const written = edited(text, editsFor({ path: 'case.litmus', text }, repair));
  expect(written).toBe(withFlag(after));
  expect(verdicts(written, modelsOf({ models: model })[0])).toEqual(['forbidden']);
});

test.each([
  [
    'a call loses a tag, and its other tags and indices stay',
    'rdma-manpage',
    `RDMA t
node 1 { x = 0 }
node 2 { r[0..1] = 0 }
thread T on 2 { x^1.a :=[inline]  [unsignalled] 1; r[1] := x^1.b; poll(1.b); s := r[1] }
exists (s = 0)`,
    `RDMA t
node 1 { x = 0 }
node 2 { r[0..1] = 0 }
thread T on 2 { x^1.a :=[inline] 1; poll(1.a); r[1] := x^1.b; poll(1.b); s := r[1] }
exists (s = 0)`,
  ],
  [
    'a location and a queue pair with tags are added',
    'rdma-nics',
    `RDMA t
node 1 {}
node 2 { d = 0 [gpu]; f = 0 }
qp a : T1 -> 2 [nearA][farA]
thread T1 on 1 { d^2.a := 1; f^2.a := 1 }
thread T2 on 2 { r := f; s := d }
exists (r = 1 /\\ s = 0)`,
    `RDMA t
node 1 {}
node 2 { d = 0 [gpu]; f = 0; flush2_gpu = 0 [gpu] }
qp a : T1 -> 2 [nearA][farA]
qp nicA : T2 -> 2 [nearA] [farA]
thread T1 on 1 { d^2.a := 1; f^2.a := 1 }
thread T2 on 2 { r := f; flushed2_nicA_gpu := flush2_gpu^2.nicA; poll(2.nicA); s := d }
exists (r = 1 /\\ s = 0)`,
  ],
  [
    'a poll gets a register, and its status is tested in a branch; another poll in a loop has one',
    'rdma-manpage',
    `RDMA t
node 1 {}
node 2 { x = 0; y = 0; f = 0 }
qp a : T1 -> 2 [fallible]
thread T1 on 1 {
  i := 1;
  if (i = 1) { x^2.a := 1; poll(2.a); f^2.b := 1; poll(2.b) };
  while (i = 1) bound 2 { i := 2; y^2.a := 1; s := poll(2.a); f^2.b := 2 }  # both
}
thread T2 on 2 { r := f; p := x; q := y }
exists ((r = 1 /\\ p = 0) \\/ (r = 2 /\\ q = 0))`,
    `RDMA t
node 1 {}
node 2 { x = 0; y = 0; f = 0 }
qp a : T1 -> 2 [fallible]
thread T1 on 1 {
  i := 1;
  if (i = 1) { x^2.a := 1; status := poll(2.a); if (status = 0) { f^2.b := 1; poll(2.b) } };
  while (i = 1) bound 2 { i := 2; y^2.a := 1; s := poll(2.a); if (s = 0) { f^2.b := 2 } }  # both
}
thread T2 on 2 { r := f; p := x; q := y }
exists ((r = 1 /\\ p = 0) \\/ (r = 2 /\\ q = 0))`,
  ],
  [
    'a flush and the test of its status, once for a family',
    'rdma-tso',
    `RDMA t
node 1 {}
node 2 { x = 0; f = 0 }
qp a : T1 -> 2 [fallible]
threads T[i in 1..1] on 1 { x^2.a := 1; poll(2.a); f^2.b := 1 }
thread U on 2 { r := f; p := x }
exists (r = 1 /\\ p = 0)`,
    `RDMA t
node 1 {}
node 2 { x = 0; f = 0; flush2 = 0 }
qp a : T1 -> 2 [fallible]
threads T[i in 1..1] on 1 { x^2.a := 1; poll(2.a); flushed2_a := flush2^2.a; status := poll(2.a); if (status = 0) { f^2.b := 1 } }
thread U on 2 { r := f; p := x }
exists (r = 1 /\\ p = 0)`,
  ],
])('%s', (_, model, text, expected) => {
  const written = edited(text, editsFor({ path: 'case.litmus', text }, repairOf(text, model)));
  expect(written).toBe(expected);
  expect(verdicts(written, modelsOf({ models: model })[0])).toEqual(['forbidden']);
});
