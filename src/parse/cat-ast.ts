import type { Bindings, Condition, Expr, Name } from './cat-expr.js';
import type { Declaration } from './declaration-ast.js';
import type { Span } from './diagnostics/index.js';

export type {
  BinaryOp,
  Binding,
  Bindings,
  Condition,
  Expr,
  Name,
  Pattern,
  PrintedUnary,
  UnaryOp,
} from './cat-expr.js';

/**
 * The syntax tree of a model file, as the grammar builds it: names are not looked up, and included files are not read.
 * Every node has the span of its text.
 */

/** What an axiom demands of its relation or set. */
export type AxiomTest = 'acyclic' | 'irreflexive' | 'empty';

/** One item of a model file. An `include` stands for itself here, and never for the items of the other file. */
export type CatItem =
  | Declaration
  | { readonly kind: 'include'; readonly path: Name; readonly span: Span }
  | ({
      readonly kind: 'let';
      /** `let rec … when acyclic r`: what has to hold of what is defined. */
      readonly when?: AxiomItem;
      readonly span: Span;
    } & Bindings)
  | AxiomItem
  | Conditional
  | {
      readonly kind: 'enum';
      readonly name: Name;
      readonly tags: readonly Name[];
      readonly span: Span;
    }
  | {
      readonly kind: 'procedure';
      readonly name: Name;
      readonly params: readonly Name[];
      readonly items: readonly CatItem[];
      readonly span: Span;
    }
  | {
      readonly kind: 'call';
      readonly callee: Name;
      readonly args: readonly Expr[];
      /** What the axioms of the procedure are called here. */
      readonly name?: Name;
      readonly span: Span;
    }
  | {
      readonly kind: 'forall';
      readonly name: Name;
      readonly of: Expr;
      readonly items: readonly CatItem[];
      readonly span: Span;
    }
  /** `with x from S`: an execution chooses one element of the set. */
  | { readonly kind: 'from'; readonly name: Name; readonly of: Expr; readonly span: Span }
  /** `instructions R[{'once}]` says which annotations programs may have, `debug e` prints: models mean the same without. */
  | { readonly kind: 'aside'; readonly exprs: readonly Expr[]; readonly span: Span }
  | { readonly kind: 'show'; readonly names: readonly Name[]; readonly span: Span }
  | { readonly kind: 'unshow'; readonly names: readonly Name[]; readonly span: Span }
  | { readonly kind: 'showAs'; readonly expr: Expr; readonly name: Name; readonly span: Span };

export interface AxiomItem {
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

/** Items that depend on what flags are given: `if "flag" … else … end`. */
export interface Conditional {
  readonly kind: 'conditional';
  readonly condition: Condition;
  readonly items: readonly CatItem[];
  readonly otherwise: readonly CatItem[];
  readonly span: Span;
}

export interface CatFile {
  /** What stands at the top of the file, for people. The name of a model is that of its file, and never its title. */
  readonly title?: string;
  readonly items: readonly CatItem[];
}
