import type { Explorer } from '../../check/explorer.js';
import type { Model } from '../../model/term.js';
import { decideByMachine, outcomesByMachine } from './decide.js';
import type { Hardware } from './hardware.js';
import { machineFor } from './hardware.js';

/** Explores the machines of models, those that have one. */
export function byMachine(queuePairs: Hardware['queuePairs']): Explorer {
  const machine = (model: Model): Hardware => {
    const found = machineFor(model, queuePairs);
    if (found === undefined) throw new Error(`no machine for ${model.name}: see refusal`);
    return found;
  };
  return {
    decide: (test, model, queries, limits) =>
      decideByMachine(test, machine(model), queries, limits),
    outcomes: (test, model, subjects, _, limits) =>
      outcomesByMachine(test, machine(model), subjects, limits),
  };
}
