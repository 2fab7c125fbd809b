import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findTests } from '../../src/cli/inputs/find.js';
import { pagePlaces } from '../../src/node/page-paths.js';
import { readCorpus } from '../../src/cli/inputs/corpus.js';
import { readModels } from '../../src/cli/inputs/models.js';
import { readProof } from '../../src/cli/proofs/read.js';
import { judgeProof } from '../../src/cli/proofs/judge.js';
import { CPU_MODEL, MAIN_MODELS } from '../../src/model/shipped.js';
import { DISK, shippedModels } from '../../src/node/models.js';
import { CADICAL, SKIP_CADICAL, UNSATISFIABLE } from '../support/cadical.js';
import { withoutLarge } from '../support/corpus.js';
import { ALL, few, some } from '../support/random.js';
import { ROOT, remora } from '../support/run.js';

/**
 * A proof for every "forbidden" and every "holds" of files of the corpus, the largest clients left out, and each of them checked: as a tree; once
 * more as clauses, of the verdicts that were found for the trees; and under the models that `test` asks only if they are named.
 */

/**
 * What only all cases have: most questions about locks are about runs, of which there are no proofs, and the proofs of one client take as long
 * as those of all others.
 */
const DEAR = /^corpus\/(locks\/|libraries\/lock-combined-late)/;
const CORPUS = withoutLarge().filter((path) => ALL || !DEAR.test(path));
const CLIENTS = CORPUS.filter((path) => path.startsWith('corpus/libraries/'));

/** One client of each library, or all: the share that is tried of all files may have none. */
const SOME_CLIENTS = CLIENTS.filter(
  (path, i) =>
    ALL || !CLIENTS.slice(0, i).some((other) => librariesOf(other) === librariesOf(path)),
);
/** And of each library one with something to prove. */
const REFUSING = (DISK.libraries?.() ?? []).flatMap(
  (library) => CLIENTS.find((path) => refuses(path, library)) ?? [],
);
const FILES = [...new Set([...some(CORPUS), ...SOME_CLIENTS, ...REFUSING])];

/** Does a file expect that something is forbidden under a library? */
function refuses(path: string, library: string): boolean {
  const lines = readFileSync(path, 'utf8').matchAll(/ (?:forbidden|holds) under (.*)$/gm);
  return [...lines].some(([, names]) => names.split(', ').includes(library));
}

/** The line of a file that names its libraries. */
function librariesOf(path: string): string {
  return /^uses .*$/m.exec(readFileSync(path, 'utf8'))?.[0] ?? '';
}

const REST = shippedModels().filter((name) => ![...MAIN_MODELS, CPU_MODEL].includes(name));
const RUNS = {
  trees: [FILES, ['--time-limit', '600', '--out', 'VERDICTS']],
  clauses: [FILES, ['--time-limit', '600', '--resume', 'VERDICTS', '--proof-format', 'clauses']],
  others: [withoutLarge('tso/'), ['--model', REST.join(',')]],
} as const;
type Run = keyof typeof RUNS;
const NAMES = Object.keys(RUNS) as readonly Run[];

let folder: string;
const runs = new Map<Run, Awaited<ReturnType<typeof remora>>>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'remora-proofs-'));
  for (const name of NAMES) {
    const [paths, options] = RUNS[name];
    const args = ['test', ...paths, ...options, '--proof', join(folder, name), '--json'].map(
      (arg) => (arg === 'VERDICTS' ? join(folder, 'verdicts') : arg),
    );
    runs.set(name, await remora(args, { cwd: ROOT }));
  }
}, 2_700_000);
afterAll(() => rmSync(folder, { recursive: true }));

/** The proofs of a run, by the ends of their names. */
const proofsOf = (name: Run, ...ends: readonly string[]): readonly string[] =>
  readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' })
    .filter((file) => ends.some((end) => file.endsWith(end)))
    .sort();

test('there are proofs under each model and each library that comes with Remora', () => {
  const named = (['trees', 'others'] as const).flatMap((name) =>
    proofsOf(name, '.proof').flatMap((file) => {
      const [, names] = /^model (.*) \S+$/m.exec(readFileSync(join(folder, name, file), 'utf8'))!;
      return names.split(', ');
    }),
  );
  const libraries = DISK.libraries?.() ?? [];
  expect(libraries.length).toBeGreaterThan(10);
  const expected = [...shippedModels(), ...libraries];
  expect(expected.filter((name) => !named.includes(name))).toEqual([]);
});

test.each(NAMES)('%s: nothing is left out but questions about runs', (name) => {
  const { stderr } = runs.get(name)!;
  const missing = stderr.split('\n').filter((line) => line.startsWith('no proof: '));
  expect(missing.filter((line) => !line.endsWith('that has no proof yet'))).toEqual([]);
});

test('trees are found for all of the corpus', () => {
  expect(runs.get('trees')!.code).toBe(0);
  expect(proofsOf('trees', '.cnf')).toEqual([]);
});

test.each([
  ['trees', 1500],
  ['clauses', 1500],
  ['others', 285],
] as const)('%s: each proof holds', { timeout: 1_200_000 }, (name, least) => {
  const proofs = proofsOf(name, '.proof', '.cnf');
  expect(proofs.length).toBeGreaterThan(few(least));
  const paths = RUNS[name][0].map((path) => join(ROOT, path));
  const programs = findTests(paths).flatMap(({ files }) => files);
  const litmusAt = new Map(pagePlaces(programs).map((place, i) => [place, programs[i]]));
  const wrong: string[] = [];
  const corpora = new Map<string, ReturnType<typeof readCorpus>['tests']>();
  const models = new Map<string, ReturnType<typeof readModels>>();
  for (const file of proofs) {
    const read = readProof(join(folder, name, file));
    if ('unread' in read) throw new Error(read.unread);
    const { model } = read.value.heading;
    const litmus = litmusAt.get(file.slice(0, file.lastIndexOf('/')));
    if (litmus === undefined) throw new Error(`${file}: of which program?`);
    const asked = models.get(model) ?? readModels([model], 'auto');
    models.set(model, asked);
    const tests = corpora.get(litmus) ?? readCorpus([litmus], asked).tests;
    corpora.set(litmus, tests);
    const outcome = judgeProof(read.value, tests[0], asked, {});
    if (!('holds' in outcome)) wrong.push(`${file}: ${JSON.stringify(outcome)}`);
  }
  expect(wrong).toEqual([]);
});

test.skipIf(SKIP_CADICAL)(`${CADICAL} finds no solution either`, { timeout: 900_000 }, () => {
  // From a shell: to fork from this process, which is large, takes longer than the proofs.
  const script = `while read -r file; do
    cadical -q "$file" >/dev/null
    [ $? -eq ${UNSATISFIABLE} ] || echo "$file"
  done`;
  const { status, stdout } = spawnSync('sh', ['-c', script], {
    cwd: join(folder, 'clauses'),
    input: proofsOf('clauses', '.cnf')
      .map((file) => `${file}\n`)
      .join(''),
    encoding: 'utf8',
  });
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
});
