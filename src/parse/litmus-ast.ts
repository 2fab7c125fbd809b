import type { Span } from './diagnostics/index.js';

/**
 * The syntax tree of a litmus file. Threads look the same whether they were written as blocks or as columns of a table.
 * Names are not looked up. Every part has the `span` of its text.
 */
export interface LitmusFile {
  readonly file: string;
  /** The kind of language that it is in, if it is a test of herd7. */
  readonly ofHerd?: 'C' | 'assembly';
  readonly name: Ident;
  readonly title?: string;
  readonly source?: string;
  readonly question?: string;
  readonly notes: readonly string[];
  /** How often loops are unrolled that have no bound of their own. */
  readonly bound?: number;
  /** The libraries of a client, as `uses` names them. Empty for a plain program. */
  readonly uses: readonly Ident[];
  readonly nodes: readonly NodeDecl[];
  readonly objects: readonly ObjectDecl[];
  readonly queuePairs: readonly QueuePairDecl[];
  readonly completionQueues: readonly CompletionQueueDecl[];
  readonly threads: readonly ThreadDecl[];
  readonly ghosts: readonly GhostDecl[];
  readonly symmetric: readonly SymmetricDecl[];
  readonly queries: readonly QueryDecl[];
  readonly filter?: Filter;
  /** What lists of final states show besides the names in queries. */
  readonly listed: readonly Observable[];
}

/** A name where it stands in the file. */
export interface Ident {
  readonly text: string;
  readonly span: Span;
}

export interface NodeDecl {
  readonly node: Ident;
  /** `node 1 [arm] { … }` */
  readonly tags: readonly Ident[];
  readonly locations: readonly LocationDecl[];
  readonly span: Span;
}

/** `x = 0` */
export interface LocationDecl {
  readonly name: Ident;
  readonly value: number;
  /** `x = 0 [relaxed]` */
  readonly tags: readonly Ident[];
  readonly span: Span;
}

/** One of `sv x, y`, or `msw x on 1 of 2 words`, or `rbl x (writer T1; reader T2, T3)`. */
export interface ObjectDecl {
  readonly library: Ident;
  readonly name: Ident;
  readonly node?: Ident;
  readonly words?: number;
  readonly roles: readonly RoleDecl[];
  /** The text of the whole declaration, which may declare several objects. */
  readonly span: Span;
}

/** `reader T2, T3`: which threads have a role in an object. */
export interface RoleDecl {
  readonly role: Ident;
  readonly threads: readonly Ident[];
}

/** `symmetric T1, T2`: threads that do the same but for their numbers, so that runs which only swap them count as one. */
export interface SymmetricDecl {
  readonly threads: readonly Ident[];
  readonly span: Span;
}

/** `ghost g = 0`: a variable that only marks and queries read. No instruction of the program ever does. */
export interface GhostDecl {
  readonly name: Ident;
  readonly value: number;
  readonly span: Span;
}

/** `qp a : T1 -> 2 [edge]`. A queue pair needs a declaration only to have tags, or to be of several threads. */
export interface QueuePairDecl {
  readonly name: Ident;
  readonly threads: readonly Ident[];
  readonly node: Ident;
  readonly tags: readonly Ident[];
  readonly span: Span;
}

/** `cq c { a, b }`: on each node, where the completions of its queue pairs with these names go. */
export interface CompletionQueueDecl {
  readonly name: Ident;
  readonly of: readonly Ident[];
  readonly span: Span;
}

export interface ThreadDecl {
  readonly name: Ident;
  readonly node: Ident;
  readonly body: readonly Statement[];
  /** The text of the thread; in a table, only the head of its column, `T1@1`. */
  readonly span: Span;
}

/** `for n in nodes { … }` in an implementation: the body is written out once for each member, with the member for `n`. */
export interface ForEach<Body> {
  readonly kind: 'for';
  readonly variable: Ident;
  readonly over: ValueDomain;
  readonly body: readonly Body[];
  readonly span: Span;
}

/** The members that `for` goes through: threads of a role, nodes, or the numbers of a range, which includes both ends. */
export type ValueDomain =
  | NodeSet
  | {
      readonly kind: 'range';
      readonly from: LitmusExpr;
      readonly to: LitmusExpr;
      readonly span: Span;
    };

/** `x`, or `x^2` with the node as superscript, or `x^2.a` with a queue pair towards it. */
export interface NameRef {
  /** In implementations, the object that it belongs to: the `x` of `x.w[1]`. */
  readonly object?: Ident;
  readonly name: Ident;
  /** In implementations, the index of a member of a family, as in `cell[h % S]`. */
  readonly index?: LitmusExpr;
  readonly node?: Ident;
  readonly queuePair?: Ident;
  readonly span: Span;
}

export type UnaryOperator = '-' | '!';
export type BinaryOperator =
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  | '='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | '&&'
  | '||';

export interface IntNode {
  readonly kind: 'int';
  readonly value: number;
}

export interface UnaryNode<Operand> {
  readonly kind: 'unary';
  readonly op: UnaryOperator;
  readonly arg: Operand;
}

