/** The instruction sets that come with Remora. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readIsas } from '../parse/isa.js';
import { MODELS_FOLDER } from './models.js';

export const isas = readIsas(() => {
  const folder = join(MODELS_FOLDER, 'isa');
  return readdirSync(folder)
    .sort()
    .map((file) => join(folder, file))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
});
