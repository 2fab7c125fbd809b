import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** What tells a folder that may be replaced from one with the user's own files. */
export const MARKER = 'remora-report.txt';

const MARKER_TEXT =
  'This folder was written by `remora report`. The next report that is written here replaces all of it.\n';

/** A site that is being written, beside the place where it will be. */
export interface SiteFolder {
  /** Writes a file; its path has `/` between folders. Throws where the disk does. */
  write(path: string, text: string): void;
  /** Puts the site in its place, and throws a former report away. Throws where the disk does. */
  publish(): void;
  /** Leaves everything as it was before. */
  discard(): void;
}

/**
 * Begins to write a site to a folder, which is not touched before all is written. Gives an error where
 * the folder has something else than a report in it, or cannot be written.
 */
export function openSiteFolder(folder: string): SiteFolder | { readonly error: string } {
  try {
    const problem = occupied(folder);
    if (problem !== undefined) return { error: `${folder}: ${problem}` };
    const target = existsSync(folder) ? realpathSync(folder) : resolve(folder);
    const parent = dirname(target);
    // The outermost of the folders that were not there.
    const made = makeFolders(parent);
    const beside = (what: string) => join(parent, `.remora-report-${what}-${process.pid}`);
    const draft = beside('unfinished');
    const discard = () => {
      rmSync(draft, { recursive: true, force: true });
      if (made !== undefined) rmSync(made, { recursive: true, force: true });
    };
    try {
      mkdirSync(draft);
      writeFileSync(join(draft, MARKER), MARKER_TEXT);
      return { ...draftAt(draft, target, beside('former')), discard };
    } catch (error) {
      discard();
      throw error;
    }
  } catch (error) {
    return { error: unwritable(folder, error) };
  }
}

/**
 * Makes a folder and those that it is in, as far as they are not there; gives the outermost one made. One
 * by one: in some file systems Node itself tries for ever to make all at once.
 */
function makeFolders(folder: string): string | undefined {
  const missing: string[] = [];
  for (let at = folder; !existsSync(at); at = dirname(at)) missing.unshift(at);
  let made: string | undefined;
  try {
    for (const each of missing) {
      mkdirSync(each);
      made ??= each;
    }
    return made;
  } catch (error) {
    if (made !== undefined) rmSync(made, { recursive: true, force: true });
    throw error;
  }
}

/** What is said of a folder that cannot be written; throws again what is not the disk's fault. */
export function unwritable(folder: string, error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  return `${folder}: cannot be written (${code})`;
}

/** Why a folder is not to be replaced. */
function occupied(folder: string): string | undefined {
  const status = lstatSync(folder, { throwIfNoEntry: false });
  if (status === undefined) return undefined;
  if (!existsSync(folder)) return 'this is a link to nothing';
  const real = realpathSync(folder);
  if (!lstatSync(real).isDirectory()) return 'this is a file, not a folder';
  const names = readdirSync(real);
  if (names.length === 0 || names.includes(MARKER)) return undefined;
  return 'this folder has other files in it: give a new or an empty one, or that of a former report';
}

function draftAt(
  draft: string,
  target: string,
  former: string,
): Pick<SiteFolder, 'write' | 'publish'> {
  return {
    write(path, text) {
      const file = join(draft, ...path.split('/'));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    },
    publish() {
      const replaces = existsSync(target);
      if (replaces) renameSync(target, former);
      try {
        renameSync(draft, target);
      } catch (error) {
        if (replaces) renameSync(former, target);
        throw error;
      }
      if (replaces) rmSync(former, { recursive: true, force: true });
    },
  };
}
