import type { Arithmetic } from '../../parse/litmus-ast.js';
import type { Term, TermId } from '../term-node.js';

/**
 * The instruction set of a model (docs/instructions.md): which events there are, which of them an
 * operation makes, and which relations an execution guesses. Plain data, checked: every name in it is
 * known. The terms of guesses are a table of their own, so that models with equal declarations have
 * equal sets, whatever else they define.
 */
export interface InstructionSet {
  /** The label of initial writes. */
  readonly initial?: string;
  readonly labels: readonly Label[];
  readonly operations: readonly Operation[];
  readonly shorts: readonly Short[];
  readonly tags: readonly Tag[];
  readonly insteads: readonly Instead[];
  readonly guesses: readonly Guess[];
  /** The libraries whose operations these are; none for the instructions of a machine. */
  readonly libraries: readonly Library[];
  /** What guesses are made of: base sets and relations that the program fixes. */
  readonly terms: readonly Term[];
}

export type Performer = 'cpu' | 'nic';

/** A kind of event. */
export interface Label {
  readonly name: string;
  readonly by?: Performer;
  readonly onQueuePair: boolean;
  /** Whether its events have an index: the node at their other end. */
  readonly indexed?: boolean;
  /** Tags, `SHARED` or `WORDS`: programs that have none of them have no such events (`programSet`). Undefined: all programs. */
  readonly occasions?: readonly string[];
  /** What its events do, in words: "reads". */
  readonly words?: string;
}

/**
 * What a parameter takes: a location of the own node, of another one, or of any; the value of an
 * expression; a node or one of its queue pairs; a node; a set of nodes; a work identifier; an object of the operation's
 * library.
 */
export const PARAMETER_KINDS = [
  'own',
  'remote',
  'any',
  'value',
  'peer',
  'node',
  'nodes',
  'work',
  'object',
] as const;
export type ParameterKind = (typeof PARAMETER_KINDS)[number];

/** The kinds that are places in memory. */
export const PLACES: readonly ParameterKind[] = ['own', 'remote', 'any'];

export interface Parameter {
  readonly kind: ParameterKind;
  readonly name: string;
}

/** What a program can call. Names are those of its parameters, and of what its events read. */
export interface Operation {
  readonly name: string;
  /** The form that calls with this tag take. */
  readonly tag?: string;
  readonly parameters: readonly Parameter[];
  /** The place that the call itself writes, to the left of `:=`. */
  readonly into?: Parameter;
  /** Whose queue pair its events are on: that of a `peer`, or towards the node of a place. */
  readonly on?: string;
  /** The name of a work identifier that a call may leave out. */
  readonly work?: string;
  /** The value that a call has. */
  readonly result?: string;
  /** The library that it belongs to, by the library's name. */
  readonly library?: string;
  /** Only threads in this role of its object call it. */
  readonly by?: string;
  readonly alternatives: readonly Alternative[];
  readonly words?: string;
}

export interface Alternative {
  /** The value of a call that goes this way. */
  readonly result?: ValueOf;
  /** The label of the events that give this value: what is made of it depends on them. */
  readonly by?: string;
  readonly body: Body;
  readonly when?: ValueOf;
  /** Only calls with one of these tags, or on a queue pair with one, go this way. Undefined: all calls. */
  readonly tags?: readonly string[];
}

/**
 * What calls with a tag may do in the place of an event: another event, and perhaps without some of the others. Each
 * operation that makes the event has one more alternative for it, in programs with the tag (`programSet`).
 */
export interface Instead {
  /** The label in whose place the other stands. */
  readonly of: string;
  /** Tags of calls or queue pairs. */
  readonly tags: readonly string[];
  readonly label: string;
  /** Labels of events that are not made then; `nic`, or `cpu`: all other events by these. */
  readonly without: readonly string[];
}

export type Body =
  | { readonly kind: 'then' | 'beside'; readonly parts: readonly Body[] }
  | {
      readonly kind: 'event';
      readonly label: string;
      /** The node at its other end. */
      readonly index?: NodeOf;
      readonly reads?: CellOf & { readonly as: string };
      readonly writes?: CellOf & { readonly value: ValueOf };
      /** A cell that it is at, and neither reads nor writes. */
      readonly at?: CellOf;
    }
  | { readonly kind: 'if'; readonly condition: ValueOf; readonly body: Body }
  /** Once for each node, none before the other. */
  | { readonly kind: 'for'; readonly name: string; readonly of: NodesOf; readonly body: Body };

/** A cell: a place, one of the copies of an object, or the wire of a queue pair. */
export interface CellOf {
  readonly place: string;
  readonly copy?: NodeOf;
  readonly wire?: WireEnd;
}

