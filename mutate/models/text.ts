import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { CPUS } from '../../src/model/cpus.js';
import { shippedFile } from '../../src/model/places.js';
import { DISK, loadModel } from '../../src/node/models.js';
import type { Model } from '../../src/model/term.js';
import type { Result, SourceFile } from '../../src/parse/diagnostics/index.js';
import { ok } from '../../src/parse/diagnostics/index.js';
import type { Edit, Mutant } from './mutant.js';

/** The text of a file of the models folder. */
export function shippedText(file: string): string {
  if (!texts.has(file)) texts.set(file, readFileSync(pathOf(file), 'utf8'));
  return texts.get(file)!;
}

const texts = new Map<string, string>();

/** The path of a file of the models folder, which may be a CPU, or a part of one. */
function pathOf(file: string): string {
  const cpu = join(DISK.folder, CPUS);
  const paths = [
    shippedFile(file.replace(/\.cat$/, ''), DISK),
    join(cpu, file),
    join(cpu, 'parts', file),
  ];
  return paths.find((path) => existsSync(path)) ?? paths[0];
}

/** The files that a shipped model is made of: its own, and all that it includes. */
export function filesOf(file: string): readonly string[] {
  const { sources } = loadModel(pathOf(file));
  return [...sources.keys()].map((path) => basename(path));
}

/** A shipped model as it is. */
export const originalModel = (model: string): Model => edited(model, []);

/** A shipped model with a mutant's edits. */
export const mutatedModel = ({ model, edits }: Pick<Mutant, 'model' | 'edits'>): Model =>
  edited(model, edits);

/**
 * A model made of edited texts.
 *
 * @throws Error if an edit's text does not occur exactly once, or the outcome is not a model
 */
function edited(model: string, edits: readonly Edit[]): Model {
  const read = (path: string): Result<SourceFile> => {
    const file = basename(path);
    const mine = edits.filter((edit) => edit.file === file);
    return ok({ path, text: mine.reduce(replaceOnce, shippedText(file)) });
  };
  const path = pathOf(`${model}.cat`);
  const { model: result } = loadModel(path, { exists: existsSync, read });
  if (result.ok) return result.value;
  throw new Error(`${model}: ${result.errors[0].message}, after ${JSON.stringify(edits)}`);
}

function replaceOnce(text: string, { file, from, to }: Edit): string {
  const parts = text.split(from);
  if (parts.length !== 2) throw new Error(`${file} has '${from}' ${parts.length - 1} times`);
  return parts.join(to);
}
