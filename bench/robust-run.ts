// A process that measures robustness over the corpus: the exact answers and, where a program is not
// robust, its repair. Z3 is loaded before; each program is treated once.
import { writeSync } from 'node:fs';
import { prepare } from '../dist/rdma/prepare.js';
import { readCorpus } from '../dist/cli/inputs/corpus.js';
import { loadModelNamed } from '../dist/node/models.js';
import { DEFAULT_COSTS } from '../dist/rdma/additions.js';
import { analyse } from '../dist/analyses/robust/analysis.js';
import { fixRobustness } from '../dist/analyses/robust/fix.js';
import { referenceModel } from '../dist/analyses/robust/reference.js';
import { loadZ3 } from '../dist/node/z3.js';
import { round } from './process.js';

const { models, comparisons, folder, timeLimit } = JSON.parse(process.argv[2]);
const newSolver = await loadZ3();
const reference = referenceModel();
const { tests } = readCorpus([folder]);

const timed = (work) => {
  const started = performance.now();
  return { result: work(), milliseconds: round(performance.now() - started) };
};

for (const name of models) {
  const model = loadModelNamed(name).model.value;
  for (const { test } of tests) {
    const prepared = prepare(test.program, model, 'smt');
    if (!prepared.ok) continue;
    const { program } = prepared.value;
    for (const comparison of comparisons) {
      const given = () => ({
        models: [model, reference],
        newSolver,
        deadline: performance.now() + timeLimit * 1000,
      });
      const exact = timed(() => analyse({ program, comparisons: [comparison] }, given())[0]);
      const { verdict, upTo, explored } = exact.result;
      const input = { test: { ...test, program }, comparison, costs: DEFAULT_COSTS };
      const repair =
        verdict === 'not robust' ? timed(() => fixRobustness(input, given())) : undefined;
      const line = {
        test: test.name,
        model: name,
        comparison,
        verdict,
        upTo,
        explored,
        milliseconds: exact.milliseconds,
        ...(repair !== undefined && {
          repair: {
            kind: repair.result.kind,
            cost: repair.result.cost,
            milliseconds: repair.milliseconds,
          },
        }),
      };
      writeSync(1, `${JSON.stringify(line)}\n`);
    }
  }
}
