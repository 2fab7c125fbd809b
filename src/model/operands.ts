import type { Expr } from '../parse/cat-ast.js';
import type { Context } from './context.js';
import { ERROR, described, report, sourceText } from './context.js';
import type { Operator } from './operators/facts.js';
import { OPERATORS, kindMade } from './operators/facts.js';
import type { BaseBinding, CatValue } from './scope.js';
import { combined, elementsOf } from './static.js';
import { intern } from './table.js';
import type { Kind, TermId, UnaryOp } from './term.js';

/** What operators make of values that are elaborated: terms, of the kinds that each operator takes. */

type Binary = Extract<Expr, { kind: 'binary' }>;

/** How messages call an operator. */
export const signOf = (op: Operator): string => `\`${OPERATORS[op].written.sign}\``;

/** What messages say that an operator of one operand, or of two, needs. */
const NEEDS = {
  set: ['a set', 'two sets'],
  rel: ['a relation', 'two relations'],
  either: ['a set or a relation', 'two sets or two relations'],
} as const;

/** "`;` needs two relations" */
const needOf = (op: Operator, sign = signOf(op)): string =>
  `${sign} needs ${NEEDS[OPERATORS[op].takes][OPERATORS[op].grows.length - 1]}`;

/** The term of a value of the kind asked for, which `0` can be of either; undefined if it is of another. */
export function asTerm(
  { table }: Pick<Context, 'table'>,
  value: CatValue,
  kind: Kind,
): TermId | undefined {
  if (value.kind === 'zero') return intern(table, { op: 'empty', kind });
  return value.kind === kind ? value.id : undefined;
}

/**
 * The term of a value that has to be of one kind, or undefined after reporting.
 *
 * @param need what is said otherwise, such as "`;` needs two relations"
 */
export function expectKind(
  context: Context,
  value: CatValue,
  kind: Kind,
  need: string,
  expr: Expr,
): TermId | undefined {
  if (value.kind === 'error') return undefined;
  const id = asTerm(context, value, kind);
  if (id === undefined && !needsArguments(context, expr, value))
    report(context, expr.span, `${need}, ${described(context, expr, value)}`);
  return id;
}

/** Reports a function by its name where a set or a relation is wanted. */
export function needsArguments(context: Context, expr: Expr, value: CatValue): boolean {
  if (expr.kind !== 'name' || (value.kind !== 'function' && value.kind !== 'builtin')) return false;
  const params = value.kind === 'function' ? value.params.map(({ text }) => text) : ['r'];
  const use = `write ${expr.text}(${params.join(', ')})`;
  report(context, expr.span, `'${expr.text}' is a function and needs arguments`, use);
  return true;
}

export const universe = ({ table, own }: Context): TermId =>
  own?.events ?? intern(table, { op: 'universe', kind: 'set' });

/** What of a term is among the events of the library whose file it stands in. */
export function restricted({ table, own }: Context, kind: Kind, id: TermId): TermId {
  if (own === undefined) return id;
  const right = kind === 'set' ? own.events : own.pairs;
  return intern(table, { op: 'inter', kind, left: id, right });
}

/** A base name, as far as it is about the library in whose file it stands. */
export function base(context: Context, { of: kind, name, own }: BaseBinding): TermId {
  const id = intern(context.table, { op: 'base', kind, name });
  return own === true || WITHIN.has(name) ? id : restricted(context, kind, id);
}

/** Base relations that never lead from the calls of one library to those of another, or are only taken away. */
const WITHIN: ReadonlySet<string> = new Set(['same', 'obj', 'wid', 'id']);

/** An operator of two operands that are both of its kind. */
export function ofFixedKind(
  context: Context,
  { op, ...expr }: Binary,
  takes: Kind,
  left: CatValue,
  right: CatValue,
): CatValue {
  const l = expectKind(context, left, takes, needOf(op), expr.left);
  const r = expectKind(context, right, takes, needOf(op), expr.right);
  if (l === undefined || r === undefined) return ERROR;
  const kind = kindMade(op, takes);
  return { kind, id: intern(context.table, { op, kind, left: l, right: r }) };
}

/** An operator of two operands of one kind, whichever. */
export function ofOneKind(
  context: Context,
  expr: Binary,
  left: CatValue,
  right: CatValue,
): CatValue {
  if (left.kind === 'error' || right.kind === 'error') return ERROR;
  const { op } = expr;
  const takes = left.kind === 'zero' ? right.kind : left.kind;
  if (takes === 'zero') return left;
  const [ls, rs] = [elementsOf(left), elementsOf(right)];
  if (takes === 'many' && ls !== undefined && rs !== undefined) {
    return combined(op as 'union' | 'inter' | 'diff', ls, rs);
  }
  const isTerm = takes === 'set' || takes === 'rel';
  const [l, r] = [left, right].map((v) => (isTerm ? asTerm(context, v, takes) : undefined));
  if (!isTerm || l === undefined || r === undefined) {
    if (needsArguments(context, expr.left, left) || needsArguments(context, expr.right, right))
      return ERROR;
    const sides = [described(context, expr.left, left), described(context, expr.right, right)];
    return report(context, expr.span, `${needOf(op)}: ${sides.join(', ')}`);
  }
  const shrinking = [l, r].findIndex((id, i) => shrinksWith(context, op, i, id));
  if (shrinking >= 0) return notMonotone(context, op, shrinking, [expr.left, expr.right]);
  const kind = kindMade(op, takes);
  return { kind, id: intern(context.table, { op, kind, left: l, right: r }) };
}

/** @param sign how the operator is written in the place of its sign */
export function applyUnary(
  context: Context,
  op: UnaryOp,
  sign: string,
  arg: Expr,
  value: CatValue,
): CatValue {
  const { takes } = OPERATORS[op];
  const kind = takes !== 'either' ? takes : value.kind === 'set' ? 'set' : 'rel';
  const id = expectKind(context, value, kind, needOf(op, sign), arg);
  if (id === undefined) return ERROR;
  if (shrinksWith(context, op, 0, id)) return notMonotone(context, op, 0, [arg]);
  const result = kindMade(op, kind);
  const made = intern(context.table, { op, kind: result, arg: id });
  // What is not in a set, in a library's file, is not among the calls of other libraries either.
  return { kind: result, id: op === 'compl' ? restricted(context, result, made) : made };
}

/** Does a variable of the `let rec` make less of the term where there is more of it? */
const shrinksWith = ({ table }: Context, op: Operator, operand: number, id: TermId): boolean =>
  !OPERATORS[op].grows[operand] && table.recursive[id];

/** Refuses a use of a `let rec` name that would deprive the recursion of a least fixpoint. */
function notMonotone(
  context: Context,
  op: Operator,
  operand: number,
  operands: readonly Expr[],
): CatValue {
  const expr = operands[operand];
  const side = operands.length === 1 ? 'under' : `on the ${operand === 0 ? 'left' : 'right'} of`;
  return report(
    context,
    expr.span,
    `${sourceText(context, expr)} depends on the \`let rec\` it stands in and cannot be ${side} ${signOf(op)}: ` +
      'there may be no least fixpoint',
  );
}
