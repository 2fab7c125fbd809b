import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { elaborate } from '../../src/model/elaborate.js';
import { MODELS_FOLDER } from '../../src/node/models.js';
import type { Model } from '../../src/model/term.js';
import type { CatFile, Item } from '../../src/parse/cat-ast.js';
import { parseCat } from '../../src/parse/cat.js';
import { whole } from '../../src/parse/diagnostics/index.js';
import type { Edit, Mutant } from './mutant.js';

/** The text of a file of the models folder. */
export function shippedText(file: string): string {
  if (!texts.has(file)) texts.set(file, readFileSync(join(MODELS_FOLDER, file), 'utf8'));
  return texts.get(file)!;
}

const texts = new Map<string, string>();

/** The files that a shipped model is made of: its own, and all that it includes. */
export function filesOf(file: string): readonly string[] {
  const path = join(MODELS_FOLDER, file);
  const included = parsed(path, shippedText(file)).items.flatMap((item) =>
    item.kind === 'include' ? filesOf(item.path.text) : [],
  );
  return [...new Set([file, ...included])];
}

/** A shipped model as it is. */
export const originalModel = (model: string): Model => edited(model, []);

/** A shipped model with a mutant's edits. */
export const mutatedModel = ({ model, edits }: Pick<Mutant, 'model' | 'edits'>): Model =>
  edited(model, edits);

/**
 * A model made of edited texts, as `loadModel` makes it of files. Texts that are parsed again and
 * again are parsed once: nearly all mutants leave the included files as they are.
 *
 * @throws Error if an edit's text does not occur exactly once, or the outcome is not a model
 */
function edited(model: string, edits: readonly Edit[]): Model {
  const sources = new Map<string, { readonly path: string; readonly text: string }>();
  const items = (file: string): Item[] => {
    const mine = edits.filter((edit) => edit.file === file);
    const text = mine.reduce(replaceOnce, shippedText(file));
    const path = join(MODELS_FOLDER, file);
    sources.set(path, { path, text });
    return parsed(path, text).items.flatMap((item) =>
      item.kind === 'include' ? items(item.path.text) : [item],
    );
  };
  const file = join(MODELS_FOLDER, `${model}.cat`);
  const own = items(`${model}.cat`);
  const all = own.some(({ kind }) => kind === 'event') ? own : [...items(INSTRUCTIONS), ...own];
  const result = elaborate({ name: model, title: model, file, shipped: true, items: all }, sources);
  if (result.ok) return result.value;
  throw new Error(`${model}: ${result.errors[0].message}, after ${JSON.stringify(edits)}`);
}

/** What a model is about that declares nothing. */
export const INSTRUCTIONS = 'instructions.cat';

const trees = new Map<string, CatFile>();

function parsed(path: string, text: string): CatFile {
  const known = trees.get(text);
  if (known !== undefined) return known;
  const tree = whole(parseCat({ path, text }));
  if (!tree.ok) throw new Error(`${path}: ${tree.errors[0].message}`);
  if (text === shippedText(path.slice(MODELS_FOLDER.length + 1))) trees.set(text, tree.value);
  return tree.value;
}

function replaceOnce(text: string, { file, from, to }: Edit): string {
  const parts = text.split(from);
  if (parts.length !== 2) throw new Error(`${file} has '${from}' ${parts.length - 1} times`);
  return parts.join(to);
}
