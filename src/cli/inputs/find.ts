import { C_ENDINGS, isC } from '../../program/read.js';
import type { Dirent } from 'node:fs';
import { readFileSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, extname, join, relative } from 'node:path';
import { mayHaveHead } from '../../c/beginning.js';
import { STDIN } from './stdin.js';

/** The files that paths name, and why others cannot be found. */
export interface FoundFiles {
  readonly files: readonly string[];
  readonly errors: readonly string[];
}

/** How the names of tests end. */
const TESTS: readonly string[] = ['.litmus', ...C_ENDINGS];

/** In a folder, C files count that say what they are about. */
const hasHead = (path: string): boolean => !isC(path) || mayHaveHead(readFileSync(path, 'utf8'));

/** Remembers a real path, and says whether it was known before. */
type Seen = (real: string) => boolean;

/**
 * Finds the files that paths name. Folders are searched for litmus files, or for files with other endings, through
 * links, too. Every file and folder counts once, by the first path without links that leads to it, or else by the first
 * path.
 */
export function findTests(
  paths: readonly string[],
  endings: readonly string[] = TESTS,
): readonly FoundFiles[] {
  const all = new Set<string>();
  const seen: Seen = (real) => all.size === all.add(real).size;
  return paths.map((path) => {
    if (path === STDIN) return { files: [path], errors: [] };
    try {
      const status = statSync(path);
      // A pipe or a device has no real path. Reading it gives the message.
      if (!status.isFile() && !status.isDirectory()) return { files: [path], errors: [] };
      const real = realpathSync(path);
      if (seen(real)) return { files: [], errors: [] };
      return status.isDirectory()
        ? searchFolder(path, real, seen, endings)
        : { files: [path], errors: [] };
    } catch (error) {
      return { files: [], errors: [`${path}: ${absence(error, 'no such file or folder')}`] };
    }
  });
}

/** Why there is nothing at a path. */
function absence(error: unknown, missing: string): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return missing;
  return code === 'ELOOP' ? 'a link that leads back to itself' : `cannot be read (${code})`;
}

/** A folder or link of the search, and its real path. */
interface FolderPlace {
  readonly path: string;
  readonly real: string;
}

/** The files of a folder; files that are reached by links come last. */
function searchFolder(
  root: string,
  real: string,
  seen: Seen,
  endings: readonly string[],
): FoundFiles {
  const files: string[] = [];
  const errors: string[] = [];
  const folders: FolderPlace[] = [{ path: root, real }];
  const links: string[] = [];
  let any = false;
  const isMeant = (name: string): boolean => endings.some((ending) => name.endsWith(ending));

  const enter = ({ path, real: at }: FolderPlace): void => {
    for (const entry of entriesOf(path, errors)) {
      const inside = { path: join(path, entry.name), real: join(at, entry.name) };
      const isTest = isMeant(entry.name);
      if (entry.isSymbolicLink()) links.push(inside.path);
      else if (entry.isDirectory()) {
        if (!seen(inside.real)) folders.push(inside);
      } else if (isTest) {
        any = true;
        if (!seen(inside.real)) files.push(inside.path);
      }
    }
  };
  const follow = (path: string): void => {
    const isTest = isMeant(path);
    try {
      const target = realpathSync(path);
      const isFolder = statSync(target).isDirectory();
      any ||= isTest;
      if (!(isFolder || isTest) || seen(target)) return;
      if (isFolder) folders.push({ path, real: target });
      else files.push(path);
    } catch (error) {
      if (isTest) errors.push(`${path}: ${absence(error, 'a link to nothing')}`);
    }
  };

  for (;;) {
    const folder = folders.pop();
    const link = folder === undefined ? links.shift() : undefined;
    if (folder !== undefined) enter(folder);
    else if (link !== undefined) follow(link);
    else break;
  }
  if (!any && errors.length === 0) {
    errors.push(`${root}: no file in this folder ends in ${listed(endings)}`);
  }
  const meant = files.filter(hasHead);
  if (meant.length === 0 && files.length > 0 && errors.length === 0) {
    errors.push(withoutHeads(root, files.length));
  }
  return { files: sortedFiles(root, meant), errors };
}

/** Why nothing is done with the C files of a folder. */
const withoutHeads = (root: string, count: number): string =>
  `${root}: ${count === 1 ? 'the C file' : `none of the ${count} C files`} in this folder ` +
  `${count === 1 ? 'does not begin' : 'begins'} with a head; remora c FILE prints what it needs`;

/** The entries of a folder, by names. If it cannot be listed, the reason is added to the errors. */
function entriesOf(folder: string, errors: string[]): readonly Dirent[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    errors.push(`${folder}: ${absence(error, 'no such folder')}`);
    return [];
  }
}

/** Files of a folder stay together; numbers inside names count as numbers. */
function sortedFiles(root: string, files: readonly string[]): readonly string[] {
  // Made only here, since making it takes longer than reading a file.
  const { compare } = new Intl.Collator('en', { numeric: true });
  const keys = files.map((file) => {
    const name = relative(root, file);
    return { file, folder: dirname(name), stem: name.slice(0, -extname(name).length) };
  });
  keys.sort((a, b) => compare(a.folder, b.folder) || compare(a.stem, b.stem));
  return keys.map(({ file }) => file);
}

/** `.a`, `.a or .b`, `.a, .b or .c` */
const listed = (all: readonly string[]): string =>
  all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`;
