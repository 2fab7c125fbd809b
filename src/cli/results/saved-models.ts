/** The models of a file of results. */
import { basename } from 'node:path';
import type { Model } from '../../model/term.js';
import { loadModelFile, loadModelNamed } from '../../node/models.js';
import { WITH_CPU } from '../../model/cpus.js';
import type { LoadedModel } from '../../model/load.js';
import { WITHOUT } from '../../model/shipped.js';
import { render } from '../inputs/messages.js';
import { contentOf } from '../inputs/shard.js';
import type { RunModel } from './format.js';
import { filesWith } from './saved-files.js';

/**
 * Loads a model of a run with the text that it had: what comes with Remora by its name, and other files, of the model or of its CPU, from
 * the results.
 */
export function loadSavedModel({ model, sources = [] }: RunModel): LoadedModel {
  const files = filesWith(sources);
  const paths = new Map(sources.map(({ path }) => [basename(path, '.cat'), path]));
  const whole = paths.get(model);
  if (whole !== undefined) return loadModelFile(whole, files);
  const named = (one: string, at: number): string =>
    (model[at - 1] === WITHOUT ? undefined : paths.get(one)) ?? one;
  return loadModelNamed(model.replaceAll(NAMES, named), files);
}

/** The names that the name of a model consists of. */
const NAMES = RegExp(`[^${WITH_CPU}${WITHOUT}]+`, 'g');

/**
 * Loads the models of a run: by name if they come with Remora, otherwise from the file of results. Results of a model
 * with another text are those of another model.
 */
export function modelsOf(
  run: readonly RunModel[],
): { readonly items: readonly Model[] } | { readonly errors: readonly string[] } {
  const items: Model[] = [];
  for (const one of run) {
    const { model, sources: all } = loadSavedModel(one);
    if (!model.ok) return { errors: render(model.errors, all) };
    const texts = [...all.values()].map(({ text }) => text);
    if (contentOf(texts.join('\n')) !== one.content) {
      return { errors: [`the results are of another text of model ${one.model} than is here`] };
    }
    items.push(model.value);
  }
  return { items };
}
