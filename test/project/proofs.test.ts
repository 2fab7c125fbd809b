import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findTests } from '../../src/cli/find.js';
import { placesOf } from '../../src/node/page-paths.js';
import { readCorpus, readModels } from '../../src/cli/inputs.js';
import { judge } from '../../src/cli/verify.js';
import { parseCertificate } from '../../src/proof/text.js';
import { ROOT, remora } from '../support/run.js';

/** A proof for every "forbidden" and every "holds" of the corpus, and each of them checked. */

let folder: string;
let run: Awaited<ReturnType<typeof remora>>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'remora-proofs-'));
  const args = ['test', 'corpus', '--proof', folder, '--time-limit', '600', '--json'];
  run = await remora(args, { cwd: ROOT, limit: 900_000 });
}, 900_000);
afterAll(() => rmSync(folder, { recursive: true }));

test('nothing is left out but questions about runs', () => {
  expect(run.code).toBe(0);
  const missing = run.stderr.split('\n').filter((line) => line.startsWith('no proof: '));
  expect(missing.filter((line) => !line.endsWith('that has no proof yet'))).toEqual([]);
});

test('each proof holds, and has a few leaves', { timeout: 600_000 }, () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const proofs = files.filter((file) => file.endsWith('.proof')).sort();
  expect(proofs.length).toBeGreaterThan(1500);
  const programs = findTests([join(ROOT, 'corpus')]).flatMap(({ files }) => files);
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