export interface BinaryNode<Operand> {
  readonly kind: 'binary';
  readonly op: BinaryOperator;
  readonly left: Operand;
  readonly right: Operand;
}

/**
 * An expression of integers, operators, and leaves, such as names or registers. `At` is what each part has besides,
 * such as its span. `fold.ts` has the functions that go through expressions.
 */
export type Arithmetic<Leaf, At = unknown> =
  | Leaf
  | (IntNode & At)
  | (UnaryNode<Arithmetic<Leaf, At>> & At)
  | (BinaryNode<Arithmetic<Leaf, At>> & At);

/** The leaves of expressions in litmus files and implementations. */
export type LitmusLeaf =
  | { readonly kind: 'ref'; readonly ref: NameRef; readonly span: Span }
  /** `none`, a value that equals no number and no tuple. */
  | { readonly kind: 'none'; readonly span: Span }
  /** `<1, 2>`. A tuple of one part is that part itself. */
  | { readonly kind: 'tuple'; readonly parts: readonly LitmusExpr[]; readonly span: Span }
  /** In implementations only: `v[1 .. n]`, the tuple of some members of a family. */
  | {
      readonly kind: 'slice';
      readonly name: Ident;
      readonly from: LitmusExpr;
      readonly to: LitmusExpr;
      readonly span: Span;
    }
  /** In implementations only: `len(m)`, `size(x)`, `hash(v)`, `node(writer)`. */
  | {
      readonly kind: 'apply';
      readonly name: Ident;
      readonly arguments: readonly CallArgument[];
      readonly span: Span;
    };

export type LitmusExpr = Arithmetic<LitmusLeaf, { readonly span: Span }>;

/** A set of nodes: `{1, 2}`, `nodes`, or a difference, `nodes \\ {1}`. */
export type NodeSet =
  | { readonly kind: 'all'; readonly span: Span }
  | { readonly kind: 'set'; readonly nodes: readonly Ident[]; readonly span: Span }
  | {
      readonly kind: 'difference';
      readonly left: NodeSet;
      readonly right: NodeSet;
      readonly span: Span;
    }
  // In implementations only: what a name stands for, `nodes(reader)`, and `{node(writer), here}`.
  | { readonly kind: 'named'; readonly name: Ident; readonly span: Span }
  | { readonly kind: 'nodesOf'; readonly of: Ident; readonly span: Span }
  | { readonly kind: 'union'; readonly sets: readonly NodeSet[]; readonly span: Span };

/** An argument of a call: an expression, a queue pair, `2.a`, or a set of nodes. */
export type CallArgument =
  | LitmusExpr
  | {
      readonly kind: 'peer';
      readonly node: Ident;
      readonly queuePair: Ident;
      readonly span: Span;
    }
  | { readonly kind: 'nodes'; readonly set: NodeSet; readonly span: Span };

/** A condition of a C file that nobody knows, of two branches. */
export interface UnknownCondition {
  readonly text: string;
  /** Whether it holds where the first branch is taken. */
  readonly first: boolean;
  /** Of the C file, from 1. */
  readonly line: number;
}

/**
 * A statement of a thread or a method.
 *
 * `assign` may be a write of the CPU, a get or a put. The syntax does not tell: it depends on which nodes the names are
 * on. A `call` names its operation; without parentheses it has no `arguments`. The span of a statement ends before its
 * body: messages about an `if` are never about what is inside of it.
 */
export type Statement =
  | {
      readonly kind: 'assign';
      readonly target: NameRef;
      readonly work?: Ident;
      readonly tags?: readonly Ident[];
      readonly value: LitmusExpr;
      /** The words after the first: `f` and `v` in `[h, f]^2 := [u, v]`. */
      readonly more?: {
        readonly targets: readonly NameRef[];
        readonly values: readonly LitmusExpr[];
      };
      /** In implementations: the stamps whose subevents it stands for. */
      readonly stands?: readonly Ident[];
      readonly span: Span;
    }
  | {
      readonly kind: 'call';
      /** The `sv` of `sv.read(x)`. */
      readonly library?: Ident;
      readonly name: Ident;
      readonly tags?: readonly Ident[];
      readonly arguments?: readonly CallArgument[];
      /** What stands to the left of `:=`. */
      readonly target?: NameRef;
      readonly work?: Ident;
      /** In implementations: the stamps whose subevents it stands for. */
      readonly stands?: readonly Ident[];
      readonly span: Span;
    }
  | { readonly kind: 'skip'; readonly span: Span }
  | { readonly kind: 'assume'; readonly condition: LitmusExpr; readonly span: Span }
  /** `critical c { … }`: a block that queries may name. It has no effect on the program. */
  | {
      readonly kind: 'critical';
      readonly name: Ident;
      readonly body: readonly Statement[];
      readonly span: Span;
    }
  /** `at enter`: a point that queries may name. It has no effect on the program. */
  | { readonly kind: 'point'; readonly name: Ident; readonly span: Span }
  /** `ghost g := e`. It happens in one step with the instruction before it. */
  | {
      readonly kind: 'ghost';
      readonly name: Ident;
      readonly value: LitmusExpr;
      readonly span: Span;
    }
  /** `assert(e)`, which is checked in one step with the instruction before it. */
  | { readonly kind: 'assert'; readonly condition: LitmusExpr; readonly span: Span }
  | {
      readonly kind: 'if';
      readonly condition: LitmusExpr;
      readonly then: readonly Statement[];
      readonly else: readonly Statement[];
      readonly span: Span;
    }
  | {
      readonly kind: 'while';
      readonly condition: LitmusExpr;
      readonly bound?: number;
      readonly body: readonly Statement[];
      readonly span: Span;
    }
  | {
      readonly kind: 'loop';
      readonly bound?: number;
      readonly body: readonly Statement[];
      readonly span: Span;
    }
  | {
      readonly kind: 'choose';
      readonly branches: readonly (readonly Statement[])[];
      readonly unknown?: UnknownCondition;
      readonly span: Span;
    }
  /** The body of an implementation, which has replaced a call; `call` is the text of that call. No file has this. */
  | {
      readonly kind: 'inlined';
      readonly call: string;
      readonly body: readonly Statement[];
      readonly span: Span;
    }
  // In implementations only.
  | ForEach<Statement>
  | { readonly kind: 'return'; readonly value: LitmusExpr | CallStatement; readonly span: Span };

