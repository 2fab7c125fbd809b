import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { languageOf } from '../../src/editor/language.js';
import { Workspace } from '../../src/editor/workspace.js';
import { DISK } from '../../src/node/models.js';
import { ok } from '../../src/parse/diagnostics/index.js';
import { ROOT } from './run.js';

/** All files of the corpus and of the models that the editor knows. */
export const paths: readonly string[] = ['corpus', 'models'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => languageOf(file) !== undefined)
    .sort()
    .map((file) => join(ROOT, folder, file)),
);

/** A workspace of some texts, with the files that come with Remora. */
export function workspaceOf(texts: Readonly<Record<string, string>>): Workspace {
  const own = new Map(Object.entries(texts));
  const files = {
    ...DISK,
    exists: (path: string) => own.has(path) || DISK.exists(path),
    read: (path: string) => {
      const text = own.get(path);
      return text === undefined ? DISK.read(path) : ok({ path, text });
    },
  };
  return new Workspace(files, () => [...own.keys()]);
}
