import { moved } from './arithmetic.js';

/**
 * Paths of C: what the file does not say, in terms of the parameters, as `ctx->remote.addr`. One thing has one text: `*p` is `p[0]`, and
 * `p->x` is `p[0].x`. What is known of a path is kept by a key in which parts come behind what they are a part of: `ctx[0].remote.addr`.
 */
export const keyOfPath = (text: string): string => `path ${long(text)}`;

/** The path that a key is of; undefined: it is none of a path. */
export const pathOfKey = (key: string): string | undefined =>
  key.startsWith('path ') ? short(key.slice('path '.length)) : undefined;

/** The path of an element of an array, or behind a pointer. */
export function elementOf(text: string, n: number): string {
  const key = long(text);
  return short(key.startsWith('&') ? moved(key.slice(1), n) : `${key}[${n}]`);
}

/** The path of a part, by what comes behind the key of the whole. */
export const partOfPath = (text: string, part: string): string => short(long(text) + part);

/** The text of a path, however it is written. */
export const pathText = (text: string): string => short(long(text));

function long(text: string): string {
  if (text.startsWith('&')) return `&${long(text.slice(1))}`;
  return text.startsWith('*') ? `${long(text.slice(1))}[0]` : text.replaceAll('->', '[0].');
}

function short(key: string): string {
  const isFirst = key.endsWith('[0]');
  if (key.startsWith('&')) return isFirst ? short(key.slice(1, -3)) : `&${short(key.slice(1))}`;
  return isFirst ? `*${short(key.slice(0, -3))}` : key.replaceAll('[0].', '->');
}
