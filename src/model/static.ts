import type { Condition, Expr, Pattern } from '../parse/cat-ast.js';
import { foldedTerms } from './narrow.js';
import type { CatValue } from './scope.js';
import type { TermTable } from './table.js';

/**
 * Values that are known when a model is loaded, whatever the execution: tags, sets that are written down, functions. What is
 * decided by them (`match`, `if`) leaves no term.
 */

/** The values of a set that is written down. Undefined for every other value. */
export function elementsOf(value: CatValue): readonly CatValue[] | undefined {
  if (value.kind === 'zero') return [];
  return value.kind === 'many' ? value.parts : undefined;
}

/** The set of some values, each once. */
export function setOf(values: readonly CatValue[]): CatValue {
  const parts = [...new Map(values.map((value) => [keyOf(value), value])).values()];
  return parts.length === 0 ? { kind: 'zero' } : { kind: 'many', parts };
}

/** Union, intersection or difference of sets that are written down. */
export function combined(
  op: 'union' | 'inter' | 'diff',
  left: readonly CatValue[],
  right: readonly CatValue[],
): CatValue {
  if (op === 'union') return setOf([...left, ...right]);
  const others = new Set(right.map(keyOf));
  return setOf(left.filter((value) => others.has(keyOf(value)) === (op === 'inter')));
}

const functions = new WeakMap<CatValue, number>();
let counted = 0;

/** A text that equal values have in common, and no others. Each function is equal to itself alone. */
export function keyOf(value: CatValue): string {
  if (value.kind === 'tuple') return `tuple(${value.parts.map(keyOf).join(',')})`;
  // A set is the same in each order.
  if (value.kind === 'many') return `many(${value.parts.map(keyOf).sort().join(',')})`;
  if (value.kind !== 'function') return JSON.stringify(value);
  const known = functions.get(value) ?? counted++;
  functions.set(value, known);
  return `function ${known}`;
}

/** Is a value empty in every execution, as far as its operators tell? */
export function isNothing({ terms }: TermTable, value: CatValue): boolean {
  if (value.kind === 'zero') return true;
  if (value.kind !== 'set' && value.kind !== 'rel') return false;
  const { id } = value;
  return foldedTerms(terms.slice(0, id + 1), () => false).terms[id].op === 'empty';
}

/** What compares two expressions. */
type Comparison = Extract<Condition, { left: Expr }>;

/**
 * What a condition says. Flags name ways in which herd7 itself can run (its variants), of which there are none here: each is off.
 *
 * @param compare what it says of a comparison; undefined where that cannot be decided. Items are chosen by flags alone
 */
export function decided(
  condition: Condition,
  compare?: (comparison: Comparison) => boolean | undefined,
): boolean | undefined {
  const of = (inner: Condition): boolean | undefined => decided(inner, compare);
  switch (condition.kind) {
    case 'flag':
      return false;
    case 'not': {
      const inner = of(condition.of);
      return inner === undefined ? undefined : !inner;
    }
    case 'and':
      return of(condition.left) && of(condition.right);
    case 'or':
      return of(condition.left) || of(condition.right);
    case 'equal':
    case 'subset':
    case 'in':
      return compare?.(condition);
  }
}

/** What a comparison says of two values; undefined if it is for each execution to say. */
export function compared(
  table: TermTable,
  kind: Comparison['kind'],
  left: CatValue,
  right: CatValue,
): boolean | undefined {
  if (kind === 'in') {
    const elements = elementsOf(right);
    return elements?.some((value) => keyOf(value) === keyOf(left));
  }
  const [l, r] = [left, right].map((value) => (isNothing(table, value) ? [] : elementsOf(value)));
  if (l !== undefined && r !== undefined) {
    const shared = combined('inter', l, r);
    const isSubset = elementsOf(shared)?.length === l.length;
    return isSubset && (kind === 'subset' || l.length === r.length);
  }
  if (keyOf(left) === keyOf(right)) return true;
  return left.kind === 'tag' && right.kind === 'tag' ? false : undefined;
}

/** An alternative of a `match`, and what the names in its pattern stand for. */
export interface Taken {
  readonly body: Expr;
  readonly names: readonly (readonly [string, CatValue])[];
}

/** The alternative of a `match` for a value; undefined if there is none, or if it is for each execution to say. */
export function takenFor(
  table: TermTable,
  clauses: readonly { readonly pattern: Pattern; readonly body: Expr }[],
  value: CatValue,
): Taken | undefined {
  const elements = isNothing(table, value) ? [] : elementsOf(value);
  for (const { pattern, body } of clauses) {
    if (pattern.kind === 'any' && value.kind === 'tag') return { body, names: [] };
    if (pattern.kind === 'tag' && value.kind === 'tag' && pattern.text === value.text)
      return { body, names: [] };
    if (pattern.kind === 'none' && elements?.length === 0) return { body, names: [] };
    if (pattern.kind === 'one' && elements !== undefined && elements.length > 0) {
      const [first, ...rest] = elements;
      const parts = [
        [pattern.element.text, first],
        [pattern.rest.text, setOf(rest)],
      ] as const;
      return { body, names: parts.filter(([name]) => name !== '_') };
    }
  }
  return undefined;
}
