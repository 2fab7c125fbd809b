import type { AxiomTest, BinaryOp } from './cat-ast.js';
import type { Binding, Expr, CatItem, Name, PrintedUnary } from './cat-ast.js';
import { spanning } from './tokens.js';
import type { Token } from './tokens.js';

/**
 * Builders of the syntax tree, which the rules of `cat.ne` call. They must be pure: an Earley parser also calls them for
 * readings of the text that it gives up later.
 */

export const name = (token: Token): Name => ({ text: token.value, span: token.span });

/** A title without quotes, such as `X86 TSO`: an architecture and a name. Either may be missing, and is null then. */
export const bareTitle = (names: readonly (Token | null)[]): string =>
  names.flatMap((token) => token?.value ?? []).join(' ');

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
  callee: Token,
  args: readonly Expr[],
  last: { readonly span: Token['span'] },
): Expr => ({ kind: 'call', callee: name(callee), args, span: spanning(callee, last) });

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
): CatItem => ({
  kind: 'let',
  recursive,
  bindings,
  span: spanning(keyword, bindings[bindings.length - 1]),
});

export const include = (keyword: Token, path: Token): CatItem => ({
  kind: 'include',
  path: { text: unquote(path), span: path.span },
  span: spanning(keyword, path),
});

/** `flag? ~? test e (as name)?`; what is absent is null. */
export const axiom = (
  flag: Token | null,
  tilde: Token | null,
  test: Token,
  expr: Expr,
  named: Name | null,
): CatItem => ({
  kind: 'axiom',
  test: test.value as AxiomTest,
  negated: tilde !== null,
  flag: flag !== null,
  expr,
  name: named ?? undefined,
  span: spanning(flag ?? tilde ?? test, named ?? expr),
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
