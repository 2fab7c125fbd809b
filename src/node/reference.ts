import { loadModelNamed } from './models.js';
import type { Model } from '../model/term.js';

/** The name of the model that robustness compares with. */
export const REFERENCE = 'sc';

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
