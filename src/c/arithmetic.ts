import { leavesIn } from '../parse/fold.js';
import type { LitmusExpr } from '../parse/litmus-ast.js';
import type { Typed, Value } from './state.js';

/** What operators of C do to values, as far as they are known. Undefined where they are not. */

/** Operators of both languages, by that of C. */
export const ALIKE: ReadonlyMap<
  string,
  '+' | '-' | '*' | '/' | '%' | '=' | '!=' | '<' | '<=' | '>' | '>='
> = new Map([
  ...(['+', '-', '*', '/', '%', '!=', '<', '<=', '>', '>='] as const).map(
    (op) => [op, op] as const,
  ),
  ['==', '='] as const,
]);

/** Whether two paths lead to the same: those of two queue pairs do not. */
export function samePath(a: Value, b: Value): boolean | undefined {
  if (a.kind !== 'path' || b.kind !== 'path' || a.isNew || b.isNew) return undefined;
  if (a.text === b.text) return true;
  return a.text.endsWith('->qp_num') && b.text.endsWith('->qp_num') ? false : undefined;
}

/** An operator of a path and a number, or of two paths. An address that nobody has placed yet is further on by a constant. */
export function pathSum(operator: string, a: Value, b: Value): Value | undefined {
  const [left, right] = [a, b].map((one) =>
    one.kind === 'path' && !one.isNew
      ? one.text
      : one.kind === 'int'
        ? String(one.value)
        : undefined,
  );
  if (left === undefined || right === undefined) return undefined;
  if (operator === '+' && right === '0') return a;
  const isSum = operator === '+' || operator === '-';
  const first = isSum && !/ ([^-+ ]|[^ ]{2,}) /.test(left) ? left : grouped(left);
  return { kind: 'path', text: `${first} ${operator} ${grouped(right)}` };
}

/** A text as a part of an expression: two expressions that are grouped otherwise are not the same. */
const grouped = (text: string): string => (/ \S+ /.test(text) ? `(${text})` : text);

const OPPOSITES = { '=': '!=', '!=': '=', '<': '>=', '>=': '<', '>': '<=', '<=': '>' } as const;

/** The comparison that holds where one does not. */
export function oppositeOf(expr: LitmusExpr): LitmusExpr {
  const { span } = expr;
  if (expr.kind === 'binary' && expr.op in OPPOSITES) {
    return { ...expr, op: OPPOSITES[expr.op as keyof typeof OPPOSITES] };
  }
  if (expr.kind === 'unary' && expr.op === '!') return isTrue(expr.arg);
  return { kind: 'unary', op: '!', arg: expr, span };
}

/** Whether an expression is not zero, as 0 or 1. */
export function isTrue(expr: LitmusExpr): LitmusExpr {
  const { span } = expr;
  if (expr.kind === 'binary' && expr.op in OPPOSITES) return expr;
  return { kind: 'binary', op: '!=', left: expr, right: { kind: 'int', value: 0, span }, span };
}

/** An element further on. */
export function moved(key: string, by: number): string {
  const found = /^(.*)\[(\d+)\]$/.exec(key);
  if (found === null) return by === 0 ? key : `${key}[${by}]`;
  return `${found[1]}[${Number(found[2]) + by}]`;
}

/** Whether a value holds as a condition, if that is known. Pointers that are given lead somewhere. */
export function truth({ value, type }: Typed): boolean | undefined {
  switch (value.kind) {
    case 'int':
      return value.value !== 0;
    case 'path':
      return type.kind === 'pointer' ? true : undefined;
    case 'address':
    case 'large':
    case 'pointer':
    case 'parts':
    case 'text':
      return true;
    case 'runtime':
    case 'nothing':
      return undefined;
  }
}

/** The names that an expression has. */
export const namesIn = (expr: LitmusExpr): readonly string[] =>
  leavesIn(expr).flatMap((leaf) => (leaf.kind === 'ref' ? [leaf.ref.name.text] : []));
