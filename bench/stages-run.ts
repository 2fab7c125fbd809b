// A process that runs each stage over the whole corpus under five models and measures its time. Each test is
// treated once. The process is new, so that its code is not compiled yet.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { computeBounds } from '../dist/encode/bounds/bounds.js';
import { encode } from '../dist/encode/encode.js';
import { unroll } from '../dist/program/events/unroll.js';
import { MAIN_MODELS } from '../dist/model/shipped.js';
import { adapt } from '../dist/rdma/translate.js';
import { loadZ3 } from '../dist/node/z3.js';
import { extract } from '../dist/check/witness/extract.js';
import { verifyWitness } from '../dist/check/witness/verify.js';
import type { Model } from '../dist/model/term.js';
import type { Test } from '../dist/program/program.js';
import { isStateQuery } from '../dist/program/program.js';
import { modelNamed, testAt } from './inputs.js';
import { ROOT, round } from './process.js';

export interface StagesFound {
  readonly tests: number;
  readonly queries: number;
  readonly events: number;
  readonly clauses: number;
  readonly stages: readonly { readonly stage: string; readonly milliseconds: number }[];
}

const CORPUS = join(ROOT, 'corpus');
const clock = new Map<string, number>();
const counts = { tests: 0, queries: 0, events: 0, clauses: 0 };

async function timed<T>(stage: string, work: () => T | Promise<T>): Promise<T> {
  const start = performance.now();
  const result = await work();
  clock.set(stage, (clock.get(stage) ?? 0) + performance.now() - start);
  return result;
}

const newSolver = await timed('start Z3', loadZ3);
const models = await timed('read models', () => MAIN_MODELS.map(modelNamed));
// Locks are asked about runs, which no solver decides.
const files = readdirSync(CORPUS, { recursive: true, encoding: 'utf8' })
  .filter((f) => f.endsWith('.litmus') && !f.startsWith('locks'))
  .sort();
const tests = await timed('parse', () => files.map((f) => testAt(join('corpus', f))));
counts.tests = tests.length;
for (const test of tests) {
  for (const model of models) {
    const adapted = adapt(test.program, model);
    if (adapted.ok) await decideAll({ ...test, program: adapted.value.program }, model);
  }
}
const stages = [...clock].map(([stage, ms]) => ({ stage, milliseconds: round(ms) }));
const found: StagesFound = { ...counts, stages };
console.log(JSON.stringify(found));

async function decideAll(test: Test, model: Model): Promise<void> {
  const structure = await timed('unroll', () => unroll(test.program));
  const bounded = await timed('bounds', () => computeBounds(structure, model));
  if (!bounded.ok) throw new Error(bounded.reason);
  const { bounds } = bounded;
  const clauses: (readonly number[])[] = [];
  const encoding = await timed('encode', () =>
    encode(structure, bounds, model, (clause) => clauses.push(clause)),
  );
  const solver = await timed('load clauses', () => {
    const made = newSolver();
    for (const clause of clauses) made.addClause(clause);
    return made;
  });
  for (const query of test.queries) {
    if (!isStateQuery(query)) continue;
    const from = clauses.length;
    const assumed = await timed('encode', () => {
      const condition = encoding.condition(query.condition);
      const wanted = query.quantifier === 'forall' ? -condition : condition;
      // A run that divides by zero has no meaning.
      return [wanted, -encoding.dividesByZero].map((lit) => encoding.formula.assumption(lit));
    });
    await timed('load clauses', () => clauses.slice(from).forEach((c) => solver.addClause(c)));
    const answer = await timed('solve', () => solver.check(assumed));
    if (answer.kind === 'sat') {
      await timed('re-check', () => {
        const witness = extract(structure, encoding, solver);
        const verified = verifyWitness(structure, model, witness);
        if ('wrong' in verified) throw new Error(verified.wrong);
      });
    }
    counts.queries += 1;
  }
  counts.events += structure.events.length;
  counts.clauses += encoding.formula.size().clauses;
  solver.dispose();
}
