// Loads the models that come with Remora and leaves them in `dist/made`, as JSON: to lex, parse and elaborate
// their files takes longer than to decide most tests. A file that was changed since is loaded anew.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import * as paths from 'node:path';
import { keptOf } from '../dist/model/load.js';
import { DISK, MADE_FOLDER, MODELS_FOLDER, loadModel } from '../dist/node/models.js';

mkdirSync(MADE_FOLDER, { recursive: true });
for (const file of readdirSync(MODELS_FOLDER)) {
  const fresh = { ...DISK, made: undefined };
  const { model, sources } = loadModel(paths.join(MODELS_FOLDER, file), fresh);
  // Files that are there to be included may use what others define.
  if (!model.ok) continue;
  const kept = keptOf(model.value, sources, paths);
  writeFileSync(paths.join(MADE_FOLDER, file.replace(/\.cat$/, '.json')), JSON.stringify(kept));
}
