import type {
  CallArgument,
  LitmusExpr,
  Ident,
  NodeSet,
  ObjectDecl,
  RoleDecl,
} from './litmus-ast.js';
import type { Called, LitmusItem } from './litmus-build.js';
import { ident, span } from './litmus-build.js';
import type { SnocList } from './snoc-list.js';
import { toArray } from './snoc-list.js';
import type { Token } from './tokens.js';

/**
 * Builders for clients of libraries, which the rules of `litmus.ne` call: objects, calls, sets of nodes, values. Pure,
 * like those of `litmus-build.ts`.
 */

/** `uses rbl, bal` */
export function uses([keyword, names]: [Token, SnocList<Token>]): LitmusItem {
  const libraries = toArray(names).map(ident);
  const whole = span(keyword.span, libraries[libraries.length - 1].span);
  return { item: 'uses', libraries, span: whole };
}

/** `of 2 words`: the token of the number, with the span of all three. */
export const words = ([of, number, end]: [Token, Token, Token]): Token => ({
  ...number,
  span: span(of.span, end.span),
});

export interface Roles {
  readonly roles: readonly RoleDecl[];
  readonly close: Token;
}

export function role([name, threads]: [Token, SnocList<Token>]): RoleDecl {
  return { role: ident(name), threads: toArray(threads).map(ident) };
}

export function roles([, list, close]: [Token, SnocList<RoleDecl>, Token]): Roles {
  return { roles: toArray(list), close };
}

/** `msw x, y on 1 of 2 words (owner T1)`: one declaration for each name. */
export function objects(
  d: [Token, SnocList<Token>, Ident | undefined, Token | undefined, Roles | undefined],
): LitmusItem {
  const [library, list, node, size, given] = d;
  const names = toArray(list).map(ident);
  const last = given?.close ?? size ?? node ?? names[names.length - 1];
  const whole = span(library.span, last.span);
  const about = {
    library: ident(library),
    node,
    words: size && Number(size.value),
    roles: given?.roles ?? [],
    span: whole,
  };
  return {
    item: 'objects',
    objects: names.map((name): ObjectDecl => ({ ...about, name })),
    span: whole,
  };
}

/** `sv.read(x)` */
export function calledOf(d: [Token, Token, Token, Token, SnocList<CallArgument>, Token]): Called {
  return {
    library: ident(d[0]),
    name: ident(d[2]),
    arguments: toArray(d[4]),
    span: span(d[0].span, d[5].span),
  };
}

export function allNodes([token]: [Token]): NodeSet {
  return { kind: 'all', span: token.span };
}

/** `{1, 2}`, `{}` */
export function nodeSet(d: [Token, Token] | [Token, SnocList<Ident | NodeSet>, Token]): NodeSet {
  const whole = span(d[0].span, (d[d.length - 1] as Token).span);
  const members = d.length === 2 ? [] : toArray(d[1]);
  const nodes = members.filter((m): m is Ident => !('kind' in m));
  const named: NodeSet = { kind: 'set', nodes, span: whole };
  const sets = members.filter((m): m is NodeSet => 'kind' in m);
  return sets.length === 0 ? named : { kind: 'union', sets: [named, ...sets], span: whole };
}

/** `nodes \\ {1}` */
export function difference([left, , right]: [NodeSet, Token, NodeSet]): NodeSet {
  return { kind: 'difference', left, right, span: span(left.span, right.span) };
}

export function nodesArgument([set]: [NodeSet]): CallArgument {
  return { kind: 'nodes', set, span: set.span };
}

export function truth([token]: [Token]): LitmusExpr {
  return { kind: 'int', value: token.value === 'true' ? 1 : 0, span: token.span };
}

export function noValue([token]: [Token]): LitmusExpr {
  return { kind: 'none', span: token.span };
}

/** `<1, 2>` */
export function tuple([open, list, close]: [Token, SnocList<LitmusExpr>, Token]): LitmusExpr {
  const parts = toArray(list);
  const whole = span(open.span, close.span);
  return parts.length === 1 ? { ...parts[0], span: whole } : { kind: 'tuple', parts, span: whole };
}
