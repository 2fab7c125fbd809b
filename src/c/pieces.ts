import type { CNode } from './tree.js';
import { parseTree, partsOf } from './tree.js';

/** Some text of the file. */
export interface Piece {
  readonly text: string;
  readonly start: number;
}

/** The place of the sign that closes the one at a place; the end of the text without one. */
export function matching(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if ('([{'.includes(text[at])) depth += 1;
    if (')]}'.includes(text[at])) {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return text.length;
}

/** The parts of a text between separators outside of parentheses. */
export function split(text: string, start: number, end: number, by: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = start;
  for (let at = start; at < end; at++) {
    if ('([{'.includes(text[at])) at = Math.min(matching(text, at), end);
    else if (text[at] === by) {
      pieces.push({ text: text.slice(from, at), start: from });
      from = at + 1;
    }
  }
  const last = { text: text.slice(from, end), start: from };
  return last.text.trim() === '' ? pieces : [...pieces, last];
}

/** The names of the words of an array; of a plain location, its own. */
export const elementNames = (name: string, count: number | undefined): readonly string[] =>
  count === undefined ? [name] : Array.from({ length: count }, (_, i) => `${name}${i}`);

/** The tree of statements that stand alone, as a block; undefined: they are none. */
export function statementsOf(text: string): CNode | undefined {
  const tree = parseTree(`void f(void) { ${text}; }`);
  return tree.hasError ? undefined : (partsOf(tree)[0].childForFieldName('body') ?? undefined);
}

/** Expressions that were parsed: macros, lines of tables and of heads are used again and again. */
const expressions = new Map<string, CNode | undefined>();
const MOST_KEPT = 5000;

/** The tree of an expression that stands alone; undefined: it is none. */
export function expressionOf(text: string): CNode | undefined {
  if (expressions.has(text)) return expressions.get(text);
  if (expressions.size > MOST_KEPT) expressions.clear();
  const found = parsedExpression(text);
  expressions.set(text, found);
  return found;
}

function parsedExpression(text: string): CNode | undefined {
  const tree = parseTree(`int x = (${text});`);
  if (tree.hasError) return undefined;
  const [declaration] = partsOf(tree);
  const value = declaration.childForFieldName('declarator')?.childForFieldName('value');
  return value ?? undefined;
}
