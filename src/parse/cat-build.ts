import type { AxiomItem, AxiomTest, BinaryOp, CatItem, Condition } from './cat-ast.js';
import type { Binding, Expr, Name, Pattern, PrintedUnary } from './cat-ast.js';
import { toArray } from './snoc-list.js';
import type { SnocList } from './snoc-list.js';
import { spanning } from './tokens.js';
import type { Token } from './tokens.js';

/**
 * Builders of the syntax tree, which the rules of `cat.ne` call. They must be pure: an Earley parser also calls them for
 * readings of the text that it gives up later.
 */

export const name = (token: Token): Name => ({ text: token.value, span: token.span });

/** A title without quotes, such as `X86 TSO`: an architecture and a name, or one of the two. */
export const bareTitle = (names: readonly Token[]): string =>
  names.map(({ value }) => value).join(' ');

/** The text between a string's quotes. */
export const unquote = (token: Token): string => token.value.slice(1, -1);

export const atom = (kind: 'zero' | 'universe', token: Token): Expr => ({
  kind,
  span: token.span,
});

export const reference = (token: Token): Expr => ({ kind: 'name', ...name(token) });

export const binary = (op: BinaryOp, left: Expr, right: Expr): Expr => ({
  kind: 'binary',
  op,
  left,
  right,
  span: spanning(left, right),
});

export const complement = (sign: Token, arg: Expr): Expr => ({
  kind: 'unary',
  op: 'compl',
  arg,
  span: spanning(sign, arg),
});

export const postfix = (op: PrintedUnary, arg: Expr, sign: Token): Expr => ({
  kind: 'unary',
  op,
  arg,
  span: spanning(arg, sign),
});

export const identity = (open: Token, arg: Expr, close: Token): Expr => ({
  kind: 'unary',
  op: 'identity',
  arg,
  span: spanning(open, close),
});

/** An expression in parentheses: the same, with a span that covers them. */
export const group = (open: Token, expr: Expr, close: Token): Expr => ({
  ...expr,
  span: spanning(open, close),
});

export const call = (
  callee: Expr,
  args: readonly Expr[],
  last: { readonly span: Token['span'] },
): Expr => ({ kind: 'call', callee, args, span: spanning(callee, last) });

/** The name of a tag, without its quote. */
export const tagName = (token: Token): Name => ({ text: token.value.slice(1), span: token.span });

export const tag = (token: Token): Expr => ({ kind: 'tag', ...tagName(token) });

export const braces = (open: Token, parts: readonly Expr[], close: Token): Expr => ({
  kind: 'braces',
  parts,
  span: spanning(open, close),
});

export const adding = (element: Expr, to: Expr): Expr => ({
  kind: 'adding',
  element,
  to,
  span: spanning(element, to),
});

export const local = (
  word: Token,
  recursive: boolean,
  bindings: readonly Binding[],
  body: Expr,
): Expr => ({ kind: 'let', recursive, bindings, body, span: spanning(word, body) });

export const lambda = (word: Token, params: readonly Name[], body: Expr): Expr => ({
  kind: 'function',
  params,
  body,
  span: spanning(word, body),
});

export const attempt = (word: Token, body: Expr, otherwise: Expr): Expr => ({
  kind: 'try',
  body,
  otherwise,
  span: spanning(word, otherwise),
});

export const conditional = (
  word: Token,
  condition: Condition,
  body: Expr,
  otherwise: Expr,
): Expr => ({ kind: 'if', condition, body, otherwise, span: spanning(word, otherwise) });

export const match = (
  word: Token,
  of: Expr,
  clauses: readonly { readonly pattern: Pattern; readonly body: Expr }[],
  end: Token,
): Expr => ({ kind: 'match', of, clauses, span: spanning(word, end) });

/** `(a, b)`. If it has no parentheses, its span is from the first part to the last. */
export const tuple = (
  first: { readonly span: Token['span'] },
  parts: readonly Expr[],
  last: { readonly span: Token['span'] } = parts[parts.length - 1],
): Expr => ({ kind: 'tuple', parts, span: spanning(first, last) });

