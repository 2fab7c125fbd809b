import type { Expr, Name } from './cat-expr.js';
import type { Declaration } from './declaration-ast.js';
import type { Span } from './diagnostics/index.js';

export type { BinaryOp, Expr, Name, PrintedUnary, UnaryOp } from './cat-expr.js';

/** The syntax of a model file. Every node has its span. */

export type AxiomTest = 'acyclic' | 'irreflexive' | 'empty';

/** One `name = body`, `name(params) = body` or `(name, name) = body` of a `let`. */
export interface Binding {
  /** Several where a tuple is taken apart; `_` where a part is not needed. */
  readonly names: readonly Name[];
  /** Present for functions. */
  readonly params?: readonly Name[];
  readonly body: Expr;
  readonly span: Span;
  /** The words of the doc comment before the definition. */
  readonly words?: string;
}

export type CatItem =
  | Declaration
  | { readonly kind: 'include'; readonly path: Name; readonly span: Span }
  | {
      readonly kind: 'let';
      readonly recursive: boolean;
      readonly bindings: readonly Binding[];
      readonly span: Span;
    }
  | {
      readonly kind: 'axiom';
      readonly test: AxiomTest;
      readonly negated: boolean;
      readonly flag: boolean;
      readonly expr: Expr;
      readonly name?: Name;
      readonly span: Span;
    }
  | { readonly kind: 'show'; readonly names: readonly Name[]; readonly span: Span }
  | { readonly kind: 'unshow'; readonly names: readonly Name[]; readonly span: Span }
  | { readonly kind: 'showAs'; readonly expr: Expr; readonly name: Name; readonly span: Span };

export interface CatFile {
  readonly title?: string;
  readonly items: readonly CatItem[];
}
