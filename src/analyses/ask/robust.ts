import type { Engine } from '../../rdma/engines.js';
import { ENGINES, solves } from '../../rdma/engines.js';
import type { Model } from '../../model/term.js';
import type { Program } from '../../program/program.js';
import type { Pool } from '../workers.js';
import type { PrintedRepair } from '../repair/print.js';
import type { Approach } from '../robust/analysis.js';
import type { RobustFixInput } from '../robust/fix.js';
import type { Comparison, Robustness } from '../robust/result.js';

/** A program, in the instructions of a model, and how it is to be compared with SC. */
export interface RobustnessQuestion extends Approach {
  readonly program: Program;
  readonly model: Model;
  /** SC, which it is compared with. */
  readonly reference: Model;
  readonly comparisons: readonly Comparison[];
  readonly engine: Engine;
  /** Overrides the program's loop bound. */
  readonly bound?: number;
}

/** Compares a program with SC on a worker; what does not come to an end is unknown. */
export async function askRobustness(
  pool: Pool,
  { model, reference, engine, bound, ...input }: RobustnessQuestion,
): Promise<readonly Robustness[]> {
  const started = performance.now();
  const answer = await pool.analyse({
    kind: 'analysis',
    analysis: 'robust',
    engine,
    models: [model, reference],
    input,
    bound,
  });
  if ('output' in answer) return answer.output;
  const milliseconds = performance.now() - started;
  const reason = answer.unfinished;
  return input.comparisons.map((comparison) => ({
    comparison,
    verdict: 'unknown',
    reason,
    milliseconds,
  }));
}

/** Has a worker look for the cheapest additions that make a test robust. */
export async function askRobustFix(
  pool: Pool,
  {
    model,
    reference,
    engine,
    bound,
    ...input
  }: Omit<RobustnessQuestion, 'program' | 'comparisons'> & RobustFixInput,
): Promise<PrintedRepair> {
  const answer = await pool.analyse({
    kind: 'analysis',
    analysis: 'robust-fix',
    engine,
    models: [model, reference],
    input,
    bound,
  });
  return 'output' in answer ? answer.output : { kind: 'unknown', reason: answer.unfinished };
}

/** Why an engine cannot say whether a program is robust, if it cannot. */
export function refusedEngine(engine: Engine): string | undefined {
  if (solves(engine)) return undefined;
  return `the engine ${engine} asks no solver; robust takes ${ENGINES.filter(solves).join(', ')}`;
}
