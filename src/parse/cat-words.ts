import type { Binding, Expr, Item } from './cat-ast.js';
import type { Token } from './tokens.js';

/**
 * Doc comments, `(** words *)`, say in words what an edge of a relation means. They belong to the
 * definition or the operand of a union that they stand directly before; elsewhere they are comments
 * like all others. The grammar knows nothing of them: they are put in when the items are made.
 */

/** The words of a file, by the offset of the name, or of the operand, that they belong to. */
export type Words = ReadonlyMap<number, string>;

/** What may stand between a doc comment and what it is about. */
const BETWEEN: ReadonlySet<string> = new Set(['kw_let', 'kw_rec', 'kw_and', 'bar']);

/** Finds what the doc comments of a file are about; `tokens` are those of `lexCat`. */
export function wordsOf(tokens: readonly Token[]): Words {
  const found = new Map<number, string>();
  tokens.forEach(({ words }, i) => {
    if (words === undefined) return;
    let about = i;
    while (about < tokens.length && BETWEEN.has(tokens[about].type)) about += 1;
    const { span } = tokens[about] ?? tokens[i];
    // The words that stand nearest are meant.
    found.set(span.start, words);
  });
  return found;
}

/** An item with the words of its definitions and of their unions' operands. */
export function withWords(item: Item, words: Words): Item {
  if (item.kind !== 'let' || words.size === 0) return item;
  const bindings = item.bindings.map((binding): Binding => {
    const own = words.get(binding.span.start);
    return { ...binding, body: inUnions(binding.body, words), words: own };
  });
  return { ...item, bindings };
}

function inUnions(expr: Expr, words: Words): Expr {
  switch (expr.kind) {
    case 'unary':
      return { ...expr, arg: inUnions(expr.arg, words) };
    case 'binary': {
      const [left, right] = [inUnions(expr.left, words), inUnions(expr.right, words)];
      if (expr.op !== 'union') return { ...expr, left, right };
      return { ...expr, left: asOperand(left, words), right: asOperand(right, words) };
    }
    case 'tuple':
      return { ...expr, parts: expr.parts.map((part) => inUnions(part, words)) };
    case 'call':
    case 'name':
    case 'universe':
    case 'zero':
      return expr;
  }
}

/** A union without parentheses begins where its first operand does, whose words they are. */
function asOperand(expr: Expr, words: Words): Expr {
  const { start } = expr.span;
  const own = words.get(start);
  const several = expr.kind === 'binary' && expr.op === 'union' && expr.left.span.start === start;
  return own === undefined || several ? expr : { ...expr, words: own };
}
