import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseLitmus } from '../../src/index.js';
import { isRemote } from '../../src/program/instructions.js';
import { allSubjects, subjectName } from '../../src/program/subjects.js';
import type { Comparison } from '../evaluate/compare.js';
import { compare, familyOf } from '../evaluate/compare.js';
import { MODELS, mutantsOf } from '../models/index.js';
import { mutatedModel, originalModel } from '../models/text.js';
import { conditionsFor } from './conditions.js';
import type { Guarded } from './file.js';
import { fileOf } from './file.js';
import type { Small } from './programs.js';
import { litmusOf } from './text.js';

/**
 * Makes the files of corpus/cells/ from what search.ts found:
 *
 *     npx tsx mutate/search/choose.ts RESULTS.json corpus/cells
 *
 * As few programs as possible that tell all mutants which can be told, none of them more than an
 * instruction longer than the smallest that tells the mutant; then for each a few queries.
 */

const [results, folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: choose.ts RESULTS.json FOLDER');

/** An instruction and what goes with it, as costOf counts. */
const SLACK = 110;

const found = JSON.parse(readFileSync(results, 'utf8')) as Record<
  string,
  { readonly cost: number; readonly program: Small }
>;
const mutants = MODELS.map((model) => mutantsOf(model));
const family = familyOf(
  MODELS.map((model, i) => ({
    original: originalModel(model),
    mutants: mutants[i].map((m) => ({ model: mutatedModel(m), direction: m.direction })),
  })),
);
const costOf = (m: number, k: number): number =>
  found[`${MODELS[m]}/${mutants[m][k].name}`]?.cost ?? Infinity;

interface Option {
  readonly program: Small;
  readonly cost: number;
  readonly compared: readonly (Comparison | undefined)[];
}

const options: Option[] = [];
const texts = new Set<string>();
for (const { program, cost } of Object.values(found)) {
  const text = litmusOf(program);
  if (texts.has(text)) continue;
  texts.add(text);
  const test = parseLitmus(text);
  if (!test.ok) throw new Error(text);
  const wanted = (m: number, k: number): boolean => cost <= costOf(m, k) + SLACK;
  options.push({ program, cost, compared: compare(test.value.program, family, wanted, 100_000) });
}
console.log(`${options.length} programs to choose from`);

const open = new Set(
  mutants.flatMap((list, m) =>
    list.flatMap((_, k) => (costOf(m, k) < Infinity ? [`${m} ${k}`] : [])),
  ),
);
const tells = ({ compared }: Option): readonly Guarded[] =>
  compared.flatMap((c, m) =>
    [...(c?.different ?? [])]
      .filter(([k]) => open.has(`${m} ${k}`))
      .map(([k, difference]) => ({ mutant: mutants[m][k], m, k, difference, states: c!.states })),
  );

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const names = new Set<string>();
while (open.size > 0) {
  const [best] = options
    .map((option) => ({ option, guarded: tells(option) }))
    .sort((a, b) => b.guarded.length - a.guarded.length || a.option.cost - b.option.cost);
  if (best === undefined || best.guarded.length === 0) throw new Error('results do not fit');
  for (const { m, k } of best.guarded) open.delete(`${m} ${k}`);
  const text = litmusOf(best.option.program);
  const test = parseLitmus(text);
  if (!test.ok) throw new Error(text);
  const { program } = test.value;
  const subjects = allSubjects(program).map((s) => subjectName(program, s));
  const conditions = conditionsFor(best.guarded);
  const states = MODELS.map((model, m) =>
    model === 'x86-tso-textbook' && isRemote(program) ? undefined : best.option.compared[m]?.states,
  );
  const name = nameFor(best.guarded);
  const file = fileOf(name, best.option.program, subjects, conditions, best.guarded, states);
  writeFileSync(join(folder, `${name}.litmus`), file);
}
console.log(`${readdirSync(folder).length} files`);

/** A file has the name of the mutant that it tells under most models; cells come first. */
function nameFor(guarded: readonly Guarded[]): string {
  const counts = new Map<string, number>();
  for (const { mutant } of guarded) counts.set(mutant.name, (counts.get(mutant.name) ?? 0) + 1);
  const isCell = (name: string): number => Number(/^[io]ppo-/.test(name));
  const sorted = [...counts]
    .sort(([a, x], [b, y]) => isCell(b) - isCell(a) || y - x || (a < b ? -1 : 1))
    .map(([n]) => n);
  const name = sorted.find((n) => !names.has(n)) ?? `${sorted[0]}-again`;
  names.add(name);
  return name;
}
