import { accessSync, constants, existsSync, lstatSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Is this a folder, or a link to one? */
export const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory();

/** The message if the working folder was deleted: then no relative path can be used. */
export function workingFolderProblem(): string | undefined {
  try {
    process.cwd();
    return undefined;
  } catch {
    return 'the working folder does not exist any more: change to another one';
  }
}

/** Throws the error of the system if a folder is not there and cannot be made. */
export function mayMake(folder: string): void {
  let at = folder;
  while (lstatSync(at, { throwIfNoEntry: false }) === undefined) at = dirname(at);
  accessSync(at, constants.W_OK);
  if (!isFolder(at)) throw Object.assign(new Error(`${at} is no folder`), { code: 'ENOTDIR' });
}

/**
 * Makes a folder and its parents, if they are not there, and returns the outermost one that was made. It makes them one
 * by one, since in some file systems Node tries for ever to make all at once.
 */
export function makeFolders(folder: string): string | undefined {
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
