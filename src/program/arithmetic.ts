import { numberOf } from '../parse/fold.js';
import type { LitmusExpr } from '../parse/litmus-ast.js';
import type { FlowValue } from './flow/graph.js';
import type { Expression } from './program.js';

export * from '../parse/integers.js';

/** The value of an expression without names, or undefined. */
export const constantOf = (e: Expression | FlowValue | LitmusExpr): number | undefined =>
  numberOf<unknown>(e, () => undefined);
