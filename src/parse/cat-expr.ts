import type { Span } from './diagnostics/index.js';

/** Names, and expressions over them: what definitions, axioms and guesses of a model file are made of. */

/** `union`, `inter`, `diff` on two operands of one kind; `seq` on relations; `product` on sets. */
export type BinaryOp = 'union' | 'inter' | 'diff' | 'seq' | 'product';

/**
 * `compl` (`~`) keeps its operand's kind; `inverse`, `plus`, `star`, `opt` are on relations;
 * `identity` is `[S]`; `domain` and `range` take a relation to a set.
 */
export type UnaryOp =
  'compl' | 'inverse' | 'plus' | 'star' | 'opt' | 'identity' | 'domain' | 'range';

/** A name where it stands in a file, whatever it stands for. */
export interface Name {
  readonly text: string;
  readonly span: Span;
}

/** An expression. Whether it is a set or a relation is not known yet: that depends on what its names stand for. */
export type Expr = {
  /** What the doc comment before it says. Only an operand of a union has one. */
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
