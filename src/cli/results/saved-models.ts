/** The models of a file of results. */
import type { Model } from '../../model/term.js';
import { loadModelFile, loadModelNamed } from '../../node/models.js';
import { render } from '../inputs/messages.js';
import { contentOf } from '../inputs/shard.js';
import type { RunModel } from './format.js';
import { filesWith } from './saved-files.js';

/**
 * Loads the models of a run: by name if they come with Remora, otherwise from the file of results. Results of a model
 * with another text are those of another model.
 */
export function modelsOf(
  run: readonly RunModel[],
): { readonly items: readonly Model[] } | { readonly errors: readonly string[] } {
  const items: Model[] = [];
  for (const { model: name, content, sources = [] } of run) {
    const [own] = sources;
    const { model, sources: all } =
      own === undefined ? loadModelNamed(name) : loadModelFile(own.path, filesWith(sources));
    if (!model.ok) return { errors: render(model.errors, all) };
    const texts = [...all.values()].map(({ text }) => text);
    if (contentOf(texts.join('\n')) !== content) {
      return { errors: [`the results are of another text of model ${name} than is here`] };
    }
    items.push(model.value);
  }
  return { items };
}
