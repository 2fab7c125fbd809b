/**
 * Digests in the lines of files of results. Each is of the line and of its parent line above, so that a line that was
 * changed or moved by accident is noticed. It does not protect against changes on purpose, since anybody can compute
 * it.
 */
import { contentOf } from '../inputs/shard.js';

/** The message about a line with another digest. */
export const CHANGED = 'this line was changed, or stood elsewhere: its digest is another one';

/** The digest at the end of a line. */
const END = /,"sha256":"([0-9a-f]{64})"\}$/;

/**
 * A JSON object as a line of its own.
 *
 * @param above the digest of its parent line, if there is one
 */
export function digested(
  json: string,
  above = '',
): { readonly line: string; readonly digest: string } {
  const digest = contentOf(above + json);
  return { line: `${json.slice(0, -1)},"sha256":"${digest}"}`, digest };
}

/** The object of a line, as text, and its digest; undefined if the digest does not fit. */
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
