// How an engine comes to an answer in this process.
import { decideByCandidates, outcomesByCandidates } from '../dist/check/by-candidates.js';
import { decideInStages, outcomesInStages } from '../dist/check/stages.js';
import { ENGINES, needsBuiltIn, stagesOf } from '../dist/rdma/engines.js';
import { loadZ3 } from '../dist/node/z3.js';

/** The encodings for Z3, Remora's own search, and the enumeration without a solver. */
export const MEASURED = ENGINES.filter(
  (name) => name.startsWith('smt') || ['search', 'enumerate'].includes(name),
);

/** How an engine has acyclicity encoded, if it is one that solves. */
export function encodingOf(engine) {
  const stage = stagesOf(engine).at(-1);
  return stage.kind === 'search' ? 'difference' : stage.acyclicity;
}

/** The encoding for the clause search, which is what the default engine asks of all but tiny programs. */
export const DEFAULT_ENCODING = encodingOf('search');

/** An engine that is ready: if it always needs Z3, that is loaded. */
export async function startEngine(engine, timeLimit) {
  const stages = stagesOf(engine);
  const loaded = needsBuiltIn(engine) ? await loadZ3() : undefined;
  const means = { solver: async () => loaded ?? loadZ3(), started: () => {} };
  const limits = () => ({ deadline: performance.now() + timeLimit * 1000 });
  return {
    /** The answer to the test's query; it stops at the first execution that gives it. */
    async answer(test, model) {
      // The stage would go through all executions, and count them.
      if (engine === 'enumerate') return decideByCandidates(test, model, [0], false, limits())[0];
      const questions = { tests: [test], models: [model], queries: [0] };
      return (await decideInStages(stages, questions, means))[0][0];
    },
    /** All final states. */
    async outcomes(test, model, subjects) {
      if (engine === 'enumerate') {
        return outcomesByCandidates(test, model, subjects, false, limits());
      }
      const listing = { test, model, subjects, counted: false };
      return outcomesInStages(stages, listing, means, () => {});
    },
  };
}
