import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { readTests } from '../run/read-tests.js';
import { parseLitmus } from '../../src/index.js';
import { compare, familyOf } from '../evaluate/compare.js';
import { MODELS, mutantsOf } from '../models/index.js';
import { fullName } from '../models/mutant.js';
import { labelsOf } from '../models/tables.js';
import { mutatedModel, originalModel } from '../models/text.js';
import { programsAround } from './directed.js';
import { smallOf } from './known.js';
import type { Size, Small } from './programs.js';
import { costOf, smallPrograms, smaller, variants } from './programs.js';
import { SEEDS } from './seeds.js';
import { litmusOf } from './text.js';

/**
 * Looks for the smallest program that tells each mutant from its model:
 *
 *     npx tsx mutate/search/search.ts RESULTS.json [SECONDS [SEED [new]]]
 *
 * Programs are random, and each that tells a mutant is made smaller as long as it does. What is
 * found is added to the file; choose.ts makes tests of it. With `new`, only mutants are looked at
 * that no program is known for: most of them are equivalent, and this is the evidence.
 */

const [file, seconds = '600', seed = '1', mode] = process.argv.slice(2);
if (file === undefined) throw new Error('where do the results go?');

/** The smallest program known for a mutant. */
export interface Found {
  readonly cost: number;
  readonly program: Small;
}

const best = new Map<string, Found>(
  existsSync(file)
    ? Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, Found>)
    : [],
);
const mutants = MODELS.map((model) => mutantsOf(model));
const family = familyOf(
  MODELS.map((model, i) => ({
    original: originalModel(model),
    mutants: mutants[i].map((m) => ({ model: mutatedModel(m), direction: m.direction })),
  })),
);
const costs = mutants.map((list) => list.map((m) => best.get(fullName(m))?.cost ?? Infinity));
const seen = new Set<string>();

/** How many executions of a program are looked at. */
const LIMIT = mode === 'new' ? 3_000 : 20_000;

const isWanted = (m: number, k: number, cost: number): boolean =>
  mode === 'new' ? costs[m][k] === Infinity : costs[m][k] > cost;

/** Notes which mutants a program tells; then tries what is smaller. */
function tell(program: Small): void {
  const work = [program];
  for (let p = work.pop(); p !== undefined; p = work.pop()) {
    const text = litmusOf(p);
    if (p.threads.length === 0 || seen.has(text)) continue;
    seen.add(text);
    const test = parseLitmus(text);
    if (!test.ok) throw new Error(`${text}: ${test.errors[0].message}`);
    const cost = costOf(p);
    const compared = compare(test.value.program, family, (m, k) => isWanted(m, k, cost), LIMIT);
    let improved = false;
    for (const [m, comparison] of compared.entries()) {
      for (const k of comparison?.different.keys() ?? []) {
        costs[m][k] = cost;
        best.set(fullName(mutants[m][k]), { cost, program: p });
        improved = true;
      }
    }
    if (improved) work.push(...smaller(p));
  }
}

function save(): void {
  writeFileSync(file, JSON.stringify(Object.fromEntries(best)));
}

const deadline = performance.now() + Number(seconds) * 1000;
const labels = labelsOf(originalModel('rdma-tso'));
let programs = 0;

const published = readTests(
  ['tso', 'robustness', 'decidability', 'loco'].map((f) => `corpus/${f}`),
);
const seeds = Object.values(SEEDS).map((text) => parseLitmus(`RDMA seed ${text}`));
const start = performance.now();
for (const test of [...seeds.flatMap((s) => (s.ok ? [s.value] : [])), ...published.items]) {
  if (test.models !== undefined) continue;
  const small = smallOf(test.program);
  if (small !== undefined && mode !== 'new') tell(small);
}
save();
console.log(`seeds are done after ${Math.round((performance.now() - start) / 1000)} s`);
for (let round = Number(seed) * 1000; performance.now() < deadline; round++) {
  for (let instructions = 2; instructions <= 6; instructions++) {
    const size = (remote: boolean, waits: boolean): Size => ({
      threads: 3,
      instructions,
      remote,
      waits,
    });
    const draw = (made: fc.Arbitrary<Small>, numRuns: number): readonly Small[] =>
      fc.sample(made, { seed: round * 10 + instructions, numRuns });
    const row = labels[round % labels.length];
    const batch = [
      ...draw(smallPrograms(size(true, false)), 20),
      ...draw(smallPrograms(size(true, true)), 5),
      ...draw(smallPrograms(size(false, false)), 3),
      ...labels.flatMap((column) => draw(programsAround(row, column, size(true, false)), 3)),
    ];
    const parents = [...new Set([...best.values()].map(({ program }) => program))];
    batch.push(
      ...draw(
        fc.constantFrom(...parents).chain((p) => variants(p, size(true, instructions === 2))),
        60,
      ),
    );
    programs += batch.length;
    batch.forEach(tell);
  }
  save();
  const told = costs.map(
    (list, m) => `${MODELS[m]} ${list.filter((c) => c < Infinity).length}/${list.length}`,
  );
  console.log(`round ${round}: ${programs} programs; ${told.join(', ')}`);
}
