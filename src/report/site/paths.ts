/** The index of a site. */
export const INDEX_PAGE = 'index.html';

export type PageKind = 'index' | 'test';

/** The style sheet and the script of pages of a kind. Pages of tests are in a folder, so that none can take their place. */
export const styleOf = (kind: PageKind): string => `${kind}.css`;
export const scriptOf = (kind: PageKind): string => `${kind}.js`;

/** A name without anything that means something in addresses, shells or file systems. */
export function harmless(name: string): string {
  const text = name.replace(/[^\p{L}\p{N}\p{M}._+-]/gu, '_');
  return /^\.+$/.test(text) ? text.replaceAll('.', '_') : text;
}

/** The relative address of one page in another. Both are paths from the folder of the site. */
export function linkBetween(from: string, to: string, anchor = ''): string {
  const folders = from.split('/').slice(0, -1);
  const parts = to.split('/');
  let shared = 0;
  while (shared < parts.length - 1 && folders[shared] === parts[shared]) shared++;
  const up = folders.slice(shared).map(() => '..');
  const path = [...up, ...parts.slice(shared).map(encodeURIComponent)].join('/');
  return anchor === '' ? path : `${path}#${encodeURIComponent(anchor)}`;
}
