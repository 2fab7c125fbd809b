import { verifyWitness } from '../check/witness/verify.js';
import type { Machine } from '../machine/machine.js';
import type { Model } from '../model/term.js';
import { executionOf } from './execution.js';
import { finished } from './finish.js';
import { layersFor, relationsOf } from './prepare.js';
import type { Run } from './runs.js';

/**
 * A second opinion on a run: what its threads do is replayed by the program, and its execution is judged by the axioms of the model, as witnesses are. Of a run that goes on, what
 * was begun is brought to its end before; where that cannot be, there is no second opinion.
 *
 * @returns what is wrong, which is a bug: the program has no such execution, or the model does not allow it
 */
export function wrongRun(machine: Machine, model: Model, run: Run): string | undefined {
  const { calls } = machine.layout;
  const layers = layersFor(calls, machine.layout.program, model);
  const steps = finished(machine, run);
  if ('message' in layers || steps === undefined) return undefined;
  const { program } = machine.layout;
  const found = executionOf(machine, relationsOf(model, layers, program.instructions), steps);
  const verified = 'wrong' in found ? found : verifyWitness(found.structure, model, found.witness);
  if ('wrong' in verified) return `${DISAGREE}: ${verified.wrong}`;
  const broken = verified.judgement.axioms.filter(({ holds }) => !holds);
  if (broken.length === 0) return undefined;
  return `${DISAGREE}: ${broken.map(({ axiom }) => axiom.name).join(', ')} of ${model.name} fails`;
}

export const DISAGREE =
  'internal error, please report it: a run of the machine is none by the axioms';