/** Which wire of a connection: to the other end, or from it. */
export type WireEnd = 'to' | 'from';

/** A node: that of the calling thread, what a name stands for, or that of a place. */
export type NodeOf =
  | { readonly kind: 'here' }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'place'; readonly place: string };

/** A set of nodes: all, an argument, those of the threads in a role of the call's object. */
export type NodesOf =
  | { readonly kind: 'all' }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'role'; readonly role: string }
  | { readonly kind: 'set'; readonly nodes: readonly NodeOf[] }
  | { readonly kind: 'minus'; readonly left: NodesOf; readonly right: NodesOf };

/** A library: what its objects are, and who takes part in them (LOCO paper, section 3). */
export interface Library {
  readonly name: string;
  /** The name of its file: other files may be about a library of the same name. */
  readonly file: string;
  readonly title: string;
  /** Whether its operations are called without its name, as the instructions of a machine are. */
  readonly plain: boolean;
  /** None where nothing of it is declared by programs. */
  readonly object?: ObjectKind;
  readonly roles: readonly Role[];
}

export interface ObjectKind {
  /**
   * What an object has in memory: nothing, one cell on a node that its declaration names, or one on every node;
   * `misdeclared` after reporting.
   */
  readonly cells: 'none' | 'one' | 'copies' | 'misdeclared';
  /** Whether its cells have no initial value: each read is of a write. */
  readonly empty: boolean;
  /** Whether its declaration says of how many words its values are. */
  readonly sized: boolean;
}

/** Threads that take part in an object, as its declaration says. */
export interface Role {
  readonly name: string;
  /** One thread, or any number. */
  readonly many: boolean;
  /** Whether its marks are in a relation, so that there is an event for each thread in it. */
  readonly marked: boolean;
}

/** An expression over the values that parameters and reads give. */
export type ValueOf = Arithmetic<ValueLeaf>;

export type ValueLeaf =
  | { readonly kind: 'name'; readonly name: string }
  /** The sum of all that was read as this name, once for each node; 0 where there was none. */
  | { readonly kind: 'sum'; readonly of: string };

/** Which operation `left := right` stands for; without `left`: a name in an expression. */
export interface Short {
  readonly left?: ParameterKind;
  readonly right: ParameterKind;
  readonly operation: string;
}

/**
 * The set of events on queue pairs of several threads, and on those whose completions go to a queue of several. Among
 * occasions it stands for such a queue.
 */
export const SHARED = 'shared';
/** Among occasions: a completion queue that the program declares. And the events on its queue pairs. */
export const QUEUED = 'queued';

/** Among occasions: a call over several words. */
export const WORDS = 'words';

/**
 * What can have tags. Those on constants are on each place of a constant that a program puts, without being written there. Those on
 * nodes are on each call of the node's threads.
 */
export const TAGGED = ['location', 'constant', 'operation', 'qp', 'node'] as const;

export interface Tag {
  readonly name: string;
  readonly on: (typeof TAGGED)[number];
  /** On queue pairs: where one end of a connection has one of both tags, its other end has the other one. */
  readonly facing?: string;
  /** On operations: the words of a call over several are in program order. */
  readonly ordersWords?: true;
  readonly words?: string;
}

/**
 * A relation that an execution chooses.
 *
 * - `either`: of each pair of `pairs`, or its converse, exactly one, where both events are executed
 * - `total`: a strict total order on each class of the equivalence `pairs`
 * - `kth`: in each class of `within`, the k-th executed event of `to` has the k-th of `from` as its
 *   partner, which comes before it in program order unless `unordered`; where it has none, the path
 *   has no execution
 * - `counted`: the same, where one of the two sets, or both, are counted by guessed total orders in the place of
 *   program order. Partners may be in any order
 * - `one`: each executed event of `to` has exactly one of `from` as its source, related by `within`
 */
export type Guess = { readonly name: string; readonly words?: string } & (
  | { readonly how: 'either' | 'total'; readonly pairs: TermId }
  | {
      readonly how: 'kth';
      readonly from: TermId;
      readonly to: TermId;
      readonly within: TermId;
      readonly unordered: boolean;
    }
  | {
      readonly how: 'counted';
      readonly from: TermId;
      readonly to: TermId;
      readonly within: TermId;
      /** The guesses by which the two sets are counted; undefined: by program order. */
      readonly fromBy?: string;
      readonly toBy?: string;
    }
  | { readonly how: 'one'; readonly from: TermId; readonly to: TermId; readonly within: TermId }
);

export const EMPTY_SET: InstructionSet = {
  labels: [],
  operations: [],
  shorts: [],
  tags: [],
  insteads: [],
  guesses: [],
  libraries: [],
  terms: [],
};
