import type { Model } from '../../model/term.js';
import { allSubjects, subjectName } from '../../program/subjects.js';
import { statesOf } from '../by-size/states.js';
import type { Unrolled } from '../by-size/unrolled.js';
import type { State } from './conditions.js';

/** The final states of a program, over all that has a final value. */
export interface StatesOf {
  /** By number of the subject: its name. */
  readonly names: readonly string[];
  /** Those of all executions that are well formed. */
  readonly possible: readonly State[];
  /** Those of the executions that the model allows. */
  readonly allowed: readonly State[];
  /** Those that a variant of the model allows, with the same meaning of instructions. */
  readonly under: (variant: Model) => readonly State[] | undefined;
}

/** The final states of a program without loops; undefined: they were not all found. */
export function finalsOf(unrolled: Unrolled, model: Model): StatesOf | undefined {
  const structure = unrolled(model);
  if ('open' in structure) return undefined;
  const under = (variant: Model): readonly State[] | undefined => {
    const [states] = statesOf(unrolled, [variant]);
    return 'open' in states ? undefined : [...states].map((one) => one.split(','));
  };
  const [possible, allowed] = [under(withoutAxioms(model)), under(model)];
  if (possible === undefined || allowed === undefined) return undefined;
  const { program } = structure;
  const names = allSubjects(program).map((one) => subjectName(program, one));
  return { names, possible, allowed, under };
}

const lawless = new WeakMap<Model, Model>();

/** The same model with each call: much is known by model. */
function withoutAxioms(model: Model): Model {
  const known = lawless.get(model) ?? { ...model, axioms: [] };
  lawless.set(model, known);
  return known;
}
