import type { Expr, Name } from './cat-expr.js';
import type { Span } from './diagnostics/index.js';
import type { BinaryOperator, UnaryOperator } from './litmus-ast.js';

/** The syntax of the declarations of a model file (docs/instructions.md): events, operations, guesses. */
export type Declaration =
  | InitialDeclaration
  | EventDeclaration
  | OperationDeclaration
  | ShortDeclaration
  | GuessDeclaration
  | TagDeclaration;

/** `initial lW`: the label of initial writes. */
export interface InitialDeclaration {
  readonly kind: 'initial';
  readonly label: Name;
  readonly span: Span;
}

/** `event nlR, nrW by nic on qp` */
export interface EventDeclaration {
  readonly kind: 'event';
  readonly labels: readonly Name[];
  /** Who performs it, as written: `cpu` or `nic`. */
  readonly by?: Name;
  /** `on qp`: it is on a queue pair. */
  readonly onQueuePair: boolean;
  /** What the doc comment before it says: "T … the other". */
  readonly words?: string;
  readonly span: Span;
}

/** `operation put(own x) into remote y on qp(y) work d : …`; with `replace`, in the place of an earlier one. */
export interface OperationDeclaration {
  readonly kind: 'operation';
  readonly replace: boolean;
  readonly name: Name;
  /** `operation put [inline] (…)`: a form of an operation that calls with this tag take. */
  readonly tag?: Name;
  readonly parameters: readonly Parameter[];
  /** The place that the call itself writes: what stands to the left of `:=`. */
  readonly into?: Parameter;
  /** `on q`, or `on qp(y)` for the queue pair towards the node of `y`. */
  readonly on?: { readonly of: Name; readonly isPlace: boolean };
  /** `work d` behind the parentheses: its work identifier, which a call need not give. */
  readonly work?: Name;
  /** `= v`: the value of the call. */
  readonly result?: Name;
  readonly alternatives: readonly Alternative[];
  readonly words?: string;
  readonly span: Span;
}

/** `own x`: the kind as written. */
export interface Parameter {
  readonly kind: Name;
  readonly name: Name;
}

/** One way in which a call may go; without a guard, it always may. */
export interface Alternative {
  readonly body: Body;
  readonly when?: ValueExpr;
}

/** What a call does: events, one after the other (`;`) or beside each other (`,`). */
export type Body =
  | { readonly kind: 'then' | 'beside'; readonly parts: readonly Body[] }
  | {
      readonly kind: 'event';
      readonly label: Name;
      /** `reads x as v` */
      readonly reads?: { readonly place: Name; readonly as: Name };
      /** `writes x := e` */
      readonly writes?: { readonly place: Name; readonly value: ValueExpr };
      readonly span: Span;
    }
  | { readonly kind: 'if'; readonly condition: ValueExpr; readonly body: Body };

/** An expression of the litmus language over values that parameters and reads give. */
export type ValueExpr =
  | { readonly kind: 'int'; readonly value: number; readonly span: Span }
  | { readonly kind: 'name'; readonly text: string; readonly span: Span }
  | {
      readonly kind: 'unary';
      readonly op: UnaryOperator;
      readonly arg: ValueExpr;
      readonly span: Span;
    }
  | {
      readonly kind: 'binary';
      readonly op: BinaryOperator;
      readonly left: ValueExpr;
      readonly right: ValueExpr;
      readonly span: Span;
    };

/** `short remote := own : put`: which operation an assignment is a short form of. */
export interface ShortDeclaration {
  readonly kind: 'short';
  /** The kind of place to the left of `:=`; none for a name in an expression. */
  readonly left?: Name;
  readonly right: Name;
  readonly operation: Name;
  readonly span: Span;
}

/** How the pairs of a guessed relation are chosen. */
export type Choosing =
  | { readonly how: 'either' | 'total'; readonly pairs: Expr }
  | {
      readonly how: 'kth';
      readonly from: Expr;
      readonly to: Expr;
      readonly within: Expr;
      /** No program order between partners is asked for. */
      readonly unordered: boolean;
    }
  | { readonly how: 'one'; readonly from: Expr; readonly to: Expr; readonly within: Expr };

/** `guess nfo : either (…) & sqp` */
export interface GuessDeclaration {
  readonly kind: 'guess';
  readonly replace: boolean;
  readonly name: Name;
  readonly choosing: Choosing;
  readonly words?: string;
  readonly span: Span;
}

/** `tag relaxed on location` */
export interface TagDeclaration {
  readonly kind: 'tag';
  readonly name: Name;
  readonly on: Name;
  readonly words?: string;
  readonly span: Span;
}
