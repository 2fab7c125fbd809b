import { enumerateStates } from '../../check/enumerate/candidates.js';
import { structureFor } from '../../check/structure.js';
import type { Model } from '../../model/term.js';
import type { Test } from '../../program/program.js';
import { allSubjects, subjectName } from '../../program/subjects.js';
import { adapt } from '../../rdma/translate.js';
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

/** How many candidates of one program are tried. */
const CANDIDATES = 20_000;

/** The final states of a program without loops; undefined: they were not all found. */
export function statesOf({ program }: Test, model: Model): StatesOf | undefined {
  const adapted = adapt(program, model);
  if (!adapted.ok) return undefined;
  const structure = structureFor(adapted.value.program, model);
  if ('reason' in structure) return undefined;
  const subjects = allSubjects(program);
  const under = (variant: Model): readonly State[] | undefined => {
    const found = enumerateStates(structure, variant, subjects, { limit: CANDIDATES });
    if (found.incomplete !== undefined) return undefined;
    return [...found.states].map((one) => one.split(','));
  };
  const [possible, allowed] = [under(withoutAxioms(model)), under(model)];
  if (possible === undefined || allowed === undefined) return undefined;
  return { names: subjects.map((one) => subjectName(program, one)), possible, allowed, under };
}

const lawless = new WeakMap<Model, Model>();

/** The same model with each call: much is known by model. */
function withoutAxioms(model: Model): Model {
  const known = lawless.get(model) ?? { ...model, axioms: [] };
  lawless.set(model, known);
  return known;
}
