// A process that measures robustness over the corpus: the exact answers and, where a program is not
// robust, its repair. Z3 is loaded before; each program is treated once.
import { writeSync } from 'node:fs';
import { prepare } from '../dist/rdma/prepare.js';
import { readCorpus } from '../dist/cli/inputs/corpus.js';
import { DEFAULT_COSTS } from '../dist/rdma/additions.js';
import { analyse } from '../dist/analyses/robust/analysis.js';
import { fixRobustness } from '../dist/analyses/robust/fix.js';
import type { Comparison, RobustVerdict } from '../dist/analyses/robust/result.js';
import type { RobustGiven } from '../dist/analyses/robust/analysis.js';
import { referenceFor } from '../dist/node/reference.js';
import { loadZ3 } from '../dist/node/z3.js';
import { modelNamed, valueOf } from './inputs.js';
import { given, round } from './process.js';

/** What is compared: executions. */
export type Compared = Exclude<Comparison, 'outcomes'>;

export interface RobustGivens {
  readonly models: readonly string[];
  readonly comparisons: readonly Compared[];
  readonly folder: string;
  /** Seconds. */
  readonly timeLimit: number;
}

/** An answer about a program, and its repair where it is not robust. */
export interface RobustFound {
  readonly test: string;
  readonly model: string;
  readonly comparison: Compared;
  readonly verdict: RobustVerdict;
  readonly upTo?: number;
  readonly explored?: { readonly states: number };
  readonly milliseconds: number;
  readonly repair?: {
    readonly kind: string;
    readonly cost?: number;
    readonly milliseconds: number;
  };
}

const { models, comparisons, folder, timeLimit } = given<RobustGivens>();
const newSolver = await loadZ3();
const asked = models.map(modelNamed);
const { tests } = readCorpus([folder], { items: asked });

const timed = <T>(work: () => T): { readonly result: T; readonly milliseconds: number } => {
  const started = performance.now();
  return { result: work(), milliseconds: round(performance.now() - started) };
};

for (const model of asked) {
  for (const { test } of tests) {
    const prepared = prepare(test.program, model, 'smt');
    if (!prepared.ok) continue;
    const { program } = prepared.value;
    const reference = valueOf(referenceFor(program, model));
    for (const comparison of comparisons) {
      const circumstances = (): RobustGiven => ({
        models: [model, reference],
        newSolver,
        deadline: performance.now() + timeLimit * 1000,
      });
      const exact = timed(
        () => analyse({ program, comparisons: [comparison] }, circumstances())[0],
      );
      const { verdict, upTo, explored } = exact.result;
      const input = { test: { ...test, program }, comparison, costs: DEFAULT_COSTS };
      const repair =
        verdict === 'not robust' ? timed(() => fixRobustness(input, circumstances())) : undefined;
      const found: RobustFound = {
        test: test.name,
        model: model.name,
        comparison,
        verdict,
        upTo,
        explored,
        milliseconds: exact.milliseconds,
        ...(repair !== undefined && {
          repair: {
            kind: repair.result.kind,
            cost: 'cost' in repair.result ? repair.result.cost : undefined,
            milliseconds: repair.milliseconds,
          },
        }),
      };
      writeSync(1, `${JSON.stringify(found)}\n`);
    }
  }
}
