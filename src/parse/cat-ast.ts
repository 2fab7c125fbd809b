import type { Span } from './diagnostics/index.js';

/** The syntax of a model file. Every node has its span. */

/** `union`, `inter`, `diff` on two operands of one kind; `seq` on relations; `product` on sets. */
export type BinaryOp = 'union' | 'inter' | 'diff' | 'seq' | 'product';

/**
 * `compl` (`~`) keeps its operand's kind; `inverse`, `plus`, `star`, `opt` are on relations;
 * `identity` is `[S]`; `domain` and `range` take a relation to a set.
 */
export type UnaryOp =
  'compl' | 'inverse' | 'plus' | 'star' | 'opt' | 'identity' | 'domain' | 'range';

export type AxiomTest = 'acyclic' | 'irreflexive' | 'empty';

export interface Name {
  readonly text: string;
  readonly span: Span;
}

export type Expr = {
  /** The words of the doc comment before it, if it is an operand of a union. */
  readonly words?: string;
} & (
  | { readonly kind: 'name'; readonly text: string; readonly span: Span }
  | { readonly kind: 'zero'; readonly span: Span }
  | { readonly kind: 'universe'; readonly span: Span }
  | {
      readonly kind: 'binary';
      readonly op: BinaryOp;
      readonly left: Expr;
      readonly right: Expr;
      readonly span: Span;
    }
  | { readonly kind: 'unary'; readonly op: PrintedUnary; readonly arg: Expr; readonly span: Span }
  | {
      readonly kind: 'call';
      readonly callee: Name;
      readonly args: readonly Expr[];
      readonly span: Span;
    }
  | { readonly kind: 'tuple'; readonly parts: readonly Expr[]; readonly span: Span }
);

/** Unary operators that have a sign. `domain` and `range` are written like functions. */
export type PrintedUnary = Exclude<UnaryOp, 'domain' | 'range'>;

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

export type Item =
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
  readonly items: readonly Item[];
}
