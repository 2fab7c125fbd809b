import { createHash } from 'node:crypto';

/** A part of a corpus: number `index` of `of`, from 1. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/** A corpus that is not split. */
export const WHOLE: Shard = { index: 1, of: 1 };

/** Reads `2/3`; undefined if this is not a part of a whole. */
export function parseShard(text: string): Shard | undefined {
  const match = /^([1-9]\d{0,8})\/([1-9]\d{0,8})$/.exec(text);
  if (match === null) return undefined;
  const [index, of] = [Number(match[1]), Number(match[2])];
  return index <= of ? { index, of } : undefined;
}

export function showShard({ index, of }: Shard): string {
  return `${index}/${of}`;
}

/** The hash that identifies a text: SHA-256, in hexadecimal. */
export function contentOf(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * The hash that identifies the results of a test; for a client it includes the texts of its libraries.
 *
 * @param content the hash of the test's own text
 */
export const shardKey = ({
  content,
  libraries = [],
}: {
  readonly content: string;
  readonly libraries?: readonly { readonly text: string }[];
}): string =>
  libraries.length === 0
    ? content
    : contentOf([content, ...libraries.map(({ text }) => text)].join('\n'));

/** How many digits of a hash are used as a number: as many as are exact in JavaScript. */
const DIGITS = 12;

/**
 * The number of the shard of a content. It depends on nothing else, neither on names nor the order of files nor the
 * computer, so equal files are in one shard.
 */
export function shardOf(content: string, of: number): number {
  return (Number.parseInt(content.slice(0, DIGITS), 16) % of) + 1;
}
