import { applyBinary, applyUnary } from '../parse/integers.js';
import type { LitmusExpr } from '../parse/litmus-ast.js';
import type { Expression } from './program.js';

export * from '../parse/integers.js';

/** The value of an expression without names, or undefined. */
export function constantOf(e: Expression | LitmusExpr): number | undefined {
  switch (e.kind) {
    case 'int':
      return e.value;
    case 'unary': {
      const value = constantOf(e.arg);
      return value === undefined ? undefined : applyUnary(e.op, value);
    }
    case 'binary': {
      const left = constantOf(e.left);
      const right = constantOf(e.right);
      return left === undefined || right === undefined ? undefined : applyBinary(e.op, left, right);
    }
    case 'none':
    case 'slice':
    case 'apply':
    case 'tuple':
    case 'ref':
    case 'location':
    case 'register':
      return undefined;
  }
}
