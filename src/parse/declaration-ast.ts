import type { Expr, Name } from './cat-expr.js';
import type { Span } from './diagnostics/index.js';
import type { Arithmetic } from './litmus-ast.js';

/** The declarations of a model file, as the grammar builds them (docs/instructions.md): events, operations, guesses. */
export type Declaration =
  | InitialDeclaration
  | EventDeclaration
  | OperationDeclaration
  | DropDeclaration
  | InsteadDeclaration
  | DropInsteadDeclaration
  | ShortDeclaration
  | GuessDeclaration
  | TagDeclaration
  | LibraryDeclaration
  | ObjectDeclaration
  | RoleDeclaration;

/** `library sv "Shared variables"`: the declarations after it belong to this library. */
export interface LibraryDeclaration {
  readonly kind: 'library';
  readonly name: Name;
  readonly title?: string;
  readonly span: Span;
}

/** `object x : copied, empty`: what its objects are in memory, each property as its words. */
export interface ObjectDeclaration {
  readonly kind: 'object';
  readonly name: Name;
  readonly properties: readonly Name[];
  readonly span: Span;
}

/** `role reader : threads`: which threads take part in an object. */
export interface RoleDeclaration {
  readonly kind: 'role';
  readonly name: Name;
  /** `thread` or `threads`, as written. */
  readonly many: Name;
  readonly span: Span;
}

/** `initial lW`: the label of initial writes. */
export interface InitialDeclaration {
  readonly kind: 'initial';
  readonly label: Name;
  readonly span: Span;
}

/** A label of events. In `aNLR(node)`, events also have an index, which is a node. */
export interface DeclaredLabel {
  readonly name: Name;
  readonly index?: Name;
  readonly span: Span;
}

/** `drop operation rcas, put [imm]`: programs that call one of these have no verdict. */
export interface DropDeclaration {
  readonly kind: 'drop';
  readonly operations: readonly DroppedOperation[];
  readonly span: Span;
}

export interface DroppedOperation {
  readonly name: Name;
  /** The form that is dropped; without it, the operation and all its forms. */
  readonly tag?: Name | undefined;
}

/** `instead nC with fallible | nE without nlW | nZ without nic`: what calls with a tag may do in the place of an event. */
export interface InsteadDeclaration {
  readonly kind: 'instead';
  /** The event in whose place others stand. */
  readonly label: Name;
  /** The tags of calls and queue pairs that it is for. */
  readonly tags: readonly Name[];
  readonly ways: readonly InsteadWay[];
  readonly span: Span;
}

/** `drop instead nC`: what stands in the place of these events is taken back, and programs with its tags have no verdict. */
export interface DropInsteadDeclaration {
  readonly kind: 'dropInstead';
  readonly labels: readonly Name[];
  readonly span: Span;
}

export interface InsteadWay {
  /** The event that is made. */
  readonly label: Name;
  /** Events that are not made then: labels, or `nic` for all other events by NICs. */
  readonly without: readonly Name[];
}

/** `event nlR, nrW by nic on qp`. With `replace`, earlier events with these labels are declared anew. */
export interface EventDeclaration {
  readonly kind: 'event';
  readonly replace: boolean;
  readonly labels: readonly DeclaredLabel[];
  /** Who performs it, as written: `cpu` or `nic`. */
  readonly by?: Name;
  /** `on qp`: it is on a queue pair. */
  readonly onQueuePair: boolean;
  /** `with unsignalled, shared`: only programs with one of these have such events; none: all programs. */
  readonly occasions: readonly Name[];
  /** What the doc comment before it says: "T … the other". */
  readonly words?: string;
  readonly span: Span;
}

/**
 * `operation put(own x) into remote y on qp(y) work d : …`. With `replace`, it replaces an earlier operation of this
 * name.
 */
