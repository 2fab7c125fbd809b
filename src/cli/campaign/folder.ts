/** The files of a campaign, where it begins and where a worker has them. */
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join, normalize, relative, resolve, sep } from 'node:path';
import { MODELS_FOLDER } from '../../node/models.js';
import { createReader } from '../reader.js';
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

/**
 * Writes the files of a campaign into a new folder, laid out as they were.
 *
 * @returns the folder to remove in the end, and the one in it that the command runs in
 */
export function unpack(files: readonly CarriedFile[]): {
  readonly root: string;
  readonly folder: string;
} {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'remora-campaign-')));
  const up = Math.max(
    0,
    ...files.map(({ path }) => path.split(sep).filter((p) => p === '..').length),
  );
  const folder = join(root, ...Array.from({ length: up }, (_, i) => `up-${i + 1}`));
  mkdirSync(folder, { recursive: true });
  for (const { path, text } of files) {
    const place = resolve(folder, path);
    // Redis may hold anything.
    if (relative(root, place).startsWith('..')) throw new Error(`${path} is outside of the folder`);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, text);
  }
  return { root, folder };
}
