import type { Binding, Expr, CatItem } from './cat-ast.js';
import type { Token } from './tokens.js';

/**
 * Doc comments, `(** words *)`, say in words what an edge of a relation means. A doc comment belongs to
 * the definition, or the operand of a union, directly after it. Anywhere else it is an ordinary comment.
 * The grammar does not know doc comments: their words are added to the items that it builds.
 */

/** The words in a file, by the offset of the definition or operand that they belong to. */
export type DocWords = ReadonlyMap<number, string>;

/** What may stand between a doc comment and the definition or operand that it belongs to. */
const BETWEEN: ReadonlySet<string> = new Set(['kw_let', 'kw_rec', 'kw_and', 'bar']);

/** Finds what the doc comments of a file belong to. `tokens` are those of `lexCat`. */
export function wordsOf(tokens: readonly Token[]): DocWords {
  const found = new Map<number, string>();
  tokens.forEach(({ words }, i) => {
    if (words === undefined) return;
    let about = i;
    while (about < tokens.length && BETWEEN.has(tokens[about].type)) about += 1;
    const { span } = tokens[about] ?? tokens[i];
    // Of several doc comments in a row the last one counts.
    found.set(span.start, words);
  });
  return found;
}

/** An item with the words of its definitions and of their unions' operands. */
export function withDocWords(item: CatItem, words: DocWords): CatItem {
  if (words.size === 0) return item;
  if (
    item.kind === 'event' ||
    item.kind === 'operation' ||
    item.kind === 'guess' ||
    item.kind === 'tag'
  ) {
    return { ...item, words: words.get(item.span.start) };
  }
  if (item.kind !== 'let') return item;
  const bindings = item.bindings.map((binding): Binding => {
    const own = words.get(binding.span.start);
    return { ...binding, body: inUnions(binding.body, words), words: own };
  });
  return { ...item, bindings };
}

function inUnions(expr: Expr, words: DocWords): Expr {
  if (expr.kind === 'unary') return { ...expr, arg: inUnions(expr.arg, words) };
  if (expr.kind === 'tuple') {
    return { ...expr, parts: expr.parts.map((part) => inUnions(part, words)) };
  }
  if (expr.kind !== 'binary') return expr;
  const [left, right] = [inUnions(expr.left, words), inUnions(expr.right, words)];
  if (expr.op !== 'union') return { ...expr, left, right };
  return { ...expr, left: asOperand(left, words), right: asOperand(right, words) };
}

/**
 * An operand of a union, with its words. A union without parentheses begins at the same offset as its
 * first operand; the words at that offset belong to the operand.
 */
function asOperand(expr: Expr, words: DocWords): Expr {
  const { start } = expr.span;
  const own = words.get(start);
  const several = expr.kind === 'binary' && expr.op === 'union' && expr.left.span.start === start;
  return own === undefined || several ? expr : { ...expr, words: own };
}
