import type { Span } from './diagnostics/index.js';

/**
 * The tree of a litmus file, as both layouts (blocks and columns) give it. Names are not resolved.
 * Whatever stands in the file has the `span` of its text.
 */
export interface LitmusFile {
  readonly file: string;
  readonly name: Ident;
  readonly title?: string;
  readonly source?: string;
  readonly question?: string;
  readonly notes: readonly string[];
  /** The file's unrolling bound for loops without one of their own. */
  readonly bound?: number;
  /** The libraries that a client names. */
  readonly uses: readonly Ident[];
  readonly nodes: readonly NodeDecl[];
  readonly objects: readonly ObjectDecl[];
  readonly queuePairs: readonly QueuePairDecl[];
  readonly threads: readonly ThreadDecl[];
  readonly ghosts: readonly GhostDecl[];
  readonly symmetric: readonly SymmetricDecl[];
  readonly queries: readonly QueryDecl[];
  readonly filter?: Filter;
  /** Lists of final states show these, too, and not only what queries name. */
  readonly listed: readonly Observable[];
}

export interface Ident {
  readonly text: string;
  readonly span: Span;
}

export interface NodeDecl {
  readonly node: Ident;
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
  /** From the library on to the end of all that is declared with it. */
  readonly span: Span;
}

/** `reader T2, T3`: which threads have a role in an object. */
export interface RoleDecl {
  readonly role: Ident;
  readonly threads: readonly Ident[];
}

/** `symmetric T1, T2`: threads that can change places. */
export interface SymmetricDecl {
  readonly threads: readonly Ident[];
  readonly span: Span;
}

/** `ghost g = 0`: a variable of the proof, which no instruction reads. */
export interface GhostDecl {
  readonly name: Ident;
  readonly value: number;
  readonly span: Span;
}

/** `qp a : T1 -> 2 [edge]`: needed only to give a queue pair tags. */
export interface QueuePairDecl {
  readonly name: Ident;
  readonly thread: Ident;
  readonly node: Ident;
  readonly tags: readonly Ident[];
  readonly span: Span;
}

export interface ThreadDecl {
  readonly name: Ident;
  readonly node: Ident;
  readonly body: readonly Statement[];
  /** All of the thread, or in a table the head of its column, `T1@1`. */
  readonly span: Span;
}

/** A name that stands for something else in each copy of what is written: the `n` of `for n in nodes`. */
export interface ForEach<Body> {
  readonly kind: 'for';
  readonly variable: Ident;
  readonly over: ValueDomain;
  readonly body: readonly Body[];
  readonly span: Span;
}

/** What an implementation goes through: threads of a role, nodes, or numbers, of which both ends belong to it. */
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
  /** The `x` of `x.w[1]`: in implementations, whose object it is of. */
  readonly object?: Ident;
  readonly name: Ident;
  /** Of a family of an implementation, `cell[h % S]`. */
  readonly index?: LitmusExpr;
  readonly node?: Ident;
  readonly queuePair?: Ident;
  readonly span: Span;
}

export type UnaryOperator = '-' | '!';
export type BinaryOperator =
  '+' | '-' | '*' | '/' | '%' | '=' | '!=' | '<' | '<=' | '>' | '>=' | '&&' | '||';

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
 * An expression: integers, leaves of some kind such as names or registers, and operators on them. `At` is what all of its
 * parts have besides, as their places in a file. `fold.ts` goes through it.
 */
export type Arithmetic<Leaf, At = unknown> =
  | Leaf
  | (IntNode & At)
  | (UnaryNode<Arithmetic<Leaf, At>> & At)
  | (BinaryNode<Arithmetic<Leaf, At>> & At);

/** What expressions of litmus files and implementations are made of, besides integers and operators. */
export type LitmusLeaf =
  | { readonly kind: 'ref'; readonly ref: NameRef; readonly span: Span }
  /** `none`: unlike every number. */
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

