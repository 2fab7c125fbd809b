import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Model } from '../model/term.js';

/** The models that come with Remora, and where includes are looked for last. */
export const MODELS_FOLDER = fileURLToPath(new URL('../../models', import.meta.url));

/** Does a model come with Remora? A file of the same name elsewhere may say anything. */
export const isShipped = ({ name, file }: Pick<Model, 'name' | 'file'>): boolean =>
  file === join(MODELS_FOLDER, `${name}.cat`);
