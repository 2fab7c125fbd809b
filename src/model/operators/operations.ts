import type { Kind } from '../term-node.js';
import type { Operator } from './facts.js';
import { OPERATORS } from './facts.js';

/** One method for each operator, on sets `S` and relations `R`; those that take either have one for each. */
export interface OperatorFunctions<S, R> {
  unionSet(a: S, b: S): S;
  interSet(a: S, b: S): S;
  diffSet(a: S, b: S): S;
  complSet(a: S): S;

  unionRel(a: R, b: R): R;
  interRel(a: R, b: R): R;
  diffRel(a: R, b: R): R;
  complRel(a: R): R;

  seq(a: R, b: R): R;
  product(a: S, b: S): R;
  inverse(a: R): R;
  plus(a: R): R;
  star(a: R): R;
  opt(a: R): R;
  identity(a: S): R;
  domain(a: R): S;
  range(a: R): S;
}

type Method = keyof OperatorFunctions<unknown, unknown>;

/** What an operator does, on sets or relations of the kinds that it takes. For a unary operator, `b` is undefined. */
export type OperatorFunction<T> = (a: T, b: T) => T;

/** By operator and kind of the result: the name of its method. */
const METHODS = new Map<Operator, Readonly<Record<Kind, Method>>>(
  (Object.keys(OPERATORS) as Operator[]).map((op) => [
    op,
    OPERATORS[op].takes === 'either'
      ? { set: `${op}Set` as Method, rel: `${op}Rel` as Method }
      : { set: op as Method, rel: op as Method },
  ]),
);

/** The operation that an operator is on operands of the kind that the result has, where it takes either. */
export const functionOf = <S, R>(
  operations: OperatorFunctions<S, R>,
  op: Operator,
  kind: Kind,
): OperatorFunction<S | R> => operations[METHODS.get(op)![kind]] as OperatorFunction<S | R>;

/** All operations, each made for an operator and the kind of its result; `method` is its name among them. */
export function operatorFunctions<S, R>(
  make: (op: Operator, kind: Kind, method: Method) => unknown,
): OperatorFunctions<S, R> {
  const made: Partial<Record<Method, unknown>> = {};
  for (const [op, methods] of METHODS) {
    const { makes } = OPERATORS[op];
    for (const kind of makes === 'same' ? KINDS : [makes]) {
      made[methods[kind]] = make(op, kind, methods[kind]);
    }
  }
  return made as OperatorFunctions<S, R>;
}

const KINDS: readonly Kind[] = ['set', 'rel'];

/**
 * All operations on other sets and relations, such as bounds, from those on these.
 *
 * @param lift makes one of the operations, from sets or relations to what stands for them; it is told for each operand
 *   whether the result grows with it
 */
export const lifted = <S, R>(
  operations: Readonly<Record<Method, (a: never, b: never) => unknown>>,
  lift: (operation: OperatorFunction<never>, grows: readonly boolean[]) => unknown,
): OperatorFunctions<S, R> =>
  operatorFunctions((op, _, method) =>
    lift(operations[method] as OperatorFunction<never>, OPERATORS[op].grows),
  );
