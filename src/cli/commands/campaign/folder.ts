/** The files of a campaign: how they are collected at the start, and laid out for a worker. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join, normalize, resolve, sep } from 'node:path';
import { MODELS_FOLDER } from '../../../node/models.js';
import { createReader } from '../../inputs/reader.js';
import type { CarriedFile } from './plan.js';

/** Files to send to workers, or why they cannot be sent. */
type Carried = { readonly files: readonly CarriedFile[] } | { readonly errors: readonly string[] };

/** Those of the files that were read which workers lack: all except those that come with Remora. */
export function carriedFiles(read: readonly string[]): Carried {
  const own = realpathSync(MODELS_FOLDER) + sep;
  const paths = [...new Set(read.map((path) => normalize(path)))].filter(
    (path) => !realpathSync(path).startsWith(own),
  );
  const outside = paths.filter(isAbsolute);
  if (outside.length > 0) {
    const how = 'name files by paths from the folder that this runs in';
    return {
      errors: outside.map((path) => `${path}: workers have files in a folder of their own: ${how}`),
    };
  }
  const reader = createReader();
  const files = paths.flatMap((path): readonly CarriedFile[] => {
    const file = reader.read(path);
    return file.ok ? [{ path, text: file.value.text }] : [];
  });
  return { files };
}

/** May a campaign send this path? Only if it is below the folder in which its command runs. */
const isOwn = (path: string): boolean =>
  path !== '' && path.length < 1000 && !isAbsolute(path) && !path.includes('\0');

/**
 * Runs a function in a new folder that has the files of a campaign under their paths, and nothing else.
 *
 * @param act gets the folder; it may only read files below it
 */
export async function inFolderOf<T>(
  files: readonly CarriedFile[],
  act: (root: string) => Promise<T>,
): Promise<T | { readonly problem: string }> {
  const stranger = files.find(({ path }) => !isOwn(path));
  if (stranger !== undefined)
    return { problem: `a file that no campaign brings: ${stranger.path}` };
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'remora-campaign-')));
  const home = process.cwd();
  try {
    const ups = files.map(({ path }) => path.split(sep).filter((part) => part === '..').length);
    const up = Math.max(0, ...ups);
    const folder = join(root, ...Array.from({ length: up }, (_, i) => `up-${i + 1}`));
    mkdirSync(folder, { recursive: true });
    for (const { path, text } of files) {
      const place = resolve(folder, path);
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, text, { flag: 'wx' });
    }
    process.chdir(folder);
    return await act(root);
  } finally {
    process.chdir(home);
    rmSync(root, { recursive: true });
  }
}

/** The first file that was read although neither the campaign nor Remora brought it, since a plan may name any file. */
export function strangerAmong(read: readonly string[], root: string): string | undefined {
  const own = [root + sep, realpathSync(MODELS_FOLDER) + sep];
  return read.find((path) => !own.some((folder) => realOf(path).startsWith(folder)));
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
