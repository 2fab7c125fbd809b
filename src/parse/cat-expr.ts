import type { Span } from './diagnostics/index.js';

/** The syntax of what stands in definitions, axioms and guesses: names, and expressions over them. */

/** `union`, `inter`, `diff` on two operands of one kind; `seq` on relations; `product` on sets. */
export type BinaryOp = 'union' | 'inter' | 'diff' | 'seq' | 'product';

/**
 * `compl` (`~`) keeps its operand's kind; `inverse`, `plus`, `star`, `opt` are on relations;
 * `identity` is `[S]`; `domain` and `range` take a relation to a set.
 */
export type UnaryOp =
  'compl' | 'inverse' | 'plus' | 'star' | 'opt' | 'identity' | 'domain' | 'range';

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
