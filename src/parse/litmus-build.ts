import type { SnocList } from './snoc-list.js';
import { toArray } from './snoc-list.js';
import type { Span } from './diagnostics/index.js';
import type { Token } from './tokens.js';
import type {
  BinaryOperator,
  CallArgument,
  Condition,
  Expectation,
  LitmusExpr,
  GhostDecl,
  SymmetricDecl,
  Ident,
  LocationDecl,
  NodeDecl,
  ObjectDecl,
  Observable,
  Observation,
  NameRef,
  Question,
  CompletionQueueDecl,
  QueuePairDecl,
  Statement,
  ThreadDecl,
  UnaryOperator,
} from './litmus-ast.js';

/**
 * Builders of the syntax tree, which the rules of `litmus.ne` call. Each takes the values of its rule's symbols in
 * order, as nearley passes them. They must be pure: an Earley parser also calls them for readings of the text that it
 * gives up later.
 */

/** A top-level item, before the file is put together. */
export type LitmusItem =
  | {
      readonly item: 'header';
      readonly name: Ident;
      readonly title?: string;
      readonly span: Span;
    }
  | {
      readonly item: 'meta';
      readonly key: 'source' | 'question' | 'note';
      readonly text: string;
      readonly span: Span;
    }
  | { readonly item: 'bound'; readonly bound: number; readonly span: Span }
  | { readonly item: 'node'; readonly node: NodeDecl; readonly span: Span }
  /** Its span ends before the body. */
  | { readonly item: 'thread'; readonly thread: ThreadDecl; readonly span: Span }
  | {
      readonly item: 'table';
      readonly heads: readonly Omit<ThreadDecl, 'body'>[];
      readonly rows: SnocList<readonly (readonly Statement[])[]>;
      readonly span: Span;
    }
  | {
      readonly item: 'query';
      readonly query: Question;
      readonly span: Span;
    }
  | { readonly item: 'ghost'; readonly ghost: GhostDecl; readonly span: Span }
  | { readonly item: 'uses'; readonly libraries: readonly Ident[]; readonly span: Span }
  | { readonly item: 'objects'; readonly objects: readonly ObjectDecl[]; readonly span: Span }
  | { readonly item: 'symmetric'; readonly symmetric: SymmetricDecl; readonly span: Span }
  | { readonly item: 'queuePair'; readonly queuePair: QueuePairDecl; readonly span: Span }
  | {
      readonly item: 'completionQueue';
      readonly completionQueue: CompletionQueueDecl;
      readonly span: Span;
    }
  | { readonly item: 'filter'; readonly condition: Condition; readonly span: Span }
  | { readonly item: 'listed'; readonly names: SnocList<Observable>; readonly span: Span }
  | {
      readonly item: 'expectation';
      readonly expectation: Expectation;
      readonly span: Span;
    }
  | { readonly item: 'observation'; readonly observation: Observation; readonly span: Span };

export const span = (first: Span, last: Span): Span => ({ ...first, end: last.end });
export const ident = (token: Token): Ident => ({ text: token.value, span: token.span });
const text = (token: Token): string => token.value.slice(1, -1).replace(/\s+/g, ' ').trim();
export const optionalText = (token: Token | null | undefined): string | undefined =>
  token ? text(token) : undefined;

export function header([token, title]: [Token, Token | null]): LitmusItem {
  const name = token.value.replace(/^RDMA[ \t]+/, '');
  const start = token.span.end - name.length;
  return {
    item: 'header',
    name: { text: name, span: { ...token.span, start } },
    title: optionalText(title),
    span: token.span,
  };
}

export function meta(key: 'source' | 'question' | 'note') {
  return (tokens: Token[]): LitmusItem => {
    const last = tokens[tokens.length - 1];
    return { item: 'meta', key, text: text(last), span: span(tokens[0].span, last.span) };
  };
}

export function fileBound([keyword, n]: [Token, Token]): LitmusItem {
  return { item: 'bound', bound: Number(n.value), span: span(keyword.span, n.span) };
}

export function word([[token]]: [[Token]]): Ident {
  return ident(token);
}

export interface Integer {
  readonly value: number;
  readonly span: Span;
}

