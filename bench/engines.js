// How an engine comes to an answer in this process.
import { decideByCandidates, outcomesByCandidates } from '../dist/check/by-candidates.js';
import { decide, enumerate } from '../dist/check/decide.js';
import { ENGINES, solverOf } from '../dist/rdma/engines.js';
import { ClauseSearch } from '../dist/solve/search/search.js';
import { loadZ3 } from '../dist/node/z3.js';

/** The encodings for Z3, Remora's own search, and the enumeration without a solver. */
export const MEASURED = ENGINES.filter(
  (name) => name.startsWith('smt') || ['search', 'enumerate'].includes(name),
);

/**
 * An engine that is ready: solvers are loaded. `onSolve` hears the number of clauses, and of differences
 * where the encoding has some, before a solver runs.
 */
export async function startEngine(engine, timeLimit, onSolve) {
  const solving = solverOf(engine);
  const solver = async () =>
    solving.kind === 'search' ? () => new ClauseSearch(solving.effort) : await loadZ3();
  const newSolver = solving && counting(await solver(), onSolve);
  const options = { acyclicity: solving?.acyclicity, isSearch: solving?.kind === 'search' };
  const limits = () => ({ deadline: performance.now() + timeLimit * 1000 });
  const queries = (test) => test.queries.map((_, i) => i);
  return {
    /** The answer to the test's query; it stops at the first execution that gives it. */
    answer(test, model) {
      if (solving === undefined) {
        return decideByCandidates(test, model, queries(test), false, limits())[0];
      }
      const answers = [];
      decide(test, model, newSolver, options, (answer) => answers.push(answer));
      return answers[0];
    },
    /** All final states. */
    outcomes(test, model, subjects) {
      if (solving === undefined) {
        return outcomesByCandidates(test, model, subjects, false, limits());
      }
      return enumerate(test, model, newSolver, subjects, undefined, options);
    },
  };
}

/** Solvers that count their clauses. */
function counting(newSolver, onSolve) {
  return (options) => {
    const solver = newSolver(options);
    let clauses = 0;
    return {
      value: (variable) => solver.value(variable),
      dispose: () => solver.dispose(),
      addClause(clause) {
        clauses += 1;
        solver.addClause(clause);
      },
      addLess(...less) {
        clauses += 1;
        solver.addLess(...less);
      },
      check(assumptions) {
        onSolve(clauses);
        return solver.check(assumptions);
      },
    };
  };
}
