/**
 * Digests in the lines of files of results. Each is of the line and of the one above that it belongs to, so that no line can be
 * changed or moved by accident. It proves nothing against somebody who means to: anybody can compute it.
 */
import { contentOf } from '../inputs/shard.js';

/** What is said of a line whose digest is another one. */
export const CHANGED = 'this line was changed, or stood elsewhere: its digest is another one';

/** What a line ends with. */
const END = /,"sha256":"([0-9a-f]{64})"\}$/;

/**
 * A JSON object as a line of its own.
 *
 * @param above the digest of the line that it belongs to, if there is one
 */
export function digested(
  json: string,
  above = '',
): { readonly line: string; readonly digest: string } {
  const digest = contentOf(above + json);
  return { line: `${json.slice(0, -1)},"sha256":"${digest}"}`, digest };
}

/** The object of a line, as text, and its digest; undefined where that is another one. */
export function undigested(
  line: string,
  above = '',
): { readonly json: string; readonly digest: string } | undefined {
  const end = END.exec(line);
  if (end === null) return undefined;
  const json = `${line.slice(0, end.index)}}`;
  const [, digest] = end;
  return contentOf(above + json) === digest ? { json, digest } : undefined;
}
