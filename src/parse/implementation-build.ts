import type {
  Held,
  HeldLocations,
  HeldName,
  HeldObjects,
  Method,
  ParameterDecl,
  PerObject,
} from './implementation-ast.js';
import type { Span } from './diagnostics/index.js';
import type {
  CallArgument,
  ValueDomain,
  LitmusExpr,
  Ident,
  NameRef,
  NodeSet,
  Statement,
} from './litmus-ast.js';
import type { Called, Integer, LitmusItem, Made } from './litmus-build.js';
import { block, ident, optionalText, span } from './litmus-build.js';
import type { Roles } from './litmus-objects.js';
import type { SnocList } from './snoc-list.js';
import { append, toArray } from './snoc-list.js';
import type { Token } from './tokens.js';

/**
 * Builders for implementations of libraries, which the rules of `litmus.ne` call. Pure, like those of
 * `litmus-build.ts`.
 */

/** A top-level item of a file with an implementation, before the file is put together. */
export type ImplementationItem =
  | {
      readonly item: 'implementation';
      readonly name: Ident;
      readonly title?: string;
      readonly span: Span;
    }
  | {
      readonly item: 'implements';
      readonly library: Ident;
      readonly over: readonly Ident[];
      readonly span: Span;
    }
  | { readonly item: 'parameter'; readonly parameter: ParameterDecl; readonly span: Span }
  | { readonly item: 'eachObject'; readonly each: PerObject; readonly span: Span }
  | { readonly item: 'once'; readonly held: Held; readonly span: Span }
  | { readonly item: 'method'; readonly method: Method; readonly span: Span };

/** An item of a litmus file, or of a file with an implementation, which has the same grammar. */
export type AnyItem = LitmusItem | ImplementationItem;

export function header([token, title]: [Token, Token | null]): ImplementationItem {
  const name = token.value.replace(/^\S+\s+/, '');
  const start = token.span.end - name.length;
  return {
    item: 'implementation',
    name: { text: name, span: { ...token.span, start } },
    title: optionalText(title),
    span: token.span,
  };
}

/** `implements bal over sv` */
export function implementing(d: [Token, Token, Token, SnocList<Token>]): ImplementationItem {
  const over = toArray(d[3]).map(ident);
  const whole = span(d[0].span, over[over.length - 1].span);
  return { item: 'implements', library: ident(d[1]), over, span: whole };
}

/** `parameter S = 4` */
export function parameter(d: [Token, Token, Token, Integer]): ImplementationItem {
  const whole = span(d[0].span, d[3].span);
  const declared = { name: ident(d[1]), value: d[3].value, span: whole };
  return { item: 'parameter', parameter: declared, span: whole };
}

/** `for object x { … }` */
export function eachObject(
  d: [Token, Token, Token, Token, SnocList<Held>, Token],
): ImplementationItem {
  const whole = span(d[0].span, d[2].span);
  const each = { object: ident(d[2]), held: toArray(d[4]), span: whole };
  return { item: 'eachObject', each, span: whole };
}

export function once([held]: [Held]): ImplementationItem {
  return { item: 'once', held, span: held.span };
}

/** `put(x) into y work d { … }` */
export function method(
  d: [
    Token,
    Token,
    SnocList<Token>,
    Token,
    Token | undefined,
    Token | undefined,
    Token,
    SnocList<Made>,
    Token,
  ],
): ImplementationItem {
  const [name, , parameters, close, into, work, open, body, end] = d;
  const whole = span(name.span, (work ?? into ?? close).span);
  const made: Method = {
    name: ident(name),
    parameters: toArray(parameters).map(ident),
    into: into && ident(into),
    work: work && ident(work),
    body: block([open, body, end]),
    span: whole,
  };
  return { item: 'method', method: made, span: whole };
}

type AboutObjects = [
  Token,
  SnocList<HeldName>,
  Ident | undefined,
  Token | undefined,
  Roles | undefined,
];

/** `sv cell[0 .. S - 1], head` */
export function objects(d: AboutObjects): HeldObjects {
  const [library, list, node, words, roles] = d;
  const names = toArray(list);
  const last = roles?.close ?? words ?? node ?? names[names.length - 1];
  return {
    kind: 'objects',
    library: ident(library),
    names,
    node,
    words: words && Number(words.value),
    roles: roles?.roles ?? [],
    span: span(library.span, last.span),
  };
}

export function moreObjects(d: [SnocList<Held>, ...AboutObjects, Token]): SnocList<Held> {
  const [list, library, names, node, words, roles] = d;
  return append([list, objects([library, names, node, words, roles])]);
}

