import type { Expr, CatItem, Name } from './cat-ast.js';
import type {
  AlternativeSyntax,
  BodySyntax,
  CellExpr,
  Choosing,
  DeclaredLabel,
  DroppedOperation,
  InsteadWay,
  NodeExpr,
  OperationDeclaration,
  ValueExpr,
} from './declaration-ast.js';
import type { Span } from './diagnostics/index.js';
import type { BinaryOperator, UnaryOperator } from './litmus-ast.js';
import { spanning } from './tokens.js';
import type { Token } from './tokens.js';

/** Builders for the declarations in model files, which the rules of `cat.ne` call. Pure, like those of `cat-build.ts`. */

type Placed = { readonly span: Span };

export const initial = (word: Token, label: Name): CatItem => ({
  kind: 'initial',
  label,
  span: spanning(word, label),
});

export const stamp = (name: Name, index: Name, close: Token): DeclaredLabel => ({
  name,
  index,
  span: spanning(name, close),
});

export const event = (
  replace: Token | null,
  word: Token,
  labels: readonly DeclaredLabel[],
  { by, queue, occasions }: EventProperties,
): CatItem => ({
  kind: 'event',
  replace: replace !== null,
  labels,
  by,
  onQueuePair: queue !== undefined,
  occasions,
  span: spanning(replace ?? word, occasions.at(-1) ?? queue ?? by ?? labels[labels.length - 1]),
});

export const drop = (word: Token, operations: readonly DroppedOperation[]): CatItem => {
  const { name, tag } = operations[operations.length - 1];
  return { kind: 'drop', operations, span: spanning(word, tag ?? name) };
};

export const instead = (
  word: Token,
  label: Name,
  tags: readonly Name[],
  ways: readonly InsteadWay[],
): CatItem => ({ kind: 'instead', label, tags, ways, span: spanning(word, label) });

export const dropInstead = (word: Token, labels: readonly Name[]): CatItem => ({
  kind: 'dropInstead',
  labels,
  span: spanning(word, labels[labels.length - 1]),
});

/** What stands behind the labels of an event. */
interface EventProperties {
  readonly by: Name | undefined;
  readonly queue: Token | undefined;
  readonly occasions: readonly Name[];
}

export const library = (word: Token, name: Name, text: Token | null): CatItem => ({
  kind: 'library',
  name,
  title: text?.value.slice(1, -1),
  span: spanning(word, name),
});

/** A property is one word, or several: `of size words`. */
export const object = (
  word: Token,
  name: Name,
  properties: readonly (readonly Token[])[],
): CatItem => ({
  kind: 'object',
  name,
  properties: properties.map((words) => ({
    text: words.map(({ value }) => value).join(' '),
    span: spanning(words[0], words[words.length - 1]),
  })),
  span: spanning(word, name),
});

export const role = (word: Token, name: Name, many: Name): CatItem => ({
  kind: 'role',
  name,
  many,
  span: spanning(word, many),
});

export const tag = (word: Token, name: Name, on: Name, facing?: Name): CatItem => ({
  kind: 'tag',
  name,
  on,
  ...(facing !== undefined && { facing }),
  span: spanning(word, facing ?? on),
});

export const orderedTag = (word: Token, name: Name, on: Name, order: Name): CatItem => ({
  kind: 'tag',
  name,
  on,
  order,
  span: spanning(word, order),
});

export const short = (
  word: Token,
  shape: { readonly left?: Name; readonly right: Name },
  operation: Name,
): CatItem => ({ kind: 'short', ...shape, operation, span: spanning(word, operation) });

export const guess = (
  replace: Token | null,
  word: Token,
  name: Name,
  choosing: Choosing,
): CatItem => ({
  kind: 'guess',
  replace: replace !== null,
  name,
  choosing,
  span: spanning(replace ?? word, name),
});

export const pairwise = (word: Token, pairs: Expr): Choosing => ({
  how: word.value as 'either' | 'total',
  pairs,
});

export const kth = (
  from: CountedSyntax,
  to: CountedSyntax,
  within: Expr,
  unordered: Token | null,
): Choosing => ({
  how: 'kth',
  from: from.of,
  to: to.of,
  by: [from.by, to.by],
  within,
  unordered: unordered !== null,
});

/** `P by take`: what is counted, and by which guessed order. */
interface CountedSyntax {
  readonly of: Expr;
  readonly by: Name | undefined;
}

export const one = (_word: Token, from: Expr, to: Expr, within: Expr): Choosing => ({
  how: 'one',
  from,
  to,
  within,
});

/** What stands before the body of an operation. */
type Head = Pick<
  OperationDeclaration,
  'name' | 'tag' | 'parameters' | 'into' | 'on' | 'work' | 'by' | 'result'
>;

export const operation = (
  replace: Token | null,
  word: Token,
  head: Head,
  alternatives: readonly AlternativeSyntax[],
): CatItem => ({
  kind: 'operation',
  replace: replace !== null,
  ...head,
  alternatives,
  span: spanning(replace ?? word, head.name),
});

/** Joins two parts of a body. A chain of the same sign becomes one list, and never a nest of pairs. */
export function joined(kind: 'then' | 'beside', first: BodySyntax, next: BodySyntax): BodySyntax {
  const before = first.kind === kind ? first.parts : [first];
  return { kind, parts: [...before, next] };
}

/** How an event touches memory. */
interface Placing {
  readonly reads?: { readonly place: CellExpr; readonly as: Name };
  readonly writes?: { readonly place: CellExpr; readonly value: ValueExpr };
  readonly at?: CellExpr;
}

export const happening = (
  label: Name,
  index: NodeExpr | undefined,
  place: Placing,
): BodySyntax => ({
  kind: 'event',
  label,
  index,
  ...place,
  span: spanning(label, place.writes?.value ?? place.reads?.as ?? place.at?.name ?? label),
});

type Sign = Token | readonly [Token];

const signOf = (sign: Sign): Token => ('value' in sign ? sign : sign[0]);

export const binary = ([left, sign, right]: readonly [ValueExpr, Sign, ValueExpr]): ValueExpr => ({
  kind: 'binary',
  op: signOf(sign).value as BinaryOperator,
  left,
  right,
  span: spanning(left, right),
});

export const unary = ([sign, arg]: readonly [Sign, ValueExpr & Placed]): ValueExpr => ({
  kind: 'unary',
  op: signOf(sign).value as UnaryOperator,
  arg,
  span: spanning(signOf(sign), arg),
});

export const sum = (word: Name, of: Name, close: Token): ValueExpr => ({
  kind: 'sum',
  word,
  of,
  span: spanning(word, close),
});

export const int = ([token]: readonly [Token]): ValueExpr => ({
  kind: 'int',
  value: Number(token.value),
  span: token.span,
});