export type CallStatement = Extract<Statement, { kind: 'call' }>;

export type Quantifier = 'exists' | '~exists' | 'forall';

/**
 * What a query observes in the end: a location, `x`, or a register with its thread, `T2:a`. The thread may be a number,
 * counted from 0 as in herd7. For the copy of an object on node 2, the name is `x[2]`.
 */
export interface Observable {
  readonly thread?: Ident;
  readonly name: Ident;
  readonly span: Span;
}

export type Operand =
  | { readonly kind: 'int'; readonly value: number; readonly span: Span }
  | { readonly kind: 'none'; readonly span: Span }
  | { readonly kind: 'tuple'; readonly words: readonly number[]; readonly span: Span }
  | { readonly kind: 'name'; readonly name: Observable; readonly span: Span };

/** The span of a condition in parentheses covers the parentheses. */
export type Condition =
  | { readonly kind: 'true'; readonly span: Span }
  | {
      readonly kind: 'atom';
      readonly left: Observable;
      readonly equal: boolean;
      readonly right: Operand;
      readonly span: Span;
    }
  | { readonly kind: 'not'; readonly arg: Condition; readonly span: Span }
  | {
      readonly kind: 'and' | 'or';
      readonly left: Condition;
      readonly right: Condition;
      readonly span: Span;
    };

export type ExpectedVerdict = 'allowed' | 'forbidden' | 'holds' | 'fails';

/** A verdict that the file states for some models: in an `expect` line, or in one that Remora has `computed`. */
export interface Expectation {
  /** Whether Remora computed it. Nobody vouches for it, then, and `--update` may change it. */
  readonly computed: boolean;
  /** Whether a publication says so: it is `expect`, in a file that names its source. */
  readonly published: boolean;
  readonly verdict: ExpectedVerdict;
  readonly verdictSpan: Span;
  readonly models: readonly Ident[];
  readonly where?: string;
  readonly span: Span;
}

/** Whether hardware showed what a query asks about. It never counts as a verdict of a model. */
export interface Observation {
  readonly seen: boolean;
  readonly remark?: string;
  readonly span: Span;
}

/** Restricts all queries and lists of the file to final states in which the condition is true. */
export interface Filter {
  readonly condition: Condition;
  /** The text of the condition as it stands in the file. */
  readonly text: string;
  readonly span: Span;
}

interface AnyQueryDecl {
  readonly label?: string;
  readonly expectations: readonly Expectation[];
  readonly observations: readonly Observation[];
  /** What is asked, as it stands in the file: without the quantifier and the label. */
  readonly text: string;
  /** The text of the query without the label. */
  readonly span: Span;
}

/** A question about final states. */
export interface StateQueryDecl extends AnyQueryDecl {
  readonly quantifier: Quantifier;
  readonly condition: Condition;
}

/** `T1:enter`, a point or a block of a thread; or `any enter`, those of all threads that have one of this name. */
export interface MarkedPlace {
  readonly thread: Ident | undefined;
  readonly mark: Ident;
  readonly span: Span;
}

/** A question about whole runs. Loops are never unrolled for it: runs may be of any length. */
export type RunQueryDecl = AnyQueryDecl &
  (
    | {
        readonly quantifier: 'exclusive';
        readonly section: Ident;
        readonly threads: readonly Ident[];
      }
    | {
        readonly quantifier: 'progress';
        readonly from: MarkedPlace | 'always';
        readonly to: MarkedPlace;
      }
    | { readonly quantifier: 'never'; readonly condition: Condition }
    | { readonly quantifier: 'deadlock' | 'assertions' }
  );

export type QueryDecl = StateQueryDecl | RunQueryDecl;

/** A query as the grammar builds it: its expectations and observations are items of their own, which follow it. */
export type Question = QueryDecl extends infer Q
  ? Q extends QueryDecl
    ? Omit<Q, 'expectations' | 'observations' | 'text'>
    : never
  : never;
