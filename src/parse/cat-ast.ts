import type { Expr, Name } from './cat-expr.js';
import type { Declaration } from './declaration-ast.js';
import type { Span } from './diagnostics/index.js';

export type { BinaryOp, Expr, Name, PrintedUnary, UnaryOp } from './cat-expr.js';

/**
 * The syntax tree of a model file, as the grammar builds it: names are not looked up, and included files are not read.
 * Every node has the span of its text.
 */

/** What an axiom demands of its relation or set. */
export type AxiomTest = 'acyclic' | 'irreflexive' | 'empty';

/** One `name = body`, `name(params) = body` or `(name, name) = body` of a `let`. */
export interface Binding {
  /** More than one if the body is a tuple, which is taken apart. A part that nobody needs is called `_`. */
  readonly names: readonly Name[];
  /** The parameters of a function; undefined for a plain definition. */
  readonly params?: readonly Name[];
  readonly body: Expr;
  readonly span: Span;
  /** What the doc comment before the definition says. People are shown it; the meaning of a model never depends on it. */
  readonly words?: string;
}

/** One item of a model file. An `include` stands for itself here, and never for the items of the other file. */
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
      /** `~acyclic r`: the test must fail. */
      readonly negated: boolean;
      /** `flag acyclic r as x`: executions that pass the test get the mark `x`. It never forbids an execution. */
      readonly flag: boolean;
      readonly expr: Expr;
      readonly name?: Name;
      readonly span: Span;
    }
  | { readonly kind: 'show'; readonly names: readonly Name[]; readonly span: Span }
  | { readonly kind: 'unshow'; readonly names: readonly Name[]; readonly span: Span }
  | { readonly kind: 'showAs'; readonly expr: Expr; readonly name: Name; readonly span: Span };

export interface CatFile {
  /** What stands at the top of the file, for people. The name of a model is that of its file, and never its title. */
  readonly title?: string;
  readonly items: readonly CatItem[];
}
