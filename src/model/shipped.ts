import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { didYouMean } from '../diagnostics/index.js';
import { PRELUDES } from './herd-names.js';
import type { LoadedModel } from './load.js';
import { MODELS_FOLDER, loadModel } from './load.js';

/** The models that tests are decided under by default, in the order of tables. */
export const MAIN_MODELS: readonly string[] = [
  'sc',
  'rdma-sc',
  'rdma-tso',
  'rdma-tso-nopcie',
  'rdma-wait',
];

/** The model for programs without remote operations. */
export const CPU_MODEL = 'x86-tso';

let names: readonly string[] | undefined;

/** The names of all models that come with Remora; files without axioms are there to be included. */
export function shippedModels(): readonly string[] {
  names ??= readdirSync(MODELS_FOLDER)
    .filter((file) => file.endsWith('.cat') && !PRELUDES.has(file))
    .map((file) => file.slice(0, -'.cat'.length))
    .sort();
  return names;
}

/**
 * Loads a model by the name of a shipped one or by the path of a `.cat` file.
 * Errors: those of `loadModel`, an unknown name, and a file that has no axioms.
 */
export function loadModelNamed(nameOrPath: string): LoadedModel {
  const isPath = nameOrPath.endsWith('.cat') || nameOrPath.includes('/');
  if (!isPath && !existsSync(join(MODELS_FOLDER, `${nameOrPath}.cat`))) {
    const hint = didYouMean(nameOrPath, shippedModels());
    const span = { file: nameOrPath, start: 0, end: 0 };
    const message = `no such model; there are ${shippedModels().join(', ')}, or give a .cat file`;
    const error = { span, message, ...(hint !== undefined && { hint }) };
    return { model: { ok: false, errors: [error] }, sources: new Map() };
  }
  const loaded = loadModel(isPath ? nameOrPath : join(MODELS_FOLDER, `${nameOrPath}.cat`));
  if (loaded.model.ok && loaded.model.value.axioms.every((a) => a.flag)) {
    const span = { file: nameOrPath, start: 0, end: 0 };
    const message = 'this model has no axioms: it would allow everything';
    return { ...loaded, model: { ok: false, errors: [{ span, message }] } };
  }
  return loaded;
}
