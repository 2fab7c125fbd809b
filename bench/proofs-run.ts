// A process that decides each query of the corpus by itself, proves what is forbidden or holds, and checks the proof as
// `remora verify` does. Prints the milliseconds and the size of each proof.
import type { Proved } from '../dist/analyses/prove/prove.js';
import type { ProofFormat } from '../dist/analyses/prove/formats.js';
import { prove } from '../dist/analyses/prove/prove.js';
import { inProcess } from '../dist/analyses/in-process.js';
import type { DecideJob } from '../dist/analyses/workers.js';
import { modelsOf, testUnder } from '../dist/cli/inputs/clients.js';
import type { CorpusTest } from '../dist/cli/inputs/corpus.js';
import { readCorpus } from '../dist/cli/inputs/corpus.js';
import { readModels } from '../dist/cli/inputs/models.js';
import { VERSION } from '../dist/cli/package.js';
import { loadC } from '../dist/node/c.js';
import { judgeProof } from '../dist/cli/proofs/judge.js';
import type { AnyProof } from '../dist/cli/proofs/read.js';
import { isInClauses } from '../dist/cli/proofs/read.js';
import { modelDigest, programDigest } from '../dist/cli/proofs/write.js';
import { MAIN_MODELS } from '../dist/model/shipped.js';
import { loadZ3 } from '../dist/node/z3.js';
import type { Model } from '../dist/model/term.js';
import type { Result, SourceFile } from '../dist/parse/diagnostics/index.js';
import type { Test } from '../dist/program/program.js';
import { isStateQuery } from '../dist/program/program.js';
import { parseClauses, parseSteps } from '../dist/proof/dimacs.js';
import { leavesOf, parseCertificate } from '../dist/proof/text.js';
import { prepare } from '../dist/rdma/prepare.js';
import { counting } from './counting.js';
import { DEFAULT_ENCODING } from './engines.js';
import { valueOf } from './inputs.js';
import { given, round } from './process.js';

export interface ProofsGiven {
  readonly format: ProofFormat;
}

/** A proof: milliseconds, and its size. */
export interface MeasuredProof {
  readonly name: string;
  readonly isTree: boolean;
  readonly deciding: number;
  readonly making: number;
  readonly checking: number;
  readonly bytes: number;
  readonly size: number;
}

const { format } = given<ProofsGiven>();
const ENGINE = 'auto';
/** What a proof is made with; it takes no solver. */
const GIVEN = { newSolver: counting().solver, acyclicity: DEFAULT_ENCODING, deadline: Infinity };
const models = readModels(MAIN_MODELS, ENGINE);
await loadC();
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

async function measure(item: CorpusTest, model: Model, test: Test, query: number): Promise<void> {
  const job: DecideJob = {
    kind: 'decide',
    engine: ENGINE,
    tests: [test],
    models: [model],
    queries: [query],
  };
  const [deciding, [[{ verdict }]]] = await timed(() => pool.decide(job));
  if (verdict !== 'forbidden' && verdict !== 'holds') return;
  const digests = { program: programDigest(item.source), modelDigest: modelDigest(model) };
  const input = { test, query, digests, remora: VERSION, format };
  const [making, proved] = await timed(() => prove(input, { ...GIVEN, models: [model] }));
  const name = `${item.source.path} under ${model.name}`;
  if ('reason' in proved) throw new Error(`${name}: ${proved.reason}`);
  const [checking, { proof, outcome }] = await timed(() => {
    const proof = parse(proved);
    return { proof, outcome: judgeProof(proof, item, models, {}) };
  });
  if (!('holds' in outcome)) throw new Error(`${name}: ${JSON.stringify(outcome)}`);
  const bytes = Object.values(proved).reduce((sum, text) => sum + text.length, 0);
  const size = isInClauses(proof) ? proof.steps.length : leavesOf(proof.proof);
  const isTree = 'tree' in proved;
  const found: MeasuredProof = { name, isTree, deciding, making, checking, bytes, size };
  console.log(JSON.stringify(found));
}

async function timed<T>(work: () => T | Promise<T>): Promise<readonly [number, T]> {
  const started = performance.now();
  const result = await work();
  return [round(performance.now() - started), result];
}

function parse(proved: Exclude<Proved, { readonly reason: string }>): AnyProof {
  const read = <T>(text: string, by: (source: SourceFile) => Result<T>): T =>
    valueOf(by({ path: 'proof', text }));
  if ('tree' in proved) return read(proved.tree, parseCertificate);
  return { ...read(proved.clauses, parseClauses), steps: read(proved.steps, parseSteps) };
}
