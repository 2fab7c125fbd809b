// Loads the models that come with Remora and leaves them in `dist/made`, as JSON: to lex, parse and elaborate
// their files takes longer than to decide most tests. A file that was changed since is loaded anew.
import { mkdirSync, writeFileSync } from 'node:fs';
import * as paths from 'node:path';
import { gzipSync } from 'node:zlib';
import { keptOf } from '../dist/model/load.js';
import { shippedFile } from '../dist/model/places.js';
import type { MadeFile } from '../dist/node/models.js';
import {
  DISK,
  MADE_FOLDER,
  MADE_TEXTS,
  loadModel,
  madeFile,
  shippedModels,
} from '../dist/node/models.js';

/** Writes them. */
export function writeModels(): void {
  mkdirSync(MADE_FOLDER, { recursive: true });
  const write = (file: string, content: object): void =>
    writeFileSync(paths.join(MADE_FOLDER, file), gzipSync(JSON.stringify(content)));
  const texts: Record<string, string> = {};
  // Of the files that are there to be included, only rdma.cat is asked for by itself: for its operations.
  for (const name of [...shippedModels(), 'rdma']) {
    const fresh = { ...DISK, made: undefined };
    const { model, sources } = loadModel(shippedFile(name, DISK), fresh);
    if (!model.ok) throw new Error(`${name}: ${model.errors[0].message}`);
    const { model: kept, texts: own } = keptOf(model.value, sources, DISK);
    const file: MadeFile = { model: kept, files: own.map(([path]) => path) };
    write(madeFile(name), file);
    for (const [path, text] of own) texts[path] = text;
  }
  write(MADE_TEXTS, texts);
}
