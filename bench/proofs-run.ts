// A process that decides each query of the corpus by itself, proves what is forbidden or holds, and checks the proof as
// `remora verify` does. Prints the milliseconds and the size of each proof.
import { prove } from '../dist/analyses/prove/prove.js';
import { inProcess } from '../dist/analyses/in-process.js';
import { modelsOf, testUnder } from '../dist/cli/inputs/clients.js';
import { readCorpus } from '../dist/cli/inputs/corpus.js';
import { readModels } from '../dist/cli/inputs/models.js';
import { judgeProof } from '../dist/cli/proofs/judge.js';
import { modelDigest, programDigest } from '../dist/cli/proofs/write.js';
import { VERSION } from '../dist/cli/package.js';
import { MAIN_MODELS } from '../dist/model/shipped.js';
import { loadZ3 } from '../dist/node/z3.js';
import { isStateQuery } from '../dist/program/program.js';
import { parseClauses, parseSteps } from '../dist/proof/dimacs.js';
import { leavesOf, parseCertificate } from '../dist/proof/text.js';
import { prepare } from '../dist/rdma/prepare.js';
import { round } from './process.js';

const { format } = JSON.parse(process.argv[2]);
const ENGINE = 'auto';
const models = readModels(MAIN_MODELS, ENGINE);
const { tests } = readCorpus(['corpus'], models);
const pool = inProcess({ solver: loadZ3 });

for (const item of tests) {
  for (const model of modelsOf(item, models.items)) {
    const test = testUnder(item, model);
    const adapted = prepare(test.program, model, ENGINE);
    if (!adapted.ok) continue;
    for (const query of test.queries.keys()) {
      if (!isStateQuery(test.queries[query])) continue;
      await measure(item, model, { ...test, program: adapted.value.program }, query);
    }
  }
}

async function measure(item, model, test, query) {
  const job = { kind: 'decide', engine: ENGINE, tests: [test], models: [model], queries: [query] };
  const [deciding, [[{ verdict }]]] = await timed(() => pool.decide(job));
  if (verdict !== 'forbidden' && verdict !== 'holds') return;
  const digests = { program: programDigest(item.source), modelDigest: modelDigest(model) };
  const input = { test, query, digests, remora: VERSION, format };
  const [making, proved] = await timed(() => prove(input, { models: [model] }));
  const name = `${item.source.path} under ${model.name}`;
  if ('reason' in proved) throw new Error(`${name}: ${proved.reason}`);
  const [checking, { proof, outcome }] = await timed(() => {
    const proof = parse(proved);
    return { proof, outcome: judgeProof(proof, item, models, {}) };
  });
  if (!('holds' in outcome)) throw new Error(`${name}: ${JSON.stringify(outcome)}`);
  const bytes = Object.values(proved).reduce((sum, text) => sum + text.length, 0);
  const size = 'tree' in proved ? leavesOf(proof.proof) : proof.steps.length;
  const isTree = 'tree' in proved;
  console.log(JSON.stringify({ name, isTree, deciding, making, checking, bytes, size }));
}

async function timed(work) {
  const started = performance.now();
  const result = await work();
  return [round(performance.now() - started), result];
}

function parse({ tree, clauses, steps }) {
  const read = (text, by) => by({ path: 'proof', text }).value;
  if (tree !== undefined) return read(tree, parseCertificate);
  return { ...read(clauses, parseClauses), steps: read(steps, parseSteps) };
}
