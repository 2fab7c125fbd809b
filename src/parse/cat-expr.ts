import type { Span } from './diagnostics/index.js';

/** Names, and expressions over them: what definitions, axioms and guesses of a model file are made of. */

/** `union`, `inter`, `diff` on two operands of one kind; `seq` on relations; `product` on sets. */
export type BinaryOp = 'union' | 'inter' | 'diff' | 'seq' | 'product';

/**
 * `compl` (`~`) keeps its operand's kind; `inverse`, `plus`, `star`, `opt` are on relations;
 * `identity` is `[S]`; `domain` and `range` take a relation to a set.
 */
export type UnaryOp =
  | 'compl'
  | 'inverse'
  | 'plus'
  | 'star'
  | 'opt'
  | 'identity'
  | 'domain'
  | 'range';

/** A name where it stands in a file, whatever it stands for. */
export interface Name {
  readonly text: string;
  readonly span: Span;
}

/** What an alternative of a `match` is for. */
export type Pattern =
  | ({ readonly kind: 'tag' } & Name)
  | { readonly kind: 'any' }
  /** The empty set. */
  | { readonly kind: 'none' }
  /** Any other set: one of its elements, and the others. */
  | { readonly kind: 'one'; readonly element: Name; readonly rest: Name };

/** What an `if` asks. A flag is a word that is given when the model is loaded: herd7 calls it a variant. */
export type Condition =
  | { readonly kind: 'flag'; readonly text: string }
  | { readonly kind: 'not'; readonly of: Condition }
  | { readonly kind: 'and' | 'or'; readonly left: Condition; readonly right: Condition }
  | { readonly kind: 'equal' | 'subset' | 'in'; readonly left: Expr; readonly right: Expr };

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

/** The bindings of one `let`, all of which see each other if it is recursive. */
export interface Bindings {
  readonly recursive: boolean;
  readonly bindings: readonly Binding[];
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
      /** Mostly a name: what is called may be made by another call. */
      readonly callee: Expr;
      readonly args: readonly Expr[];
      readonly span: Span;
    }
  | { readonly kind: 'tuple'; readonly parts: readonly Expr[]; readonly span: Span }
  | { readonly kind: 'tag'; readonly text: string; readonly span: Span }
  /** A set of values that are written down: tags, relations, sets. */
  | { readonly kind: 'braces'; readonly parts: readonly Expr[]; readonly span: Span }
  /** The set with one element more. */
  | { readonly kind: 'adding'; readonly element: Expr; readonly to: Expr; readonly span: Span }
  | ({ readonly kind: 'let'; readonly body: Expr; readonly span: Span } & Bindings)
  | {
      readonly kind: 'function';
      readonly params: readonly Name[];
      readonly body: Expr;
      readonly span: Span;
    }
  /** The body, or what stands for it where a name in it is unknown. */
  | { readonly kind: 'try'; readonly body: Expr; readonly otherwise: Expr; readonly span: Span }
  | {
      readonly kind: 'if';
      readonly condition: Condition;
      readonly body: Expr;
      readonly otherwise: Expr;
      readonly span: Span;
    }
  | {
      readonly kind: 'match';
      readonly of: Expr;
      readonly clauses: readonly { readonly pattern: Pattern; readonly body: Expr }[];
      readonly span: Span;
    }
);

/** Unary operators that have a sign. `domain` and `range` are written like functions. */
export type PrintedUnary = Exclude<UnaryOp, 'domain' | 'range'>;