export function integer(tokens: [Token] | [Token, Token]): Integer {
  const digits = tokens[tokens.length - 1];
  const sign = tokens.length === 2 ? -1 : 1;
  return { value: sign * Number(digits.value) + 0, span: span(tokens[0].span, digits.span) };
}

/** `[relaxed]`: the tag, and the closing bracket, at which the span ends. */
type TagToken = readonly [Token, Token];

export function location(d: [Token, Token, Integer, SnocList<TagToken>]): LocationDecl {
  const [name, , integer] = d;
  const list = toArray(d[3]);
  const whole = span(name.span, list.at(-1)?.[1].span ?? integer.span);
  const tags = tagsIn(d[3]);
  return { name: ident(name), value: integer.value, tags, span: whole };
}

export function node(
  d: [Token, Ident, SnocList<TagToken>, Token, SnocList<LocationDecl>, Token],
): LitmusItem {
  const [keyword, node, tags, , locations, close] = d;
  const whole = span(keyword.span, close.span);
  return {
    item: 'node',
    node: { node, tags: tagsIn(tags), locations: toArray(locations), span: whole },
    span: whole,
  };
}

/** `qp a : T1 -> 2 [edge]`, `qp s : T1, T2 -> 2` */
export function queuePair(
  d: [Token, Token, Token, SnocList<Token>, Token, Ident, SnocList<TagToken>],
): LitmusItem {
  const [keyword, name, , threads, , node] = d;
  const list = toArray(d[6]);
  const whole = span(keyword.span, list.at(-1)?.[1].span ?? node.span);
  const tags = list.map(([tag]) => ident(tag));
  const of = toArray(threads).map(ident);
  const queuePair = { name: ident(name), threads: of, node, tags, span: whole };
  return { item: 'queuePair', queuePair, span: whole };
}

/** `cq c { a, b }` */
export function completionQueue([keyword, name, , list, close]: [
  Token,
  Token,
  Token,
  SnocList<Token>,
  Token,
]): LitmusItem {
  const whole = span(keyword.span, close.span);
  const completionQueue = { name: ident(name), of: toArray(list).map(ident), span: whole };
  return { item: 'completionQueue', completionQueue, span: whole };
}

export function thread(d: [Token, Token, Token, Ident, Token, SnocList<Made>, Token]): LitmusItem {
  const [keyword, name, , on, open, body, close] = d;
  const declared: ThreadDecl = {
    name: ident(name),
    node: on,
    body: block([open, body, close]),
    span: span(keyword.span, close.span),
  };
  return { item: 'thread', thread: declared, span: span(keyword.span, on.span) };
}

export function head([name, , on]: [Token, Token, Ident]): Omit<ThreadDecl, 'body'> {
  return { name: ident(name), node: on, span: span(name.span, on.span) };
}

export function table(d: [Omit<ThreadDecl, 'body'>[], SnocList<Statement[][]>]): LitmusItem {
  const [heads, rows] = d;
  const last = heads[heads.length - 1].node.span;
  return { item: 'table', heads, rows, span: span(heads[0].name.span, last) };
}

/** `symmetric T1, T2` */
export function symmetric([keyword, names]: [Token, SnocList<Token>]): LitmusItem {
  const threads = toArray(names).map(ident);
  const whole = span(keyword.span, threads[threads.length - 1].span);
  return { item: 'symmetric', symmetric: { threads, span: whole }, span: whole };
}

/** `ghost g = 0` */
export function ghostItem([keyword, name, , value]: [Token, Token, Token, Integer]): LitmusItem {
  const whole = span(keyword.span, value.span);
  return {
    item: 'ghost',
    ghost: { name: ident(name), value: value.value, span: whole },
    span: whole,
  };
}

export function filter([keyword, condition]: [Token, Condition]): LitmusItem {
  return { item: 'filter', condition, span: span(keyword.span, condition.span) };
}

export function listed(d: [Token, Token, SnocList<Observable>, Token]): LitmusItem {
  return { item: 'listed', names: d[2], span: span(d[0].span, d[3].span) };
}

export function ref([name]: [Token]): NameRef {
  return { name: ident(name), span: name.span };
}

export function refAt([name, , at]: [Token, Token, Ident]): NameRef {
  return { name: ident(name), node: at, span: span(name.span, at.span) };
}

