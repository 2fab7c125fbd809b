import { aboutOther } from '../model/instructions/other.js';
import type { Model } from '../model/term.js';
import type { Result } from '../parse/diagnostics/index.js';
import { fail, ok } from '../parse/diagnostics/index.js';
import { inInstructionsOf } from '../program/in-model.js';
import type { Program } from '../program/program.js';
import { loadModelNamed } from './models.js';

/** The name of the model that robustness compares with. */
const REFERENCE = 'sc';

let loaded: Model | undefined;

/** The model that robustness compares with, as it is shipped: sequential consistency. */
export function referenceModel(): Model {
  if (loaded === undefined) {
    const { model } = loadModelNamed(REFERENCE);
    if (!model.ok) throw new Error(`the model ${REFERENCE} does not load`);
    loaded = model.value;
  }
  return loaded;
}

/**
 * The same model, to compare the executions of a program under another one with. Fails with one diagnostic for
 * each operation of the program that the reference has no meaning for.
 */
export function referenceFor(
  program: Program,
  { instructions }: Pick<Model, 'instructions'>,
): Result<Model> {
  const meant = inInstructionsOf(program, referenceModel());
  const hint = `robustness compares with ${REFERENCE}`;
  if (!meant.ok) return fail(meant.errors.map((error) => ({ ...error, hint })));
  return ok(aboutOther(referenceModel(), instructions));
}