/** What a call is given: `{1, 2}`, `nodes`, or one set without another, `nodes \\ {1}`. */
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

/** What stands between the parentheses of a call: an expression, a queue pair, `2.a`, or a set of nodes. */
export type CallArgument =
  | LitmusExpr
  | {
      readonly kind: 'peer';
      readonly node: Ident;
      readonly queuePair: Ident;
      readonly span: Span;
    }
  | { readonly kind: 'nodes'; readonly set: NodeSet; readonly span: Span };

/**
 * `assign` covers CPU writes, gets and puts: which of them it is depends on where names live. `call` names
 * its operation; without parentheses, it has no `arguments`. The span of a statement with a body ends
 * before the body, as messages about it are not about the body.
 */
export type Statement =
  | {
      readonly kind: 'assign';
      readonly target: NameRef;
      readonly work?: Ident;
      readonly tag?: Ident;
      readonly value: LitmusExpr;
      /** In implementations: the stamps whose subevents it stands for. */
      readonly stands?: readonly Ident[];
      readonly span: Span;
    }
  | {
      readonly kind: 'call';
      /** The `sv` of `sv.read(x)`. */
      readonly library?: Ident;
      readonly name: Ident;
      readonly tag?: Ident;
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
  /** `critical c { … }`: a block that queries are about. */
  | {
      readonly kind: 'critical';
      readonly name: Ident;
      readonly body: readonly Statement[];
      readonly span: Span;
    }
  /** `at enter`: a point that queries are about. */
  | { readonly kind: 'point'; readonly name: Ident; readonly span: Span }
  /** `ghost g := e`, joined to the instruction before it. */
  | {
      readonly kind: 'ghost';
      readonly name: Ident;
      readonly value: LitmusExpr;
      readonly span: Span;
    }
  /** `assert(e)`, joined in the same way. */
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
      readonly span: Span;
    }
  /** A call in whose place the body of an implementation has been put; `call` is the call as it was written. */
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
 * A name in a condition: `x`, or `T2:a` with its thread. The thread may be a number, from 0. The name of the copy of
 * an object x on node 2 is `x[2]`.
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

/** `expect` or `computed`, for the models named. */
export interface Expectation {
  /** Is it `computed`? */
  readonly computed: boolean;
  /** Does a publication say so: is it `expect`, in a file that names its source? */
  readonly published: boolean;
  readonly verdict: ExpectedVerdict;
  readonly verdictSpan: Span;
  readonly models: readonly Ident[];
  readonly where?: string;
  readonly span: Span;
}

/** What hardware showed. */
export interface Observation {
  readonly seen: boolean;
  readonly remark?: string;
  readonly span: Span;
}

/** Queries and lists of final states leave out the final states in which the condition is false. */
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
  /** All of it, without the label. */
  readonly span: Span;
}

/** A question about final states. */
export interface StateQueryDecl extends AnyQueryDecl {
  readonly quantifier: Quantifier;
  readonly condition: Condition;
}

/** `T1:enter`: a point or a block of a thread. */
export interface MarkedPlace {
  readonly thread: Ident;
  readonly mark: Ident;
  readonly span: Span;
}

/** A question about whole runs, however many rounds they have. */
export type RunQueryDecl = AnyQueryDecl &
  (
    | {
        readonly quantifier: 'exclusive';
        readonly section: Ident;
        readonly threads: readonly Ident[];
      }
    | { readonly quantifier: 'progress'; readonly from: MarkedPlace; readonly to: MarkedPlace }
    | { readonly quantifier: 'never'; readonly condition: Condition }
    | { readonly quantifier: 'deadlock' | 'assertions' }
  );

export type QueryDecl = StateQueryDecl | RunQueryDecl;

/** What a query asks, without what stands below it. */
export type Question = QueryDecl extends infer Q
  ? Q extends QueryDecl
    ? Omit<Q, 'expectations' | 'observations' | 'text'>
    : never
  : never;