/** `x^2.a` */
export function refOn([name, , at, , qp]: [Token, Token, Ident, Token, Token]): NameRef {
  return {
    name: ident(name),
    node: at,
    queuePair: ident(qp),
    span: span(name.span, qp.span),
  };
}

/** What the sign of an assignment says: a work identifier, or tags. */
type Sign = Pick<Extract<Statement, { kind: 'assign' }>, 'work' | 'tags'>;

export function sign([, list]: [Token, SnocList<TagToken>?]): Sign {
  return list === undefined ? {} : { tags: tagsIn(list) };
}

export function signWork([, work]: [Token, Token]): Sign {
  return { work: ident(work) };
}

const tagsIn = (list: SnocList<TagToken>): readonly Ident[] =>
  toArray(list).map(([tag]) => ident(tag));

export function assign([target, about, value]: [NameRef, Sign, LitmusExpr]): Statement {
  return { kind: 'assign', target, ...about, value, span: span(target.span, value.span) };
}

/** `[h, f]^2`, and where it stands. */
interface Words<T> {
  readonly words: readonly T[];
  readonly span: Span;
}

export function wordPlaces(
  d: readonly [Token, SnocList<Token>, Token, Token?, Ident?, Token?, Token?],
): Words<NameRef> {
  const [open, names, close, , at, , qp] = d;
  return {
    words: toArray(names).map((name) => ({
      name: ident(name),
      ...(at !== undefined && { node: at }),
      ...(qp !== undefined && { queuePair: ident(qp) }),
      span: name.span,
    })),
    span: span(open.span, (qp ?? at ?? close).span),
  };
}

/** `[x, y]^2.q`: each name is on the node. */
export function placeValues(
  d: readonly [Token, SnocList<LitmusExpr>, Token, Token, Ident, Token?, Token?],
): Words<LitmusExpr> {
  const [open, values, , , node, , qp] = d;
  const on = { node, ...(qp !== undefined && { queuePair: ident(qp) }) };
  return {
    words: toArray(values).map((value) =>
      value.kind === 'ref' ? { ...value, ref: { ...value.ref, ...on } } : value,
    ),
    span: span(open.span, (qp ?? node).span),
  };
}

export const wordValues = (d: [Token, SnocList<LitmusExpr>, Token]): Words<LitmusExpr> => ({
  words: toArray(d[1]),
  span: span(d[0].span, d[2].span),
});

export function assignWords([to, about, from]: [
  Words<NameRef>,
  Sign,
  Words<LitmusExpr>,
]): Statement {
  const [target, ...targets] = to.words;
  const [value, ...values] = from.words;
  return {
    kind: 'assign',
    target,
    ...about,
    value,
    more: { targets, values },
    span: span(to.span, from.span),
  };
}

/** A call of an operation by its name. */
export type Called = Omit<Extract<Statement, { kind: 'call' }>, 'kind'>;

export function called(d: [Token, Token, SnocList<CallArgument>, Token]): Called {
  return { name: ident(d[0]), arguments: toArray(d[2]), span: span(d[0].span, d[3].span) };
}

export function calledTagged(
  d: [Token, SnocList<TagToken>, Token, SnocList<CallArgument>, Token],
): Called {
  return {
    name: ident(d[0]),
    tags: tagsIn(d[1]),
    arguments: toArray(d[3]),
    span: span(d[0].span, d[4].span),
  };
}

export function peer([[node], , qp]: [[Token], Token, Token]): CallArgument {
  return {
    kind: 'peer',
    node: ident(node),
    queuePair: ident(qp),
    span: span(node.span, qp.span),
  };
}

export function call([made]: [Called]): Statement {
  return { kind: 'call', ...made };
}

export function bareCall([name]: [Token]): Statement {
  return { kind: 'call', name: ident(name), span: name.span };
}

/** `dmb[ld]`, `dmb[ish][ld]` */
export function bareTagged([name, marks]: [Token, SnocList<TagToken>]): Statement {
  const tags = tagsIn(marks);
  return { kind: 'call', name: ident(name), tags, span: span(name.span, tags.at(-1)!.span) };
}

