import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { isFolder, makeFolders } from '../../outputs/folders.js';
import type { OverwriteRule } from '../../outputs/plan.js';
import { STDOUT } from '../../outputs/plan.js';
import { contentOf } from '../../inputs/shard.js';

/**
 * The file that marks a folder as a report, which may be replaced. It lists the report's files, so that others are
 * noticed.
 */
const MARKER = 'remora-report.txt';

const MARKER_TEXT =
  'This folder was written by `remora report`. The next report that is written here replaces all of it, if these\n' +
  'are the files that it has, by SHA-256 (sha256sum -c tells):\n\n';

/** A file of a site: its path from the site's folder, with `/` between folders, and its text. */
export type SiteFile = readonly [path: string, text: string];

/**
 * Finds out whether a site can be written to a folder, and changes nothing.
 *
 * @returns why it cannot, for people
 */
export function obstacleAt(folder: string, rule: OverwriteRule): string | undefined {
  return attempt(folder, rule, ({ discard }) => discard());
}

/**
 * Writes a site to a folder: first beside it, so that there is never half a site. Then the former site, if there is
 * one, is replaced.
 *
 * @returns why it could not be written, for people; in this case nothing has changed
 */
export function writeSite(
  folder: string,
  files: readonly SiteFile[],
  rule: OverwriteRule,
): string | undefined {
  return attempt(folder, rule, ({ draft, target, former }) => {
    const list = files.map(([path, text]) => `${contentOf(text)}  ${path}\n`);
    for (const [path, text] of [...files, [MARKER, MARKER_TEXT + list.join('')] as const]) {
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

/** The folders that are used to write a site. */
interface Places {
  /** Where the site is first written. */
  readonly draft: string;
  /** The folder of the site. */
  readonly target: string;
  /** Where the former site is put until the new one is in place. */
  readonly former: string;
  /** Removes the draft, and the folders that were made for it. */
  discard(): void;
}

/** Makes a draft beside a folder and runs a function with it. Returns the problem, if there is one. */
function attempt(
  folder: string,
  rule: OverwriteRule,
  use: (places: Places) => void,
): string | undefined {
  try {
    const problem = occupied(folder, rule);
    if (problem !== undefined) return `${folder}: ${problem}`;
    const target = existsSync(folder) ? realpathSync(folder) : resolve(folder);
    const parent = dirname(target);
    const made = makeFolders(parent);
    const beside = (what: string) => join(parent, `.remora-report-${what}-${process.pid}`);
    const draft = beside('unfinished');
    const discard = () => rmSync(made ?? draft, { recursive: true, force: true });
    try {
      mkdirSync(draft);
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

/** Why a folder is not to be replaced. */
function occupied(folder: string, { inputs, force = false }: OverwriteRule): string | undefined {
  if (folder === STDOUT) return `no folder; one of this name is ./${STDOUT}`;
  const status = lstatSync(folder, { throwIfNoEntry: false });
  if (status === undefined) return undefined;
  if (!existsSync(folder)) return 'this is a link to nothing';
  if (!isFolder(folder)) return 'this is a file, not a folder';
  const real = realpathSync(folder);
  const names = readdirSync(real);
  if (names.length === 0) return undefined;
  // Everything in the folder would be lost. `--force` is meant for former reports, not for other folders.
  if (!names.includes(MARKER)) {
    return 'this folder has other files in it: give a new or an empty one, or that of a former report';
  }
  const input = inputs.find(
    (path) => existsSync(path) && realpathSync(path).startsWith(real + sep),
  );
  if (input !== undefined) return `${input} is in this folder, and an input of this command`;
  const stranger = force ? undefined : strangerIn(real);
  return (
    stranger && `Remora did not write ${stranger}, or it was changed since: --force removes it`
  );
}

/** A file in the folder of a former report that is not one of the report's files, or was changed. */
function strangerIn(folder: string): string | undefined {
  const list = new Set(readFileSync(join(folder, MARKER), 'utf8').split('\n'));
  const isListed = (path: string): boolean => {
    const file = join(folder, path);
    if (!lstatSync(file).isFile()) return false;
    return path === MARKER || list.has(`${contentOf(readFileSync(file))}  ${path}`);
  };
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll(sep, '/'))
    .filter((path) => !lstatSync(join(folder, path)).isDirectory())
    .sort()
    .find((path) => !isListed(path));
}
