import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { MODELS_FOLDER } from './models.js';

/** The tables of interfaces that come with Remora, by their names (models/api). */
export function interfaceTables(): ReadonlyMap<string, string> {
  const folder = join(MODELS_FOLDER, 'api');
  return new Map(
    readdirSync(folder)
      .filter((name) => name.endsWith('.api'))
      .sort()
      .map((name) => [name.slice(0, -'.api'.length), readFileSync(join(folder, name), 'utf8')]),
  );
}