export function assignCall([target, about, made]: [NameRef, Sign, Called]): Statement {
  const whole = span(target.span, made.span);
  const tags = [...(about.tags ?? []), ...(made.tags ?? [])];
  return {
    kind: 'call',
    ...made,
    target,
    work: about.work,
    ...(tags.length > 0 && { tags }),
    span: whole,
  };
}

export function skip([token]: [Token]): Statement {
  return { kind: 'skip', span: token.span };
}

export function assume(d: [Token, Token, LitmusExpr, Token]): Statement {
  return { kind: 'assume', condition: d[2], span: span(d[0].span, d[3].span) };
}

/** `at enter` */
export function point([keyword, name]: [Token, Token]): Statement {
  return { kind: 'point', name: ident(name), span: span(keyword.span, name.span) };
}

/** `ghost g := e` */
export function ghostStep([keyword, name, , value]: [Token, Token, Token, LitmusExpr]): Statement {
  return { kind: 'ghost', name: ident(name), value, span: span(keyword.span, value.span) };
}

/** `assert(e)` */
export function assertion(d: [Token, Token, LitmusExpr, Token]): Statement {
  return { kind: 'assert', condition: d[2], span: span(d[0].span, d[3].span) };
}

/** `critical c { … }` */
export function critical([keyword, name, body]: [Token, Token, Statement[]]): Statement {
  return { kind: 'critical', name: ident(name), body, span: span(keyword.span, name.span) };
}

/** `if (condition) { … }` */
type Guarded = Omit<Extract<Statement, { kind: 'if' }>, 'else'>;

export function guarded(d: [Token, Token, LitmusExpr, Token, Statement[]]): Guarded {
  const [keyword, , condition, close, then] = d;
  return { kind: 'if', condition, then, span: span(keyword.span, close.span) };
}

/**
 * A statement, or for an `if` a function that makes it. An Earley parser completes a chain of `else if` again after
 * each of its arms, and to build the whole chain each time would take quadratic time. So it is built once, when its
 * block is complete.
 */
export type Made = Statement | (() => Statement);

/** A chain of `else if`: each arm goes into the `else` of the arm before it. */
export function conditional([arms, , otherwise = []]: [
  SnocList<Guarded>,
  Token?,
  Statement[]?,
]): Made {
  return () => {
    const [last, ...earlier] = toArray(arms).reverse();
    const innermost: Statement = { ...last, else: otherwise };
    return earlier.reduce<Statement>((inner, outer) => ({ ...outer, else: [inner] }), innermost);
  };
}

const finished = (made: Made): Statement => (typeof made === 'function' ? made() : made);

export function block([, body]: [Token, SnocList<Made>, Token]): Statement[] {
  return toArray(body).map(finished);
}

export function row([cells]: [SnocList<Made[]>, Token]): Statement[][] {
  return toArray(cells).map((cell) => cell.map(finished));
}

export function whileLoop(
  d: [Token, Token, LitmusExpr, Token, number | undefined, Statement[]],
): Statement {
  const [keyword, , condition, close, bound, body] = d;
  const where = span(keyword.span, close.span);
  return { kind: 'while', condition, body, bound, span: where };
}

export function loop([keyword, bound, body]: [Token, number | undefined, Statement[]]): Statement {
  return { kind: 'loop', body, bound, span: keyword.span };
}

export function choose(d: [Token, Statement[], SnocList<Statement[]>]): Statement {
  const [keyword, first, rest] = d;
  return { kind: 'choose', branches: [first, ...toArray(rest)], span: keyword.span };
}

const operator = (d: Token | [Token]): Token => (Array.isArray(d) ? d[0] : d);

export function binary([left, op, right]: [LitmusExpr, Token | [Token], LitmusExpr]): LitmusExpr {
  const sign = operator(op).value as BinaryOperator;
  return { kind: 'binary', op: sign, left, right, span: span(left.span, right.span) };
}

export function unary([[op], arg]: [[Token], LitmusExpr]): LitmusExpr {
  return {
    kind: 'unary',
    op: op.value as UnaryOperator,
    arg,
    span: span(op.span, arg.span),
  };
}

export function literal([token]: [Token]): LitmusExpr {
  return { kind: 'int', value: Number(token.value), span: token.span };
}

export function refExpr([at]: [NameRef]): LitmusExpr {
  return { kind: 'ref', ref: at, span: at.span };
}
