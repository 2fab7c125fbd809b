import type { Span } from '../parse/diagnostics/index.js';
import type { Ident, LitmusExpr, Statement } from '../parse/litmus-ast.js';
import type { CCode } from './code.js';
import type { Names } from './names.js';
import type { Range } from './ranges.js';
import type { Sequence } from './sequences.js';
import type { Request, Value } from './state.js';
import type { CallLine } from './tables.js';

/** Where a queue pair leads, and what names it. */
export interface QueuePairEnd {
  readonly node: Ident;
  readonly name?: Ident;
  /** The texts of the completion queues of its sends and of its receives, if a binding says them. */
  readonly completions?: { readonly sends: string; readonly receives: string };
}

/** A queue pair: the path of C that names it, and where that leads. */
export interface QueuePair {
  readonly text: string;
  readonly end: QueuePairEnd;
}

/** What all threads of a file have in common. */
export interface Surroundings {
  readonly file: string;
  readonly text: string;
  readonly code: CCode;
  /** By location: its node. Elements of arrays have names of their own. */
  readonly nodeOf: ReadonlyMap<string, string>;
  /** By location that is an array: of how many words. */
  readonly arrays: ReadonlyMap<string, number>;
  readonly nodes: readonly string[];
  readonly allSignalled: boolean;
  /** What functions do that are not in the file: what the head says, and what the tables of interfaces say. */
  readonly calls: { readonly head: readonly CallLine[]; readonly tables: readonly CallLine[] };
  /** Constants of interfaces. */
  readonly constants: ReadonlyMap<string, number>;
  /** How much may still be done to read the file: each expression and statement that is gone through is one. */
  readonly work: {
    left: number;
    /** By condition of which nobody knows anything: how often ways have parted there. */
    readonly conditions: Map<string, number>;
  };
  /** The lines of the head that were about some call. */
  readonly used: Set<CallLine>;
  /** How often loops go round of which nobody knows how long they are. */
  readonly bound: number;
  /** The name of the word of a node that writes, or messages, without data go to. */
  emptyName(node: string, kind: 'write' | 'send'): string;
  /** All names of the file. */
  readonly words: ReadonlySet<string>;
  /** The names of a thread's variables that queries ask for. */
  observed(thread: string): ReadonlySet<string>;
}

/** What has been found out about a place of the code, which is not so as long as nothing shows it. */
export type Finding =
  /** A variable that requests name: it is memory. */
  | `memory ${string}`
  /** A poll that may find nothing. */
  | 'loose poll'
  /** A loop that is no wait, and whose length nobody knows. */
  | 'open loop'
  /** Ways that meet here are followed one by one: something is known on each of them that is not the same. */
  | 'ways apart';

export type MessageKind = 'send' | 'imm';

/** What a thread knows of the others. Queue pairs are named by their ends (`wireTo`). */
export interface Others {
  /** What messages come: sends, puts with immediate data, or both. */
  readonly kinds: ReadonlySet<MessageKind>;
  /** How many messages come at most: more receives than that are never complete. */
  readonly most: number;
  /** By queue pair: the messages that come. */
  readonly messages: ReadonlyMap<string, Sequence<Message>>;
  /** By queue pair that the thread shares, and kind: the requests that others have posted. */
  readonly supplied: ReadonlyMap<string, readonly Request[]>;
}

/** A message, with its immediate data. */
export interface Message {
  readonly kind: MessageKind;
  readonly immediate: Value;
}

/** What a statement posts: what its completion says, if it makes one, and the message that it sends. */
export interface Posted {
  readonly wire: string;
  readonly request?: Request;
  readonly message?: Message;
}

/** What all runs through the function of a thread have in common (`follow.ts`). */
export interface Following extends Others {
  readonly names: Names;
  readonly remarks: Remark[];
  readonly promised: Promised[];
  /** What is missing, if that is what is asked for: then it does not end the reading. */
  readonly gaps?: Gap[];
  /** What was posted, in its order. */
  readonly posted: Map<Statement, Posted>;
  /** The queue pairs, and kinds, of which completions were taken. */
  readonly taken: Set<string>;
  /** By finding and place: `loose poll 120`. */
  readonly findings: ReadonlySet<string>;
  /** Which way this run takes where ways are followed one by one; behind the last one, it takes the first. */
  readonly decisions: readonly number[];
  /** Where this run met ways of which something different was known that it does not know any more, the last one at the end. */
  readonly forgot: number[];
}

/** What is left out of a program, or taken for granted, and where. */
export interface Remark {
  /** `assumed`: answers depend on it. `default`: the only thing that it can be. */
  readonly kind: 'left out' | 'default' | 'assumed';
  readonly text: string;
  readonly span: Span;
  /**
   * It says nothing if there is no choice there in the end, as all ways do the same; or if the thread uses no location that is asked for.
   */
  readonly onlyIf?: 'choice' | 'asked';
}

/** A remark that nobody needs where all that an expression may be is in a range. */
export interface Promised {
  readonly expr: LitmusExpr;
  readonly range: Range;
  readonly remark: Remark;
}

/** Something that the C does not say, and that the head has to: `raddr => ?`. */
export interface Gap {
  readonly kind: 'place' | 'queue pair' | 'completion queue' | 'call';
  readonly text: string;
  readonly span: Span;
  /** The call of the thread's function that leads there, if it is in another one. */
  readonly call?: Span | undefined;
  /** How many bytes behind an address the words are that are asked for. */
  readonly offsets: readonly number[];
  /** Which completion queues the thread polls. */
  readonly choices: readonly string[];
}