export const binding = (
  bound: Token,
  params: readonly Name[] | undefined,
  body: Expr,
): Binding => ({
  names: [name(bound)],
  params,
  body,
  span: spanning(bound, body),
});

/** `(a, b) = body` */
export const pattern = (
  first: { readonly span: Token['span'] },
  names: readonly Name[],
  body: Expr,
): Binding => ({ names, body, span: spanning(first, body) });

export const definitions = (
  keyword: Token,
  recursive: boolean,
  bindings: readonly Binding[],
  when?: AxiomItem,
): CatItem => ({
  kind: 'let',
  recursive,
  bindings,
  ...(when === undefined ? {} : { when }),
  span: spanning(keyword, when ?? bindings[bindings.length - 1]),
});

/** Items inside of an item. */
export const made = (items: SnocList<() => CatItem>): readonly CatItem[] =>
  toArray(items).map((make) => make());

export const enumeration = (word: Token, named: Name, tags: readonly Token[]): CatItem => ({
  kind: 'enum',
  name: named,
  tags: tags.map(tagName),
  span: spanning(word, tags[tags.length - 1]),
});

export const procedure = (
  word: Token,
  named: Name,
  params: SnocList<Name>,
  items: readonly CatItem[],
  end: Token,
): CatItem => ({
  kind: 'procedure',
  name: named,
  params: toArray(params),
  items,
  span: spanning(word, end),
});

export const callOf = (
  word: Token,
  callee: Name,
  args: readonly Expr[],
  as: Name | null,
): CatItem => ({
  kind: 'call',
  callee,
  args,
  ...(as === null ? {} : { name: as }),
  span: spanning(word, as ?? args[args.length - 1] ?? callee),
});

export const debug = (word: Token, expr: Expr): CatItem => ({
  kind: 'aside',
  exprs: [expr],
  span: spanning(word, expr),
});

export const annotations = (
  word: Token,
  _of: Name,
  exprs: readonly Expr[],
  close: Token,
): CatItem => ({ kind: 'aside', exprs, span: spanning(word, close) });

export const forall = (
  word: Token,
  named: Name,
  of: Expr,
  items: readonly CatItem[],
  end: Token,
): CatItem => ({ kind: 'forall', name: named, of, items, span: spanning(word, end) });

export const from = (word: Token, named: Name, of: Expr): CatItem => ({
  kind: 'from',
  name: named,
  of,
  span: spanning(word, of),
});

export const choice = (
  word: Token,
  condition: Condition,
  items: readonly CatItem[],
  otherwise: readonly CatItem[],
  end: Token,
): CatItem => ({ kind: 'conditional', condition, items, otherwise, span: spanning(word, end) });

export const include = (keyword: Token, path: Token): CatItem => ({
  kind: 'include',
  path: { text: unquote(path), span: path.span },
  span: spanning(keyword, path),
});

/**
 * `prefix? ~? test e (as name)?`; what is absent is null. `assert` and `undefined_unless` mark executions that fail the test:
 * they are flags with the opposite test.
 */
export const axiom = (
  prefix: Token | null,
  tilde: Token | null,
  test: Token,
  expr: Expr,
  named: Name | null,
): AxiomItem => ({
  kind: 'axiom',
  test: test.value as AxiomTest,
  negated: (tilde !== null) !== (prefix !== null && prefix.value !== 'flag'),
  flag: prefix !== null,
  expr,
  name: named ?? undefined,
  span: spanning(prefix ?? tilde ?? test, named ?? expr),
});

export const show = (keyword: Token, names: readonly Name[]): CatItem => ({
  kind: keyword.value as 'show' | 'unshow',
  names,
  span: spanning(keyword, names[names.length - 1]),
});

export const showAs = (keyword: Token, expr: Expr, as: Name): CatItem => ({
  kind: 'showAs',
  expr,
  name: as,
  span: spanning(keyword, as),
});
