import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transform } from 'esbuild';
import { afterAll, expect, test } from 'vitest';
import { Instrumenter } from '../../scripts/instrument.js';

/** `npm run coverage` tells which functions no test enters: each function of a source, and those alone that were entered. */

const folder = mkdtempSync(join(tmpdir(), 'remora-coverage-'));
const log = join(folder, 'entered.log');
afterAll(() => rmSync(folder, { recursive: true }));

const SOURCE = `
class Point {
  constructor(readonly x: number) {}
  get double(): number { return this.x * 2; }
  never(): number { return this.x; }
  static at(x: number): Point;
  static at(x: number | string) { return new Point(Number(x)); }
}
class Far extends Point {
  constructor() { super(7); }
}
export const TABLE = { plus: (a: number) => (b: number) => ({ sum: a + b }), minus: (a: number) => -a };
async function* numbers(from = () => 1) { yield from(); }
function outer() {
  const inner = (): number => 2;
  const unused = (): number => 3;
  return [1].map((x) => x + inner());
}
export const result = [
  Point.at('4').double, new Far().x, TABLE.plus(1)(2).sum, (await numbers().next()).value, ...outer(), ...outer(),
];
`;

test('functions that are entered', async () => {
  const instrumenter = new Instrumenter(log);
  const instrumented = instrumenter.instrument('src/x.ts', SOURCE);
  const { code } = await transform(instrumented, { loader: 'ts', format: 'esm' });
  const file = join(folder, 'x.mjs');
  writeFileSync(file, code);
  const { result } = (await import(pathToFileURL(file).href)) as { result: unknown };
  expect(result).toEqual([8, 7, 3, 1, 3, 3]);
  const entered = readFileSync(log, 'utf8').trimEnd().split('\n').map(Number);
  expect(new Set(entered).size).toBe(entered.length);
  const { functions } = instrumenter;
  const named = functions.map(({ name, line }, id) =>
    [line, name, ...(entered.includes(id) ? [] : ['missed'])].join(' '),
  );
  expect(named).toEqual([
    '3 Point.constructor',
    '4 Point.double',
    '5 Point.never missed',
    '7 Point.at',
    '10 Far.constructor',
    '12 TABLE.plus',
    '12 TABLE.plus.?',
    '12 TABLE.minus missed',
    '13 numbers',
    '13 numbers.?',
    '14 outer',
    '15 outer.inner',
    '16 outer.unused missed',
    '17 outer.?',
  ]);
});
