import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FABRIC_MODELS } from '../../src/model/fabrics.js';
import { ALL } from '../support/random.js';
import type { Run } from '../support/run.js';
import { STACK_TRACE, remora } from '../support/run.js';

/** The page of a site that says on which fabrics programs are safe. */

const CORPUS = 'corpus/fabrics';
const CLIENT = 'corpus/loco/Fig5.litmus';

/** Tests of fabrics: all, or some that are quick. */
let some: string;

let folder: string;
let run: Run;

const report = (...args: readonly string[]): Promise<Run> => remora(['report', ...args]);
const pageOf = (site: string): string => readFileSync(join(folder, site, 'fabrics.html'), 'utf8');

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'remora-fabrics-'));
  some = join(folder, 'fabrics');
  mkdirSync(some);
  // Explanations of failures take seconds each.
  const isQuick = (file: string, i: number): boolean => !file.startsWith('fail-') && i % 15 === 0;
  const files = readdirSync(CORPUS).filter((file, i) => ALL || isQuick(file, i));
  for (const file of files) copyFileSync(join(CORPUS, file), join(some, file));
  const models = ['-m', 'rdma-tso,rdma-ro,sc'];
  run = await report(some, CLIENT, ...models, '--fabrics', some, '--out', join(folder, 'site'));
});

afterAll(() => rmSync(folder, { recursive: true }));

const MARKS: Readonly<Record<string, string>> = { allowed: '●', forbidden: '○' };
/** The model has no operation that the test calls. */
const NONE = '–';

/** The rows of the page: the test, the marks of fabrics, and the weakest. */
const rowsIn = (page: string): readonly (readonly string[])[] =>
  [...page.matchAll(/<tr class="row">([^]*?)<\/tr>/g)].map(([, row]) => [
    /<a href="[^"]*">([^<]*)</.exec(row)![1],
    ...[...row.matchAll(/aria-hidden="true">([^<]*)</g)].map(([, mark]) => mark),
    /<td class="weakest">([^<]*)</.exec(row)![1],
  ]);

test('says what the command says', async () => {
  expect(run.code).toBe(0);
  const { stdout } = await remora(['fabrics', some, '--json']);
  const expected = stdout
    .trim()
    .split('\n')
    .map((line) => {
      const { test, fabrics, weakestSafe, strongestWrong } = JSON.parse(line) as Line;
      const isKnown = fabrics.every(({ verdict }) => verdict in MARKS);
      const named = weakestSafe.join(', ');
      const whole = strongestWrong.length === 0 ? 'all' : 'none';
      const isWhole = strongestWrong.length === 0 || weakestSafe.length === 0;
      const weakest = isKnown && isWhole ? whole : named;
      return [test, ...fabrics.map(({ verdict }) => MARKS[verdict] ?? NONE), weakest];
    });
  const found = rowsIn(pageOf('site'));
  const byName = (rows: readonly (readonly string[])[]) => rows.map((row) => row.join(' ')).sort();
  expect(byName(found)).toEqual(byName(expected));
  expect(found[0]).toHaveLength(FABRIC_MODELS.length + 2);
});

interface Line {
  readonly test: string;
  readonly fabrics: readonly { readonly verdict: string }[];
  readonly weakestSafe: readonly string[];
  readonly strongestWrong: readonly string[];
}

test('links tests, and explanations under models that the report is asked for', () => {
  const page = pageOf('site');
  const links = [...page.matchAll(/href="(tests\/[^"#]*)(?:#([^"]*))?"/g)];
  for (const [, path, id] of links) {
    const text = readFileSync(join(folder, 'site', path), 'utf8');
    if (id !== undefined) expect(text).toContain(`id="${id}"`);
  }
  const models = new Set(links.flatMap(([, , id]) => (id === undefined ? [] : [id])));
  for (const model of ['rdma-ro', 'rdma-tso']) expect(models).toContain(`q1-${model}`);
  expect([...models].filter((id) => !/^q\d(-rdma-ro|-rdma-tso)?$/.test(id))).toEqual([]);
  expect(readFileSync(join(folder, 'site/index.html'), 'utf8')).toContain('href="fabrics.html"');
});

test('takes no answer of another model that has the name of a fabric', async () => {
  const own = join(folder, 'rdma-ro.cat');
  writeFileSync(own, '"mine"\ninclude "rdma-tso.cat"\n');
  const file = `${CORPUS}/ro-mp.litmus`;
  const site = join(folder, 'own');
  // It departs from what the file expects of the fabric.
  expect((await report(file, '-m', own, '--fabrics', file, '--out', site)).code).toBe(1);
  const [row] = rowsIn(pageOf('own'));
  expect(row[1 + FABRIC_MODELS.indexOf('rdma-ro')]).toBe('●');
  expect(pageOf('own')).not.toContain('#q1-rdma-ro');
});

test('is there only if it is asked for, and only for tests of the report', async () => {
  const site = join(folder, 'none');
  const file = `${CORPUS}/ro-mp.litmus`;
  expect((await report(file, '-m', 'rdma-tso', '--out', site)).code).toBe(0);
  expect(existsSync(join(site, 'fabrics.html'))).toBe(false);
  expect(readFileSync(join(site, 'index.html'), 'utf8')).not.toContain('fabrics.html');
  for (const path of ['corpus/tso', CLIENT]) {
    const refused = await report(file, CLIENT, '--fabrics', path, '--out', join(folder, 'refused'));
    expect(refused.code).toBe(2);
    expect(refused.stderr).toBe(
      `--fabrics ${path}: this report has no test there that models decide\n`,
    );
    expect(refused.stderr).not.toMatch(STACK_TRACE);
  }
  expect(existsSync(join(folder, 'refused'))).toBe(false);
});
