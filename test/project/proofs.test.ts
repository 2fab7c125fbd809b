import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findTests } from '../../src/cli/find.js';
import { placesOf } from '../../src/node/page-paths.js';
import { readCorpus, readModels } from '../../src/cli/inputs.js';
import { judge } from '../../src/cli/verify.js';
import { readProof } from '../../src/cli/read-proof.js';
import { CADICAL, SKIP_CADICAL, UNSATISFIABLE } from '../support/cadical.js';
import { ROOT, remora } from '../support/run.js';

/**
 * A proof for every "forbidden" and every "holds" of the corpus, and each of them checked: as a tree, or as clauses where that does
 * not come to an end; then all once more as clauses.
 */

const FORMATS = ['tree', 'clauses'] as const;
let folder: string;
const runs = new Map<string, Awaited<ReturnType<typeof remora>>>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'remora-proofs-'));
  for (const format of FORMATS) {
    const how = ['--proof', join(folder, format), '--proof-format', format];
    const args = ['test', 'corpus', ...how, '--time-limit', '600', '--json'];
    runs.set(format, await remora(args, { cwd: ROOT, limit: 900_000 }));
  }
}, 1_800_000);
afterAll(() => rmSync(folder, { recursive: true }));

/** The proofs of a format, by the ends of their names. */
const proofsOf = (format: string, ...ends: readonly string[]): readonly string[] =>
  readdirSync(join(folder, format), { recursive: true, encoding: 'utf8' })
    .filter((file) => ends.some((end) => file.endsWith(end)))
    .sort();

test.each(FORMATS)('as %s, nothing is left out but questions about runs', (format) => {
  const { code, stderr } = runs.get(format)!;
  expect(code).toBe(0);
  const missing = stderr.split('\n').filter((line) => line.startsWith('no proof: '));
  expect(missing.length).toBeGreaterThan(0);
  expect(missing.filter((line) => !line.endsWith('that has no proof yet'))).toEqual([]);
});

test('trees are found for all but clients of the store that need an argument about values in a circle', () => {
  const names = proofsOf('tree', '.cnf').map((file) => file.split('/').at(-2)!);
  const WITHOUT = ['kv-room', 'kv-gone', 'kv-third', 'kv-both', 'kv-deleted-twice'];
  expect([...new Set(names)].sort()).toEqual([...WITHOUT].sort());
});

test.each(FORMATS)('as %s, each proof holds', { timeout: 1_200_000 }, (format) => {
  const proofs = proofsOf(format, '.proof', '.cnf');
  expect(proofs.length).toBeGreaterThan(1500);
  const programs = findTests([join(ROOT, 'corpus')]).flatMap(({ files }) => files);
  const litmusAt = new Map(placesOf(programs).map((place, i) => [place, programs[i]]));
  const wrong: string[] = [];
  const corpora = new Map<string, ReturnType<typeof readCorpus>['tests']>();
  const models = new Map<string, ReturnType<typeof readModels>>();
  for (const file of proofs) {
    const read = readProof(join(folder, format, file));
    if ('unread' in read) throw new Error(read.unread);
    const { model } = read.value.heading;
    const litmus = litmusAt.get(file.slice(0, file.lastIndexOf('/')));
    if (litmus === undefined) throw new Error(`${file}: of which program?`);
    const asked = models.get(model) ?? readModels([model], 'auto');
    models.set(model, asked);
    const tests = corpora.get(litmus) ?? readCorpus([litmus], asked).tests;
    corpora.set(litmus, tests);
    const outcome = judge(read.value, tests[0], asked, {});
    if (!('holds' in outcome)) wrong.push(`${file}: ${JSON.stringify(outcome)}`);
  }
  expect(wrong).toEqual([]);
});

test.skipIf(SKIP_CADICAL)(`${CADICAL} finds no solution either`, { timeout: 900_000 }, () => {
  const wrong = proofsOf('clauses', '.cnf').filter((file) => {
    const { status } = spawnSync('cadical', ['-q', join(folder, 'clauses', file)]);
    return status !== UNSATISFIABLE;
  });
  expect(wrong).toEqual([]);
});
