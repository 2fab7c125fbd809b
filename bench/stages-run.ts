// A process that runs each stage over the whole corpus under five models and measures its time. Each test is
// treated once. The process is new, so that its code is not compiled yet.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { computeBounds } from '../dist/encode/bounds/bounds.js';
import { encode } from '../dist/encode/encode.js';
import { unroll } from '../dist/program/events/unroll.js';
import { parseLitmus } from '../dist/index.js';
import { loadModelNamed } from '../dist/node/models.js';
import { MAIN_MODELS } from '../dist/model/shipped.js';
import { adapt } from '../dist/rdma/translate.js';
import { loadZ3 } from '../dist/node/z3.js';
import { extract } from '../dist/check/witness/extract.js';
import { verify } from '../dist/check/witness/verify.js';
import { ROOT, round } from './process.js';

const CORPUS = join(ROOT, 'corpus');
const clock = new Map();
const counts = { tests: 0, queries: 0, events: 0, clauses: 0 };

async function timed(stage, work) {
  const start = performance.now();
  const result = await work();
  clock.set(stage, (clock.get(stage) ?? 0) + performance.now() - start);
  return result;
}

const newSolver = await timed('start Z3', loadZ3);
const models = await timed('read models', () =>
  MAIN_MODELS.map((name) => loadModelNamed(name).model.value),
);
// Locks are asked about runs, which no solver decides.
const files = readdirSync(CORPUS, { recursive: true })
  .filter((f) => f.endsWith('.litmus') && !f.startsWith('locks'))
  .sort();
const tests = await timed('parse', () =>
  files.map((f) => parseLitmus(readFileSync(join(CORPUS, f), 'utf8'), f).value),
);
counts.tests = tests.length;
for (const test of tests) {
  for (const model of models) {
    const adapted = adapt(test.program, model);
    if (adapted.ok) await decideAll({ ...test, program: adapted.value.program }, model);
  }
}
const stages = [...clock].map(([stage, ms]) => ({ stage, milliseconds: round(ms) }));
console.log(JSON.stringify({ ...counts, stages }));

async function decideAll(test, model) {
  const structure = await timed('unroll', () => unroll(test.program));
  const { bounds } = await timed('bounds', () => computeBounds(structure, model));
  const clauses = [];
  const encoding = await timed('encode', () =>
    encode(structure, bounds, model, (clause) => clauses.push(clause)),
  );
  const solver = await timed('load clauses', () => {
    const made = newSolver();
    for (const clause of clauses) made.addClause(clause);
    return made;
  });
  for (const query of test.queries) {
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
        const verified = verify(structure, model, witness);
        if ('wrong' in verified) throw new Error(verified.wrong);
      });
    }
    counts.queries += 1;
  }
  counts.events += structure.events.length;
  counts.clauses += encoding.formula.size().clauses;
  solver.dispose();
}
