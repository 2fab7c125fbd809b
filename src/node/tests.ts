import type { Result } from '../parse/diagnostics/index.js';
import type { Test } from '../program/program.js';
import { readTestOrClient } from '../program/read.js';
import { instructionsOf } from '../model/instructions/union.js';
import { expectedNames } from '../model/shipped.js';
import type { Model } from '../model/term.js';
import { Libraries } from '../program/libraries.js';
import type { Client, ClientOptions } from '../program/client.js';
import { resolveClient } from '../program/client.js';
import { herdReader } from '../parse/herd-litmus.js';
import { setHerdReader } from '../parse/litmus.js';
import { isas } from './isas.js';
import { DISK, defaultInstructions } from './models.js';

setHerdReader(herdReader(isas));

/**
 * Parses and resolves a litmus test, which may expect something of the models that come with Remora.
 *
 * @param file the name that diagnostics give it
 * @param models other models that it may expect something of, and whose operations it may call
 */
export function parseLitmus(
  text: string,
  file = 'input.litmus',
  models: readonly ModelOrName[] = [],
): Result<Test> {
  return readLitmus(text, file, models).test;
}

/** The same with every file that diagnostics may point into. */
export function readLitmus(
  text: string,
  file: string,
  models: readonly ModelOrName[] = [],
  clients: Partial<ClientOptions> = {},
): Client {
  const names = models.map((model) => (typeof model === 'string' ? model : model.name));
  const loaded = models.filter((model) => typeof model !== 'string');
  // Also where no model asked has such an operation: then that is what is wrong, and not the file.
  const instructions = instructionsOf(loaded, defaultInstructions());
  return readTestOrClient(
    { path: file, text },
    {
      instructions,
      models: [...new Set([...expectedNames(DISK), ...names])],
      client: (file) => resolveClient(file, { libraries: new Libraries(DISK), ...clients }),
    },
  );
}

/** A model, or of one that is not at hand its name. */
export type ModelOrName = string | Pick<Model, 'name' | 'instructions'>;
