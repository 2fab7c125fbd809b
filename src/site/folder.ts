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
const MARKER = 'remora-report.txt';

const MARKER_TEXT =
  'This folder was written by `remora report`. The next report that is written here replaces all of it.\n';

/** A file of a site: its path from the site's folder, with `/` between folders, and its text. */
export type SiteFile = readonly [path: string, text: string];

/**
 * Finds out whether a site can be written to a folder, and leaves everything as it is.
 *
 * @returns why it cannot, for people
 */
export function obstacleAt(folder: string): string | undefined {
  return attempt(folder, ({ discard }) => discard());
}

/**
 * Writes a site to a folder: first beside it, so that there is never half a site; what was there, which must
 * be a former site or nothing, is then replaced.
 *
 * @returns why it could not be written, for people; then everything is as it was
 */
export function writeSite(folder: string, files: readonly SiteFile[]): string | undefined {
  return attempt(folder, ({ draft, target, former }) => {
    for (const [path, text] of files) {
      const file = join(draft, ...path.split('/'));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    const replaces = existsSync(target);
    if (replaces) renameSync(target, former);
    try {
      renameSync(draft, target);
    } catch (error) {
      if (replaces) renameSync(former, target);
      throw error;
    }
    if (replaces) rmSync(former, { recursive: true, force: true });
  });
}

/** The places that a site goes through on its way. */
interface Places {
  /** Where it is written. */
  readonly draft: string;
  /** Where it is to be in the end. */
  readonly target: string;
  /** Where what was there is put meanwhile. */
  readonly former: string;
  /** Takes the draft away again, and the folders that were made for it. */
  discard(): void;
}

/** Makes a draft beside a folder and does something with it; gives what is in the way, if something is. */
function attempt(folder: string, use: (places: Places) => void): string | undefined {
  try {
    const problem = occupied(folder);
    if (problem !== undefined) return `${folder}: ${problem}`;
    const target = existsSync(folder) ? realpathSync(folder) : resolve(folder);
    const parent = dirname(target);
    const made = makeFolders(parent);
    const beside = (what: string) => join(parent, `.remora-report-${what}-${process.pid}`);
    const draft = beside('unfinished');
    const discard = () => rmSync(made ?? draft, { recursive: true, force: true });
    try {
      mkdirSync(draft);
      writeFileSync(join(draft, MARKER), MARKER_TEXT);
      use({ draft, target, former: beside('former'), discard });
    } catch (error) {
      discard();
      throw error;
    }
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return `${folder}: cannot be written (${code})`;
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
