import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findTests } from '../../src/cli/find.js';
import { placesOf } from '../../src/node/page-paths.js';
import { readCorpus, readModels } from '../../src/cli/inputs.js';
import { judge } from '../../src/cli/verify.js';
import { CPU_MODEL, MAIN_MODELS } from '../../src/model/shipped.js';
import { DISK, shippedModels } from '../../src/node/models.js';
import { parseCertificate } from '../../src/proof/text.js';
import { ROOT, remora } from '../support/run.js';

/** A proof for every "forbidden" and every "holds" of the corpus, and each of them checked. */

let folder: string;
/** Of the models that `test` decides only if it is asked to. */
let others: string;
let run: Awaited<ReturnType<typeof remora>>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'remora-proofs-'));
  const args = ['test', 'corpus', '--proof', folder, '--time-limit', '600', '--json'];
  run = await remora(args, { cwd: ROOT, limit: 900_000 });
  others = mkdtempSync(join(tmpdir(), 'remora-proofs-'));
  const rest = shippedModels().filter((name) => ![...MAIN_MODELS, CPU_MODEL].includes(name));
  const asked = ['test', 'corpus/tso', '--model', rest.join(','), '--proof', others];
  await remora(asked, { cwd: ROOT, limit: 900_000 });
}, 1_900_000);
afterAll(() => {
  for (const one of [folder, others]) rmSync(one, { recursive: true });
});

const proofsIn = (place: string): readonly string[] =>
  readdirSync(place, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.proof'))
    .sort();

test('there are proofs under each model and each library that comes with Remora', () => {
  const named = [folder, others].flatMap((place) =>
    proofsIn(place).flatMap((file) => {
      const [, names] = /^model (.*) \S+$/m.exec(readFileSync(join(place, file), 'utf8'))!;
      return names.split(', ');
    }),
  );
  const libraries = DISK.libraries?.() ?? [];
  expect(libraries.length).toBeGreaterThan(10);
  const expected = [...shippedModels(), ...libraries];
  expect(expected.filter((name) => !named.includes(name))).toEqual([]);
});

test('nothing is left out but questions about runs', () => {
  expect(run.code).toBe(0);
  const missing = run.stderr.split('\n').filter((line) => line.startsWith('no proof: '));
  expect(missing.filter((line) => !line.endsWith('that has no proof yet'))).toEqual([]);
});

test.each([
  ['corpus', () => folder, 1500],
  ['corpus/tso', () => others, 300],
])('each proof of %s holds', { timeout: 600_000 }, (tests, place, least) => {
  const folder = place();
  const proofs = proofsIn(folder);
  expect(proofs.length).toBeGreaterThan(least);
  const programs = findTests([join(ROOT, tests)]).flatMap(({ files }) => files);
  const litmusAt = new Map(placesOf(programs).map((place, i) => [place, programs[i]]));
  const wrong: string[] = [];
  const corpora = new Map<string, ReturnType<typeof readCorpus>['tests']>();
  const models = new Map<string, ReturnType<typeof readModels>>();
  for (const file of proofs) {
    const path = join(folder, file);
    const parsed = parseCertificate({ path, text: readFileSync(path, 'utf8') });
    if (!parsed.ok) throw new Error(parsed.errors[0].message);
    const { model } = parsed.value.heading;
    const litmus = litmusAt.get(file.slice(0, file.lastIndexOf('/')));
    if (litmus === undefined) throw new Error(`${file}: of which program?`);
    const asked = models.get(model) ?? readModels([model], 'auto');
    models.set(model, asked);
    const tests = corpora.get(litmus) ?? readCorpus([litmus], asked).tests;
    corpora.set(litmus, tests);
    const outcome = judge(parsed.value, tests[0], asked, {});
    if (!('holds' in outcome)) wrong.push(`${file}: ${JSON.stringify(outcome)}`);
  }
  expect(wrong).toEqual([]);
});
