import type { Result } from '../../parse/diagnostics/index.js';
import { fail, ok } from '../../parse/diagnostics/index.js';
import { exploreRobustness, judge } from '../../rdma/loops/index.js';
import type { Model } from '../../model/term.js';
import type { Program } from '../../program/program.js';
import type { RobustFinding } from './exact.js';
import { unknown } from './exact.js';
import { describeViolation } from './violation.js';

/** How the instrumented program is to be explored. */
export interface Exploration {
  /** How many NIC writes of a queue pair may be left to be polled, where polls are in loops. */
  readonly counterBound?: number;
  /** How many states are looked at before the search gives up. */
  readonly limit?: number;
  /** Whether the memory between the parts is guessed, as in the paper: the same answer, mostly after more states. */
  readonly guesses?: boolean;
}

/** The model that the decidability paper's procedure is for. */
export const EXPLORED = 'rdma-sc';

/** The model that programs are explored under; any other is an error. */
export function exploredModel(model: Model): Result<Model> {
  const shipped = model.shipped;
  if (shipped && model.name === EXPLORED) return ok(model);
  const span = { file: shipped ? model.name : model.file, start: 0, end: 0 };
  return fail([{ span, message: `the exploration decides robustness under ${EXPLORED} only` }]);
}

/**
 * Is every execution of a program that RDMA^SC admits one of the reference too, wherever its threads
 * stop (decidability paper, section 6)? Loops are explored as they are. The program must be in the model's
 * instructions, and the model the explored one.
 *
 * @param deadline when to give up, as `performance.now()` counts
 */
export function exploreExecutions(
  program: Program,
  model: Model,
  reference: Model,
  { guesses = false, ...options }: Exploration & { readonly deadline: number },
): RobustFinding {
  const answer = exploreRobustness(
    program,
    { admits: model, reference },
    { ...options, ordered: !guesses },
  );
  if (!answer.ok) return unknown(answer.errors[0].message);
  const { cycles, states, countedTo, ...found } = answer.value;
  const explored = { cycles, states, ...(countedTo !== undefined && { countedTo }) };
  switch (found.verdict) {
    case 'robust':
      return { verdict: 'robust', explored };
    case 'unknown': {
      const { reason, counterBound } = found;
      return { verdict: 'unknown', reason, explored: { ...explored, counterBound } };
    }
    case 'not robust': {
      const { run } = found;
      const { structure, verified } = judge(program, run, model);
      for (const axiom of reference.axioms.filter(({ flag }) => !flag)) {
        const violation = describeViolation(structure, verified, model, reference, axiom);
        if (violation === undefined) continue;
        const order = [run.order.slice(0, run.first), run.order.slice(run.first)];
        return { verdict: 'not robust', explored, violation: { ...violation, order } };
      }
      throw new Error(`the run is no violation: ${reference.name} admits it`);
    }
  }
}
