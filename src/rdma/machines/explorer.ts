import type { Explorer } from '../../check/explorer.js';
import type { Model } from '../../model/term.js';
import { decideByMachine, outcomesByMachine } from './decide.js';
import type { Hardware } from './hardware.js';
import { OPERATIONAL_MODELS } from './hardware.js';

/** The machine of a model, with queue pairs of a kind; undefined if there is none for the model. */
export function machineFor(model: Model, queuePairs: Hardware['queuePairs']): Hardware | undefined {
  const hardware = model.shipped ? OPERATIONAL_MODELS.get(model.name) : undefined;
  return hardware && { ...hardware, queuePairs };
}

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
