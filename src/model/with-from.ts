import type { CatItem } from '../parse/cat-ast.js';
import { BASE_ALIASES, BASE_RELATIONS, CHOSEN_RELATIONS } from './bases.js';
import { elaborateExpr } from './expression.js';
import type { Context } from './context.js';
import { missingFrom, orderOfWrites, pairsOf } from './orders.js';
import type { Chosen } from './orders.js';
import type { CatValue, ModelScope } from './scope.js';
import { elementsOf, isNothing } from './static.js';
import { basesOf, intern } from './table.js';
import type { TermId } from './term.js';

type WithFrom = Extract<CatItem, { kind: 'from' }>;
type Orders = Extract<CatValue, { kind: 'orders' }>;

/** What the rest of a model says of choices. */
export interface Choices {
  /** Whether the order of writes was chosen before: then another one is guessed. */
  readonly isOrdered: boolean;
  /** Whether a relation is guessed already. */
  readonly isGuessed: (name: string) => boolean;
  /** Has executions guess a strict total order on each class of an equivalence. */
  readonly guess: (name: string, pairs: TermId) => void;
}

/**
 * `with x from S`: the choice that each execution makes. Orders of writes are `mo`, which an execution chooses in any case; for
 * other events an order is guessed. Undefined after reporting.
 */
export function elaborateFrom(
  context: Context,
  scope: ModelScope,
  { name, of }: WithFrom,
  choices: Choices,
): Chosen | undefined {
  const value = elaborateExpr(context, scope, of);
  const report = (message: string, hint?: string): undefined => {
    if (value.kind !== 'error') context.errors.push({ span: of.span, message, hint });
    return undefined;
  };
  if (value.kind === 'orders') {
    // No events have one order, which is empty.
    if (isNothing(context.table, { kind: 'set', id: value.events }))
      return { value: { kind: 'zero' } };
    const order = choices.isOrdered ? undefined : orderOfWrites(context.table, value);
    return order ?? guessed(context, name.text, value, choices, report);
  }
  const elements = elementsOf(value);
  if (elements === undefined) {
    return report('`with` needs a set of relations', 'such as cross(…) or linearisations(…)');
  }
  if (elements.length === 1) return { value: elements[0] };
  return report(
    elements.length === 0
      ? 'there is nothing in this set to choose from'
      : `a choice between ${elements.length} values is not supported`,
  );
}

function guessed(
  { table }: Context,
  name: string,
  orders: Orders,
  { isGuessed, guess }: Choices,
  report: (message: string) => undefined,
): Chosen | undefined {
  const pairs = pairsOf(table, orders);
  const open = basesOf(table, [pairs]).find(
    (base) => CHOSEN_RELATIONS.includes(base) || isGuessed(base),
  );
  if (open !== undefined) {
    return report(`'${open}' is chosen itself: events are ordered that the program fixes`);
  }
  const isBase = BASE_RELATIONS.includes(name) || BASE_ALIASES.has(name);
  if (isBase || isGuessed(name)) {
    return report(`an order is chosen as '${name}' already: this one needs another name`);
  }
  guess(name, pairs);
  const id = intern(table, { op: 'base', kind: 'rel', name });
  return { value: { kind: 'rel', id }, missing: missingFrom(table, orders.pairs, pairs, id) };
}
