import type { Place } from './places.js';
import { isList, offsetOf } from './places.js';
import type { CSource } from './source.js';
import { indentAt, leadOf } from './source.js';

/** A stretch of a text, and what stands in its place. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Lines put at a place, with the ends that lines of the file have. They are indented from nothing on. */
export function insertion(
  source: CSource,
  place: Place,
  lines: readonly string[],
): readonly Edit[] {
  const end = endOfLines(source);
  return inserted(source, place, lines).map((edit) => ({
    ...edit,
    text: edit.text.replaceAll('\n', end),
  }));
}

export const endOfLines = ({ text }: Pick<CSource, 'text'>): string =>
  text.includes('\r\n') ? '\r\n' : '\n';

function inserted(
  { text, unit }: CSource,
  place: Place,
  lines: readonly string[],
): readonly Edit[] {
  const { holder, before } = place;
  const at = offsetOf(place);
  const lead = leadOf(text, at);
  const isFirst = lead.trim() === '';
  const indented = (indent: string): string =>
    lines.map((line) => (line === '' ? '' : indent + line)).join('\n');
  const single = place.behind ?? (isList(holder) ? undefined : before);
  if (single !== undefined) {
    const outer = indentAt(text, holder.startIndex);
    const inner = outer + unit;
    const [start, end] = [single.startIndex, single.endIndex];
    const head = text.slice(0, start).trimEnd().length;
    const joins = /^\s*else\b/.exec(text.slice(end));
    const next = end + (joins === null ? 0 : joins[0].length - 'else'.length);
    const close = `\n${outer}}${joins === null ? '' : ' '}`;
    return before === undefined
      ? [
          { start: head, end: start, text: ` {\n${inner}` },
          { start: end, end: next, text: `\n${indented(inner)}${close}` },
        ]
      : [
          { start: head, end: start, text: ` {\n${indented(inner)}\n${inner}` },
          { start: end, end: next, text: close },
        ];
  }
  if (isFirst) {
    const indent = before === undefined ? lead + unit : lead;
    const start = at - lead.length;
    return [{ start, end: start, text: `${indented(indent)}\n` }];
  }
  const outer = indentAt(text, at);
  const indent = outer + unit;
  const start = text.slice(0, at).trimEnd().length;
  const next = before === undefined ? outer : indent;
  return [{ start, end: at, text: `\n${indented(indent)}\n${next}` }];
}

/** A text with edits, and where each of them is in it; undefined: two of them are of the same text. */
export function edited(
  text: string,
  edits: readonly Edit[],
):
  | { readonly text: string; readonly ranges: ReadonlyMap<Edit, readonly [number, number]> }
  | undefined {
  const ranges = new Map<Edit, readonly [number, number]>();
  let out = '';
  let done = 0;
  for (const edit of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    if (edit.start < done) return undefined;
    out += text.slice(done, edit.start);
    ranges.set(edit, [out.length, out.length + edit.text.length]);
    out += edit.text;
    done = edit.end;
  }
  return { text: out + text.slice(done), ranges };
}
