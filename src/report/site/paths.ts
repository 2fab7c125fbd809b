import { dirname, relative } from 'pathe';

/** The index of a site. */
export const INDEX = 'index.html';

/** A name without anything that means something in addresses, shells or file systems. */
export function harmless(name: string): string {
  const text = name.replace(/[^\p{L}\p{N}\p{M}._+-]/gu, '_');
  return /^\.+$/.test(text) ? text.replaceAll('.', '_') : text;
}

/** The relative address of one page in another. */
export function linkBetween(from: string, to: string, anchor = ''): string {
  const path = relative(dirname(from), to).split('/').map(encodeURIComponent).join('/');
  return anchor === '' ? path : `${path}#${encodeURIComponent(anchor)}`;
}
