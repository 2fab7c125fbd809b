import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { languageOf } from '../../editor/language.js';
import type { ModelFiles } from '../../model/load.js';
import { DISK } from '../../node/models.js';
import { decodeSource } from '../../node/read.js';

/** The path of a document, or its address if it is no file. */
export const pathOf = (uri: string): string => (uri.startsWith('file:') ? fileURLToPath(uri) : uri);

/** The address of a path. */
export const uriOf = (path: string): string =>
  /^[a-z][a-z0-9+.-]+:/i.test(path) ? path : pathToFileURL(path).href;

/** Finds an open document by its address. */
export type Opened = (uri: string) => TextDocument | undefined;

/** Files with their text in the editor, or, if they are not open, on the disk. */
export function editedFiles(opened: Opened): ModelFiles {
  const byPath = (path: string): TextDocument | undefined => opened(uriOf(path));
  return {
    ...DISK,
    exists: (path) => byPath(path) !== undefined || DISK.exists(path),
    read: (path) => {
      const document = byPath(path);
      return document === undefined
        ? DISK.read(path)
        : decodeSource(path, Buffer.from(document.getText()));
    },
  };
}

/** The search for files ends at so many, more than anybody has in one workspace. */
const MOST = 5000;

/** Folders whose files are not the user's own. */
const OTHERS = /^(node_modules|dist|\..*)$/;

/** The paths of litmus, cat and implementation files in some folders. */
export function filesIn(folders: readonly string[]): readonly string[] {
  const found: string[] = [];
  const pending = folders.filter((folder) => existsSync(folder));
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const entry of readable(folder)) {
      if (found.length >= MOST) return found;
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !OTHERS.test(entry.name)) pending.push(path);
      else if (entry.isFile() && languageOf(path) !== undefined) found.push(path);
    }
  }
  return found.sort();
}

function readable(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
