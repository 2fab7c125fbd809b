import { asTerm } from './operands.js';
import { elementsOf, isNothing, setOf } from './static.js';
import type { Builtin, CatValue, OrdersValue } from './scope.js';
import { intern } from './table.js';
import type { TermTable } from './table.js';
import { operandsOf } from './term.js';
import type { TermId } from './term.js';

/**
 * Sets of orders, from which an execution chooses one: `with co from cross(map (linearisations …) (partition W))`. herd7 writes
 * all of them down, for each candidate. Here they stand for themselves, and the choice is what an execution guesses anyway.
 */

/** How many relations `cross` may make of sets that are written down. */
const PRODUCTS = 1000;

/** A name for the builtin functions of this file. */
export type OrdersBuiltin = Exclude<Builtin['op'], 'domain' | 'range'>;

export const ARITY: Readonly<Record<Builtin['op'], number>> = {
  domain: 1,
  range: 1,
  partition: 1,
  linearisations: 2,
  cross: 1,
};

/** What a builtin function gives; undefined if its arguments are of the wrong kinds. */
export function applied(
  table: TermTable,
  op: OrdersBuiltin,
  values: readonly CatValue[],
): CatValue | undefined {
  const [of, pairs] = values;
  switch (op) {
    case 'partition': {
      const events = asTerm({ table }, of, 'set');
      return events === undefined ? undefined : { kind: 'classes', events };
    }
    case 'linearisations':
      return linearisations(table, of, pairs);
    case 'cross':
      return of.kind === 'orders' ? of : crossed(table, of);
  }
}

/** Of a set the orders of all its events, of a partition those of each class. */
function linearisations(table: TermTable, of: CatValue, pairs: CatValue): CatValue | undefined {
  const byLocation = of.kind === 'classes';
  const events = byLocation ? of.events : asTerm({ table }, of, 'set');
  const within = asTerm({ table }, pairs, 'rel');
  if (events === undefined || within === undefined) return undefined;
  return { kind: 'orders', events, byLocation, pairs: within };
}

/** The unions of one relation of each set. */
function crossed(table: TermTable, of: CatValue): CatValue | undefined {
  let unions: readonly TermId[] = [intern(table, { op: 'empty', kind: 'rel' })];
  for (const choices of elementsOf(of) ?? [{ kind: 'error' } as const]) {
    const relations = elementsOf(choices)?.map((one) => asTerm({ table }, one, 'rel'));
    if (relations === undefined || relations.length * unions.length > PRODUCTS) return undefined;
    unions = unions.flatMap((left) =>
      relations.flatMap((right) =>
        right === undefined ? [] : intern(table, { op: 'union', kind: 'rel', left, right }),
      ),
    );
  }
  return setOf(unions.map((id) => ({ kind: 'rel', id })));
}

/** What `with x from S` chooses. */
export interface Chosen {
  /** The relation that is chosen. */
  readonly value: CatValue;
  /** Whether it is the order of writes, which an execution chooses in any case. */
  readonly ordersWrites?: boolean;
  /** What has to be empty: pairs that it has to have, and has not. */
  readonly missing?: TermId;
}

/**
 * An order that each execution has: `mo` is total at each location, and so are its parts. Undefined for orders of other events.
 *
 * @param table gets the terms
 */
export function orderOfWrites(table: TermTable, orders: OrdersValue): Chosen | undefined {
  if (orders.kind !== 'orders' || !orders.byLocation) return undefined;
  const { events, pairs } = orders;
  const parts = operandsOfUnion(table, events).filter(
    (id) => !isNothing(table, { kind: 'set', id }),
  );
  if (!parts.every((id) => isWithin(table, id, 'W'))) return undefined;
  const mo = intern(table, { op: 'base', kind: 'rel', name: 'mo' });
  const all = pairsOf(table, orders);
  const isBase = parts.some((id) => table.terms[id].op === 'base');
  const id = isBase ? mo : intern(table, { op: 'inter', kind: 'rel', left: mo, right: all });
  const missing = missingFrom(table, pairs, all, id);
  return { value: { kind: 'rel', id }, ordersWrites: true, missing };
}

/** All pairs that a set of orders is about. */
export function pairsOf(
  table: TermTable,
  { events, byLocation }: Extract<OrdersValue, { kind: 'orders' }>,
): TermId {
  const all = intern(table, { op: 'product', kind: 'rel', left: events, right: events });
  if (!byLocation) return all;
  const loc = intern(table, { op: 'base', kind: 'rel', name: 'loc' });
  return intern(table, { op: 'inter', kind: 'rel', left: all, right: loc });
}

/** Which of the pairs an order has not, if there may be some. */
export function missingFrom(
  table: TermTable,
  pairs: TermId,
  all: TermId,
  order: TermId,
): TermId | undefined {
  const open = operandsOfUnion(table, pairs).filter(
    (id) => !isWithin(table, id, 'mo') && !isNothing(table, { kind: 'rel', id }),
  );
  if (open.length === 0) return undefined;
  const wanted = open.reduce((left, right) =>
    intern(table, { op: 'union', kind: 'rel', left, right }),
  );
  const about = intern(table, { op: 'inter', kind: 'rel', left: wanted, right: all });
  return intern(table, { op: 'diff', kind: 'rel', left: about, right: order });
}

const operandsOfUnion = (table: TermTable, id: TermId): readonly TermId[] =>
  table.terms[id].op === 'union'
    ? operandsOf(table.terms[id]).flatMap((operand) => operandsOfUnion(table, operand))
    : [id];

/** Does a term have no more in it than a base name, as far as its operators tell? */
function isWithin({ terms }: TermTable, id: TermId, name: string): boolean {
  const seen = new Map<TermId, boolean>();
  const within = (at: TermId): boolean => {
    const known = seen.get(at);
    if (known !== undefined) return known;
    const term = terms[at];
    const operands = operandsOf(term);
    const is =
      (term.op === 'base' && term.name === name) ||
      (term.op === 'inter' && operands.some(within)) ||
      (term.op === 'diff' && within(operands[0])) ||
      (term.op === 'union' && operands.every(within));
    seen.set(at, is);
    return is;
  };
  return within(id);
}
