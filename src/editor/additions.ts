import type { PrintedRepair } from '../analyses/repair/print.js';
import type { SourceFile } from '../parse/diagnostics/index.js';
import { parseLitmusFile } from '../parse/litmus.js';
import type { Edit } from './hints.js';
import { lexemesOf } from './lexemes.js';

type FoundRepair = Extract<PrintedRepair, { kind: 'found' }>;

/**
 * Where to write the additions of a repair in a file. Threads of a family have theirs at one place, which gets it once. Whoever applies
 * them decides the file anew: what stands in a table, say, has no room for another instruction in its cell.
 */
export function editsFor(source: SourceFile, { additions, litmus }: FoundRepair): readonly Edit[] {
  const edits = new Map<string, Edit>();
  for (const { text, place } of additions) {
    const { span } = place;
    const at = 'before' in place ? span.start : endOfBlock(source, span.end);
    const written = 'before' in place ? `${text}; ` : `; ${text} `;
    edits.set(`${at} ${written}`, { span: { ...span, start: at, end: at }, text: written });
  }
  return [...newLocations(source, litmus), ...edits.values()];
}

/** Additions may need locations of their own, which the repaired program has. */
function newLocations(source: SourceFile, repaired: string): readonly Edit[] {
  const [before, after] = [source.text, repaired].map(
    (text) => parseLitmusFile({ ...source, text }).value?.nodes ?? [],
  );
  const known = new Set(before.flatMap((one) => one.locations.map(({ name }) => name.text)));
  return after.flatMap(({ node, locations }) => {
    const home = before.find((one) => one.node.text === node.text);
    const fresh = locations.filter(({ name }) => !known.has(name.text));
    if (home === undefined || fresh.length === 0) return [];
    const at = source.text.lastIndexOf('}', home.span.end);
    const last = home.locations.at(-1)?.span.end;
    const written = fresh.map(({ name, value }) => `${name.text} = ${value}`).join('; ');
    const span = { ...home.span, start: last ?? at, end: last ?? at };
    return [{ span, text: last === undefined ? ` ${written} ` : `; ${written}` }];
  });
}

/** The place before the `}` of the first block behind an offset. */
function endOfBlock(source: SourceFile, offset: number): number {
  let depth = 0;
  for (const { type, span } of lexemesOf(source)) {
    if (span.start < offset) continue;
    if (type === 'lbrace') depth += 1;
    if (type === 'rbrace') depth -= 1;
    if (type === 'rbrace' && depth <= 0) return span.start;
  }
  return source.text.length;
}

/** A text with edits that do not overlap. */
export function edited(text: string, edits: readonly Edit[]): string {
  const fromBehind = [...edits].sort((a, b) => b.span.start - a.span.start);
  return fromBehind.reduce(
    (before, { span, text: own }) => before.slice(0, span.start) + own + before.slice(span.end),
    text,
  );
}
