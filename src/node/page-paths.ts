import { basename, dirname, relative, resolve, sep } from 'node:path';
import { harmless } from '../report/site/paths.js';

/** The folder of the pages of tests. They are not beside the index, so that no test can take its place. */
const PAGES = 'tests';

/** Where the pages of litmus files go. */
export const pagePaths = (files: readonly string[]): readonly string[] =>
  pagePlaces(files).map((place) => `${PAGES}/${place}.html`);

/**
 * A place for each litmus file: in folders as the files are, from the innermost one that all of them are in. No two have
 * the same place, not even on disks that do not tell `a` from `A`.
 */
export function pagePlaces(files: readonly string[]): readonly string[] {
  const absolute = files.map((file) => resolve(file));
  const root = commonFolder(absolute.map((file) => dirname(file)));
  const taken = new Set<string>();
  return absolute.map((file) => {
    const folders = relative(root, dirname(file)).split(sep).filter(Boolean);
    const own = [...folders, basename(file, '.litmus')].map(harmless).join('/');
    for (let n = 1; ; n++) {
      const place = `${own}${n === 1 ? '' : `-${n}`}`;
      const key = place.normalize('NFKC').toLowerCase();
      if (taken.has(key)) continue;
      taken.add(key);
      return place;
    }
  });
}

/** The innermost folder that has all of some folders inside it, or is it. */
function commonFolder(folders: readonly string[]): string {
  return folders.reduce((common, folder) => {
    let outer = common;
    while (folder !== outer && !folder.startsWith(outer.endsWith(sep) ? outer : outer + sep)) {
      outer = dirname(outer);
    }
    return outer;
  }, folders[0] ?? '');
}
