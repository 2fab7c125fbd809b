import { foldExpression } from '../parse/fold.js';
import { applyBinary, applyUnary } from '../parse/integers.js';
import type { BinaryOperator, CallArgument, LitmusExpr, LitmusLeaf } from '../parse/litmus-ast.js';
import type { VariableBound, LibraryScope } from './scope.js';
import { lookUp, nodesNamedBy } from './scope.js';

/** What is known before anything runs: a number, a thread or a node. */
export type Constant = Extract<VariableBound, { kind: 'int' | 'thread' | 'node' }>;

/** The value of an expression that is known before anything runs; undefined for any other. */
export function constantIn(scope: LibraryScope, e: LitmusExpr): Constant | undefined {
  return foldExpression<LitmusLeaf, Constant | undefined>(e, {
    int: ({ value }) => ({ kind: 'int', value }),
    leaf: (leaf) => ofLeaf(scope, leaf),
    unary: ({ op }, arg) =>
      arg?.kind === 'int' ? { kind: 'int', value: applyUnary(op, arg.value) } : undefined,
    binary: ({ op }, left, right) => left && right && ofBinary(op, left, right),
  });
}

function ofLeaf(scope: LibraryScope, leaf: LitmusLeaf): Constant | undefined {
  if (leaf.kind === 'ref') return ofName(scope, leaf);
  return leaf.kind === 'apply' ? ofApplied(scope, leaf) : undefined;
}

/** The number that an expression is, if that is known before anything runs. */
export function numberIn(scope: LibraryScope, e: LitmusExpr): number | undefined {
  const known = constantIn(scope, e);
  return known?.kind === 'int' ? known.value : undefined;
}

function ofName(
  scope: LibraryScope,
  { ref }: Extract<LitmusExpr, { kind: 'ref' }>,
): Constant | undefined {
  if (ref.index !== undefined || ref.object !== undefined || ref.node !== undefined)
    return undefined;
  const bound = lookUp(scope, ref.name.text);
  switch (bound?.kind) {
    case 'int':
    case 'thread':
    case 'node':
      return bound;
    case 'given':
      return bound.value.kind === 'int' ? { kind: 'int', value: bound.value.value } : undefined;
    case 'nodes':
    case 'object':
    case undefined:
      return undefined;
  }
}

function ofBinary(op: BinaryOperator, left: Constant, right: Constant): Constant | undefined {
  if (left.kind === 'int' && right.kind === 'int') {
    const value = applyBinary(op, left.value, right.value);
    return value === undefined ? undefined : { kind: 'int', value };
  }
  if (op !== '=' && op !== '!=') return undefined;
  const same = left.kind === right.kind && textOf(left) === textOf(right);
  return { kind: 'int', value: Number(same === (op === '=')) };
}

/** A number, or the name of a thread or node. */
export const textOf = (known: Constant): string =>
  known.kind === 'int' ? String(known.value) : known.name;

/** The value of `size(x)`, of `node(writer)`, and of `len(m)` if the client wrote `m` as a tuple or an expression. */
function ofApplied(
  scope: LibraryScope,
  e: Extract<LitmusExpr, { kind: 'apply' }>,
): Constant | undefined {
  const [name, ...more] = e.arguments.map(nameGiven);
  if (name === undefined || more.length > 0) return undefined;
  const bound = lookUp(scope, name.text);
  switch (e.name.text) {
    case 'size':
      return bound?.kind === 'object' ? { kind: 'int', value: bound.object.words ?? 1 } : undefined;
    case 'node': {
      const nodes = nodesNamedBy(scope, name);
      return nodes?.length === 1 ? { kind: 'node', name: nodes[0] } : undefined;
    }
    case 'len': {
      const words = bound?.kind === 'given' ? constantWords(bound.value) : undefined;
      return words && { kind: 'int', value: words.length };
    }
    default:
      return undefined;
  }
}

/** The name that an argument consists of. */
export function nameGiven(given: CallArgument) {
  const isName =
    given.kind === 'ref' &&
    given.ref.index === undefined &&
    given.ref.object === undefined &&
    given.ref.node === undefined;
  return isName ? given.ref.name : undefined;
}

/** The words of a value, if their number is known. An expression is one word. */
export function constantWords(value: LitmusExpr): readonly LitmusExpr[] | undefined {
  if (value.kind === 'tuple') return value.parts;
  return value.kind === 'ref' ? undefined : [value];
}
