/** The path of the index in the folder of a site. */
export const INDEX_PAGE = 'index.html';

/** The path of the page on which fabrics programs are safe. */
export const FABRICS_PAGE = 'fabrics.html';

export type PageKind = 'index' | 'test' | 'fabrics';

/**
 * The paths of the style sheet and the script for a kind of page; one kind has no script. Pages of tests are in a folder, and so never collide
 * with them.
 */
export const styleOf = (kind: PageKind): string => `${kind}.css`;
export const scriptOf = (kind: Exclude<PageKind, 'fabrics'>): string => `${kind}.js`;

/** A name without characters that have a meaning in addresses, shells or file systems. */
export function harmless(name: string): string {
  const text = name.replace(/[^\p{L}\p{N}\p{M}._+-]/gu, '_');
  return /^\.+$/.test(text) ? text.replaceAll('.', '_') : text;
}

/** The relative address of one page, for a link in another. Both are paths in the folder of the site. */
export function linkBetween(from: string, to: string, anchor = ''): string {
  const folders = from.split('/').slice(0, -1);
  const parts = to.split('/');
  let shared = 0;
  while (shared < parts.length - 1 && folders[shared] === parts[shared]) shared++;
  const up = folders.slice(shared).map(() => '..');
  const path = [...up, ...parts.slice(shared).map(encodeURIComponent)].join('/');
  return anchor === '' ? path : `${path}#${encodeURIComponent(anchor)}`;
}