export interface OperationDeclaration {
  readonly kind: 'operation';
  readonly replace: boolean;
  readonly name: Name;
  /** `operation put [inline] (…)`: what only calls with this tag do. */
  readonly tag?: Name;
  readonly parameters: readonly ParameterSyntax[];
  /** The place to the left of `:=` in a call: the call itself writes it. Not to be confused with `result`. */
  readonly into?: ParameterSyntax;
  /** `on q`, or `on qp(y)` for the queue pair towards the node of `y`. */
  readonly on?: { readonly of: Name; readonly isPlace: boolean };
  /** `work d` behind the parentheses: its work identifier, which a call need not give. */
  readonly work?: Name;
  /** `by reader`: only threads in this role of its object call it. */
  readonly by?: Name;
  /** `= v`: the value that a call has, and that the program may assign. */
  readonly result?: Name;
  readonly alternatives: readonly AlternativeSyntax[];
  readonly words?: string;
  readonly span: Span;
}

/** A parameter such as `own x`. Whether there is such a kind is checked later. */
export interface ParameterSyntax {
  readonly kind: Name;
  readonly name: Name;
}

/** One way in which a call may go. Without a guard (`when`), it always may. */
export interface AlternativeSyntax {
  /** `= none :`: the value of a call that goes this way. */
  readonly result?: ValueExpr;
  /** `= none by nC :`: the event that gives it. */
  readonly by?: Name;
  readonly body: BodySyntax;
  readonly when?: ValueExpr;
}

/** What a call does: events, one after the other (`;`) or beside each other (`,`). */
export type BodySyntax =
  | { readonly kind: 'then' | 'beside'; readonly parts: readonly BodySyntax[] }
  | {
      readonly kind: 'event';
      readonly label: Name;
      /** `aNLR(n)`: the node at the other end. */
      readonly index?: NodeExpr;
      /** `reads x as v` */
      readonly reads?: { readonly place: CellExpr; readonly as: Name };
      /** `writes x := e` */
      readonly writes?: { readonly place: CellExpr; readonly value: ValueExpr };
      /** `at x[here]`: a cell that it neither reads nor writes. */
      readonly at?: CellExpr;
      readonly span: Span;
    }
  | { readonly kind: 'if'; readonly condition: ValueExpr; readonly body: BodySyntax }
  /** `for n in N { … }`: once for each node, none before the other. */
  | {
      readonly kind: 'for';
      readonly name: Name;
      readonly of: NodesExpr;
      readonly body: BodySyntax;
    };

/** `x`, the copy `x[n]`, or `to(q)` and `from(q)`: the wires of a queue pair. */
export interface CellExpr {
  readonly name: Name;
  /** `to` or `from`, as written. */
  readonly wire?: Name;
  readonly node?: NodeExpr;
}

/** A node: `n`, `here`, or `node(y)`, the node of a place; then `word` is `node`, as written. */
export interface NodeExpr {
  readonly name: Name;
  readonly word?: Name;
}

/** A set of nodes: `N`, `nodes`, `nodes(reader)`, `{here}`, `A \ B`. */
export type NodesExpr =
  | { readonly kind: 'named'; readonly name: Name }
  | { readonly kind: 'role'; readonly word: Name; readonly role: Name }
  | { readonly kind: 'set'; readonly nodes: readonly NodeExpr[] }
  | { readonly kind: 'minus'; readonly left: NodesExpr; readonly right: NodesExpr };

/** An expression of the litmus language over values that parameters and reads give. */
export type ValueExpr = Arithmetic<ValueExprLeaf, { readonly span: Span }>;

export type ValueExprLeaf =
  | { readonly kind: 'name'; readonly text: string; readonly span: Span }
  /** `sum(v)`: the sum of what was read as `v` on each of the nodes. `word` is `sum`, as written. */
  | { readonly kind: 'sum'; readonly word: Name; readonly of: Name; readonly span: Span };

/** `short remote := own : put`: which operation an assignment without a name stands for. */
export interface ShortDeclaration {
  readonly kind: 'short';
  /** The kind of place to the left of `:=`. Undefined if the short form is a name in an expression. */
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
      /** `kth A by r to kth B by s`: the guessed orders by which both are counted, in the place of program order. */
      readonly by: readonly [from: Name | undefined, to: Name | undefined];
      /** Whether partners may be in any order. Otherwise the first comes before the second in program order. */
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
  /** The tag of the other end of a connection, in `tag nearA on qp facing farA`. */
  readonly facing?: Name;
  /** The last word of `tag inorder on operation in order`. */
  readonly order?: Name;
  readonly words?: string;
  readonly span: Span;
}