export function lastObjects([list, ...about]: [SnocList<Held>, ...AboutObjects]): SnocList<Held> {
  return append([list, objects(about)]);
}

/** `node n { copy[n] = 0 }` */
export function locations(
  d: [Token, Ident, Token, SnocList<HeldLocations['locations'][number]>, Token],
): HeldLocations {
  const [keyword, node, , list, close] = d;
  const whole = span(keyword.span, close.span);
  return { kind: 'locations', node, locations: toArray(list), span: whole };
}

export function cell([name, , integer]: [
  HeldName,
  Token,
  Integer,
]): HeldLocations['locations'][number] {
  return { name, value: integer.value };
}

/** `for t in party { … }`, around declarations */
export function eachMember(
  d: [Token, Token, Token, ValueDomain, Token, SnocList<Held>, Token],
): Held {
  const whole = span(d[0].span, d[3].span);
  return { kind: 'for', variable: ident(d[1]), over: d[3], body: toArray(d[5]), span: whole };
}

/** `head`, `count[t]`, `cell[0 .. S - 1]` */
export function lower(
  d:
    | [Token]
    | [Token, Token, LitmusExpr, Token]
    | [Token, Token, LitmusExpr, Token, Token, LitmusExpr, Token],
): HeldName {
  const whole = span(d[0].span, (d[d.length - 1] as Token).span);
  return { name: ident(d[0]), index: d[2], to: d[5], span: whole };
}

/** `for n in nodes { … }`, around instructions */
export function forEach(d: [Token, Token, Token, ValueDomain, Statement[]]): Statement {
  const [keyword, variable, , over, body] = d;
  const whole = span(keyword.span, over.span);
  return { kind: 'for', variable: ident(variable), over, body, span: whole };
}

export function range([from, , , to]: [LitmusExpr, Token, Token, LitmusExpr]): ValueDomain {
  return { kind: 'range', from, to, span: span(from.span, to.span) };
}

export function named([name]: [Token]): NodeSet {
  return { kind: 'named', name: ident(name), span: name.span };
}

/** `nodes(reader)`, and `node(writer)` as a member of a set */
export function nodesOf([keyword, , of, close]: [Token, Token, Token, Token]): NodeSet {
  return { kind: 'nodesOf', of: ident(of), span: span(keyword.span, close.span) };
}

/** `sv.write(head, h) as aCW`: this access stands for the subevents with these stamps of the call that is implemented. */
export function marked([access, , names]: [Access, Token, SnocList<Token>]): Access {
  const stands = toArray(names).map(ident);
  return { ...access, stands, span: span(access.span, stands[stands.length - 1].span) };
}

type Access = Extract<Statement, { kind: 'assign' | 'call' }>;

/** `return e`, and `return sv.read(x)` */
export function result([keyword, [value]]: [Token, [LitmusExpr | Called]]): Statement {
  const whole = span(keyword.span, value.span);
  return {
    kind: 'return',
    value: 'kind' in value ? value : { kind: 'call', ...value },
    span: whole,
  };
}

/** `cell[h % S]` */
export function member([name, , index, close]: [Token, Token, LitmusExpr, Token]): NameRef {
  return { name: ident(name), index, span: span(name.span, close.span) };
}

/** `x.head` */
export function ofObject([object, , name]: [Token, Token, Token]): NameRef {
  return { object: ident(object), name: ident(name), span: span(object.span, name.span) };
}

/** `x.w[1]` */
export function memberOfObject(d: [Token, Token, Token, Token, LitmusExpr, Token]): NameRef {
  const [object, , name, , index, close] = d;
  return {
    object: ident(object),
    name: ident(name),
    index,
    span: span(object.span, close.span),
  };
}

/** `copy[n]`, `copy[n]^n` */
export function partRef([part, , node]: [NameRef, Token?, Ident?]): NameRef {
  return node === undefined ? part : { ...part, node, span: span(part.span, node.span) };
}

/** `v[1 .. n]` */
export function slice(d: [Token, Token, LitmusExpr, Token, Token, LitmusExpr, Token]): LitmusExpr {
  const [name, , from, , , to, close] = d;
  return { kind: 'slice', name: ident(name), from, to, span: span(name.span, close.span) };
}

/** `len(m)` */
export function applied(d: [Token, Token, SnocList<CallArgument>, Token]): LitmusExpr {
  const [name, , list, close] = d;
  return {
    kind: 'apply',
    name: ident(name),
    arguments: toArray(list),
    span: span(name.span, close.span),
  };
}
