import { existsSync, realpathSync } from 'node:fs';
import type { Engine } from '../../rdma/engines.js';
import { refusal } from '../../rdma/prepare.js';
import type { SourceFile } from '../../parse/diagnostics/index.js';
import { MODELS_FOLDER, loadModelFile, loadModelNamed } from '../../node/models.js';
import type { Model } from '../../model/term.js';
import { render } from './messages.js';
import type { InputReader } from './reader.js';
import { STDIN, createReader } from './reader.js';
import { contentOf } from './shard.js';

/** Models, and for each a hash of the text of its file and of all that it includes. */
export interface ModelInputs {
  readonly items: readonly Model[];
  /** Why other models are not there, ready to print. */
  readonly errors: readonly string[];
  /** Models that the engine does not take. */
  readonly refused: readonly Model[];
  readonly contents: readonly string[];
  /** The files of each model, its own file first, without those that come with Remora. */
  readonly sources: readonly (readonly SourceFile[])[];
}

/**
 * Loads every model by name or path, or for `-` from standard input. A model that is named twice counts once. A model
 * that the engine does not take is an error.
 */
export function readModels(
  names: readonly string[],
  engine: Engine,
  reader: InputReader = createReader(),
): ModelInputs {
  const items: Model[] = [];
  const refusedModels: Model[] = [];
  const contents: string[] = [];
  const made: (readonly SourceFile[])[] = [];
  const errors: string[] = [];
  const files = { exists: existsSync, read: reader.read };
  const loaded = new Set<string>();
  for (const name of names) {
    const { model, sources } =
      name === STDIN ? loadModelFile(name, files) : loadModelNamed(name, files);
    // One file is several models with several CPUs.
    const place =
      model.ok && name !== STDIN ? `${realpathSync(model.value.file)} ${model.value.name}` : name;
    if (name !== STDIN && loaded.has(place)) continue;
    loaded.add(place);
    const refused = model.ok ? refusal(engine, model.value) : undefined;
    if (!model.ok) errors.push(...render(model.errors, sources));
    else if (refused !== undefined) {
      refusedModels.push(model.value);
      errors.push(...render([refused], refused.span.end > 0 ? sources : new Map()));
    } else if (items.some((m) => m.name === model.value.name)) {
      errors.push(`${name}: there are two models called '${model.value.name}'`);
    } else {
      items.push(model.value);
      const all = [...sources.values()];
      contents.push(contentOf(all.map((s) => s.text).join('\n')));
      made.push(all.filter((s) => !s.path.startsWith(MODELS_FOLDER)));
    }
  }
  return { items, refused: refusedModels, contents, sources: made, errors };
}
