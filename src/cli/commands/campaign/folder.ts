/** The files of a campaign, where it begins and where a worker has them. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join, normalize, resolve, sep } from 'node:path';
import { MODELS_FOLDER } from '../../../node/models.js';
import { createReader } from '../../inputs/reader.js';
import type { CarriedFile } from './plan.js';

/** Files to bring, or why they cannot be brought. */
type Carried = { readonly files: readonly CarriedFile[] } | { readonly errors: readonly string[] };

/** The files among those that were read that workers do not have: all but what comes with Remora. */
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

/** A path that a campaign may bring: from the folder that its command runs in. */
const isOwn = (path: string): boolean =>
  path !== '' && path.length < 1000 && !isAbsolute(path) && !path.includes('\0');

/**
 * Does something in a new folder that has the files of a campaign, laid out as they were, and nothing else.
 *
 * @param act is given the folder; what it reads has to be below
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

/** The first of the files that were read that neither came with a campaign nor with Remora: a plan may name any. */
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
