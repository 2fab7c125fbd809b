import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { remora } from '../support/run.js';

/**
 * Sums of what an operation reads once for each node. One thread calls operations one after the other, so that each sum
 * can be added up by hand.
 */

const LIBRARY = `library cells "Cells that all can write, and sums of them"
include "stamps.cat"
object x : copied
operation set(object x, node n, value v) : aCAS writes x[n] := v
operation all(object x)
  | = sum(v) : for n in nodes { aCR reads x[n] as v }
operation nested(object x)
  | = sum(v) + 100 * sum(w) : for n in nodes { aCR reads x[n] as v, for m in nodes { aCR reads x[m] as w } }
operation twice(object x)
  | = sum(v) : for n in {here} { aCR reads x[n] as v }, for n in nodes { aCR reads x[n] as v }
operation nobody(object x)
  | = 7 + sum(v) : for n in nodes \\ nodes { aCR reads x[n] as v }, aWT
operation large(object x)
  | = true : for n in nodes { aCR reads x[n] as v } when sum(v) > 9
  | = false : for n in nodes { aCR reads x[n] as v } when sum(v) <= 9
operation move(object x) : for n in {here} { for m in nodes { aCR reads x[m] as v } ; aCAS writes x[n] := sum(v) }
let rb = (rf^-1 ; mo) \\ id
let so = rf | mo | rb
`;

const CLIENT = `RDMA sums
uses cells
node 1 {}
node 2 {}
node 3 {}
cells x
thread T on 1 {
  cells.set(x, 1, 2); cells.set(x, 2, 3); cells.set(x, 3, 4);
  a := cells.all(x); b := cells.nested(x); c := cells.twice(x); e := cells.nobody(x); f := cells.large(x);
  cells.move(x); g := cells.all(x); h := cells.large(x)
}
`;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'remora-sums-'));
  writeFileSync(join(folder, 'cells.cat'), LIBRARY);
  writeFileSync(join(folder, 'sums.litmus'), CLIENT);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** `nested` has each cell once as `v`, and all cells for each of three nodes as `w`; `twice` has that of node 1 twice. */
const REGISTERS = { a: 9, b: 9 + 100 * (3 * 9), c: 2 + 9, e: 7, f: 0, g: 9 + 3 + 4, h: 1 };
const STATE = { ...REGISTERS, 'x[1]': 9, 'x[2]': 3, 'x[3]': 4 };

test.each(['smt', 'search', 'enumerate'])('sums, by %s', async (engine) => {
  const args = ['outcomes', 'sums.litmus', '--engine', engine, '--json'];
  const { code, stdout, stderr } = await remora(args, { cwd: folder });
  expect([code, stderr]).toEqual([0, '']);
  expect((JSON.parse(stdout) as { states: unknown }).states).toEqual([STATE]);
});
