import { expect, test } from 'vitest';
import { distribute } from '../../src/rdma/distribute/distribute.js';
import { litmus, verdicts } from '../support/checker.js';

/** Programs over shared memory with atomics, as clients of a server that leaves their locations alone. */

const PROGRAMS: readonly (readonly [string, string])[] = [
  [
    'one of two wins',
    `thread A on 1 { a := CAS(x, 0, 1) } thread B on 1 { b := CAS(x, 0, 2) }
     thread S on 1 {} exists (a = 0 /\\ b = 0) exists (a = 0 /\\ b = 1) exists (a = 2 /\\ x = 2) exists (x = 1)`,
  ],
  [
    'no addition is lost',
    `thread A on 1 { a := faa(x, 1) } thread B on 1 { b := faa(x, 2) }
     thread S on 1 {} forall (x = 3) exists (a = 2 /\\ b = 0) exists (a = 0 /\\ b = 0)`,
  ],
  [
    'an exchange gives what the other one wrote, or 0',
    `thread A on 1 { a := xchg(x, 1) } thread B on 1 { b := xchg(x, 2) }
     thread S on 1 {} exists (a = 0 /\\ b = 0) exists (a = 0 /\\ b = 1 /\\ x = 2) exists (a = 2 /\\ x = 2)`,
  ],
  [
    'a lock keeps its data, in an operand that was loaded, too',
    `thread A on 1 { a := CAS(x, 0, 1); if (a = 0) { y := 5; x := 0 } }
     thread B on 1 { b := CAS(x, 0, 1); if (b = 0) { c := y; d := faa(z, c + 1) } }
     thread S on 1 {} exists (a = 0 /\\ b = 0 /\\ z = 1) exists (a = 0 /\\ b = 0 /\\ z = 6) exists (b = 1 /\\ z != 0)`,
  ],
  [
    'stores before an atomic come before it',
    `thread A on 1 { y := 1; a := faa(x, 1) } thread B on 1 { b := x; c := y }
     thread S on 1 {} exists (b = 1 /\\ c = 0) exists (b = 1 /\\ c = 1)`,
  ],
  [
    'an old value goes into shared memory, and into a register that is loaded elsewhere',
    `thread A on 1 { y := CAS(x, 0, 1); r := z; r := faa(x, r + 1) } thread B on 1 { b := y }
     thread S on 1 {} exists (A:r = 1 /\\ y = 0 /\\ x = 2) exists (b = 1) exists (x = 1)`,
  ],
];

test.each(PROGRAMS)('%s', (_, text) => {
  const source = `RDMA t node 1 { x = 0; y = 0; z = 0 } ${text}`;
  const made = distribute(litmus(source), 3);
  if (!made.ok) throw new Error(made.errors[0].message);
  expect(made.value).not.toMatch(/CAS|:= (faa|xchg)/);
  const expected = verdicts(source, 'sc');
  expect(new Set(expected).size).toBeGreaterThan(1);
  for (const model of ['sc', 'rdma-sc', 'rdma-tso']) {
    expect(verdicts(made.value, model)).toEqual(expected);
  }
});
