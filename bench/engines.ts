// How an engine comes to an answer in this process.
import { decideByCandidates, outcomesByCandidates } from '../dist/check/by-candidates.js';
import type { Answer, Outcomes } from '../dist/check/result.js';
import type { StageMeans } from '../dist/check/stages.js';
import { decideInStages, outcomesInStages } from '../dist/check/stages.js';
import type { Acyclicity } from '../dist/encode/acyclicity/choice.js';
import type { Model } from '../dist/model/term.js';
import { loadZ3 } from '../dist/node/z3.js';
import type { Subject, Test } from '../dist/program/program.js';
import type { Engine } from '../dist/rdma/engines.js';
import { ENGINES, needsBuiltIn, stagesOf } from '../dist/rdma/engines.js';

/** The encodings for Z3, Remora's own search, and the enumeration without a solver. */
export const MEASURED = ENGINES.filter(
  (name) => name.startsWith('smt') || ['search', 'enumerate'].includes(name),
);

/** The encoding for the clause search, which is what the default engine asks. */
export const DEFAULT_ENCODING: Acyclicity = 'difference';

/** How an engine has acyclicity encoded, if it is one that solves. */
export function encodingOf(engine: Engine): Acyclicity | undefined {
  const stage = stagesOf(engine).at(-1)!;
  if (stage.kind === 'search') return DEFAULT_ENCODING;
  return stage.kind === 'solve' ? stage.acyclicity : undefined;
}

/** An engine that is ready. */
export interface StartedEngine {
  /** The answer to the test's query; it stops at the first execution that gives it. */
  answer(test: Test, model: Model): Promise<Answer>;
  /** All final states. */
  outcomes(test: Test, model: Model, subjects: readonly Subject[]): Promise<Outcomes>;
}

/**
 * Starts an engine: if it always needs Z3, that is loaded.
 *
 * @param seconds that an answer may take, where the engine watches the time
 */
export async function startEngine(engine: Engine, seconds: number): Promise<StartedEngine> {
  const stages = stagesOf(engine);
  const timeLimit = seconds * 1000;
  const loaded = needsBuiltIn(engine) ? await loadZ3() : undefined;
  const solver = async () => loaded ?? loadZ3();
  const means: StageMeans = { solver, started: () => {}, timeLimit };
  const limits = () => ({ deadline: performance.now() + timeLimit });
  return {
    async answer(test, model) {
      // The stage would go through all executions, and count them.
      if (engine === 'enumerate') return decideByCandidates(test, model, [0], false, limits())[0];
      const questions = { tests: [test], models: [model], queries: [0] };
      return (await decideInStages(stages, questions, means))[0][0];
    },
    async outcomes(test, model, subjects) {
      if (engine === 'enumerate') {
        return outcomesByCandidates(test, model, subjects, false, limits());
      }
      const listing = { test, model, subjects, counted: false };
      return outcomesInStages(stages, listing, means, () => {});
    },
  };
}
