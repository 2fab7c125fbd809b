import type { Diagnostic, Span } from '../parse/diagnostics/index.js';
import type { Model } from '../model/term.js';
import type { InstructionSet } from '../model/instructions/set.js';
import type {
  Arithmetic,
  Expectation,
  Observation,
  Quantifier,
  UnknownCondition,
} from '../parse/litmus-ast.js';

/** A litmus test with every name resolved. Plain data, with indices for names. */
export interface Test {
  readonly file: string;
  readonly name: string;
  readonly title?: string;
  readonly source?: string;
  readonly question?: string;
  readonly notes: readonly string[];
  readonly program: Program;
  readonly queries: readonly Query[];
  /** Warnings, in order of place. */
  readonly warnings: readonly Diagnostic[];
  /**
   * The file's `filter`. Lists of final states leave out states in which it is false; conditions of queries include it.
   */
  readonly filter?: Proposition;
  /** The file's `locations`. Lists of final states show these besides the names of queries. */
  readonly listed?: readonly Subject[];
  /** For a client of libraries, the models that decide it. The first is that of its libraries together. */
  readonly models?: readonly Model[];
}

export interface Program {
  /** The declarations of its operations. */
  readonly instructions: InstructionSet;
  readonly nodes: readonly string[];
  readonly locations: readonly Location[];
  readonly threads: readonly Thread[];
  /** The file's unrolling bound, if it gives one. */
  readonly bound?: number;
  /** Which dependencies of its text count: none, as a compiler may remove them; those that are sure to be there; or all that may be. */
  readonly dependencies?: 'none' | 'sure' | 'possible';
  /** What is behind a branch does not depend on what was decided in it, as herd7 has it of C. */
  readonly branchesEnd?: true;
  /** The objects of libraries that it declares. */
  readonly objects?: readonly LibraryObject[];
  /** Ghost variables: only marks write and read them. */
  readonly ghosts?: readonly Ghost[];
  readonly completionQueues?: readonly CompletionQueue[];
  /** Groups of threads that can change places with each other. */
  readonly symmetric?: readonly (readonly Member[])[];
}

/** `cq c { a, b }`: where, on each node, the completions of the queue pairs with these names go. */
export interface CompletionQueue {
  readonly name: string;
  readonly of: readonly string[];
  readonly span?: Span;
}

/** An object of a library: `rbl x (writer T1; reader T2)`. */
export interface LibraryObject {
  readonly name: string;
  readonly library: string;
  /** Its cells by node: none, one on the object's node, or one on each node. */
  readonly cells: Readonly<Record<string, LocationId>>;
  /** The threads in each role, by their indices. */
  readonly roles: Readonly<Record<string, readonly number[]>>;
  /** The number of words of its values, if its library says that they have several. */
  readonly words?: number;
  readonly span: Span;
}

/** Index into `Program.objects`. */
export type ObjectId = number;

/** `ghost g = 0` */
export interface Ghost {
  readonly name: string;
  readonly initial: number;
  readonly span: Span;
}

/** A thread that can change places with others, and its identity, the number at the end of its name. */
export interface Member {
  readonly thread: number;
  readonly identity: number;
}

/** A memory location. A private one belongs to a thread. A hidden one holds the constant of a put, or is a wire. */
export interface Location {
  readonly name: string;
  readonly node: string;
  readonly initial: number;
  /** Index of the thread whose private name this is. */
  readonly owner?: number;
  readonly hidden?: boolean;
  /** Whether it is a wire, through which messages go from one end of a connection to the other (wires.ts). */
  readonly wire?: boolean;
  /** The object that it is a cell of. */
  readonly object?: ObjectId;
  /** A cell without initial value: each read is of a write. */
  readonly empty?: boolean;
  readonly tags?: readonly string[];
  /** Where it is declared, or where its private name is first used as memory; undefined if it is not in the file. */
  readonly span?: Span;
}

export interface Thread {
  readonly name: string;
  readonly node: string;
  readonly registers: readonly string[];
  /** The tags of its node. */
  readonly tags?: readonly string[];
  /** Its declared queue pairs. */
  readonly queuePairs?: readonly DeclaredQueuePair[];
  readonly body: readonly Instruction[];
  /** Its place; undefined if it is not in a file. */
  readonly span?: Span;
  /** Of a function of C: the lines of its instructions, by `placeKey`. They are there only if explanations are to have them. */
  readonly lines?: Readonly<Record<string, string>>;
}

/** The key of a place among those of a thread. */
export const placeKey = ({ start, end }: Span): string => `${start} ${end}`;

/** Index into `Program.locations`. */
export type LocationId = number;
/** Index into `Thread.registers`. */
export type RegisterId = number;

/** Where a value goes: memory, or a register, which makes no event. */
export type Target =
  | { readonly kind: 'location'; readonly location: LocationId }
  | { readonly kind: 'register'; readonly register: RegisterId };

/** An expression over locations and registers. */
export type Expression = Arithmetic<Target>;

/** One use of an operation that the program's instruction set declares. */
export interface Call extends At {
  readonly kind: 'call';
  readonly operation: string;
  /** Its events are in these sets. A tag that is a form of the operation chooses that form. */
  readonly tags?: readonly string[];
  /** Of how many words it is, if they are several: `[h, f]^2 := [u, v]`. */
  readonly words?: number;
  /** An argument for each parameter of the operation, of its kind. */
  readonly arguments: readonly Argument[];
  /** The place that the operation itself writes. */
  readonly into?: PlaceArgument | ObjectArgument;
  /** Where its value goes. */
  readonly result?: Target;
  /** Its work identifier, if it is given as `:=^d`. */
  readonly work?: string;
  /** Whether it is written as an assignment, without the operation's name. */
  readonly short?: boolean;
}

export interface PlaceArgument {
  readonly kind: 'place';
  readonly location: LocationId;
  /** The node, if it is written: the thread accesses it by a NIC. */
  readonly node?: string;
  /** The name of the queue pair that the operation is to use: `y^2.a`. */
  readonly queuePair?: string;
}

export interface ObjectArgument {
  readonly kind: 'object';
  readonly object: ObjectId;
}

/** What a parameter gets: see `ParameterKind`. */
export type Argument =
  | PlaceArgument
  | { readonly kind: 'value'; readonly value: Expression }
  | ({ readonly kind: 'peer' } & QueuePair)
  /** In the place of a peer: a completion queue of the own node. */
  | { readonly kind: 'completions'; readonly name: string }
  | { readonly kind: 'nodes'; readonly nodes: readonly string[] }
  | ObjectArgument
  | { readonly kind: 'work'; readonly work: string };

/** A queue pair: of a thread, one for each node and name. */
export interface QueuePair {
  /** The node at its other end. */
  readonly node: string;
  /** Its name; the thread's unnamed queue pair to the node has none. */
  readonly name?: string;
}

/** `qp a : T1 -> 2 [edge]` */
export interface DeclaredQueuePair extends QueuePair {
  readonly name: string;
  /** `qp s : T1, T2 -> 2`: whether it is of several threads. */
  readonly joint?: boolean;
  readonly tags?: readonly string[];
}

interface At {
  readonly span: Span;
  /** The marks before and after an instruction. They change nothing of what it does. */
  readonly marks?: Marks;
  /** For an instruction of an implementation: the stamps of subevents for which its events stand. */
  readonly stands?: readonly string[];
}

export interface Marks {
  /** Marks before the instruction, in order. */
  readonly before: readonly Mark[];
  /** Marks in the moment in which the instruction is done, in order. */
  readonly after: readonly Mark[];
}

/**
 * A mark in a thread, for queries about runs. Everything else ignores it:
 * - `enter`, `leave`: where `critical c { … }` begins and ends
 * - `point`: `at enter`
 * - `ghost`: `ghost g := e`
 * - `assert`: `assert(e)`
 */
export type Mark = { readonly span: Span } & (
  | { readonly kind: 'enter' | 'leave' | 'point'; readonly name: string }
  | { readonly kind: 'ghost'; readonly ghost: GhostId; readonly value: GhostExpression }
  | { readonly kind: 'assert'; readonly condition: GhostExpression }
);

/** Index into `Program.ghosts`. */
export type GhostId = number;

/** An expression in a mark: over registers and ghosts, without events. */
export type GhostExpression = Arithmetic<
  | { readonly kind: 'register'; readonly register: RegisterId }
  | { readonly kind: 'ghost'; readonly ghost: GhostId }
>;

export type Instruction =
  | ({ readonly kind: 'assign'; readonly target: Target; readonly value: Expression } & At)
  | Call
  | ({ readonly kind: 'assume'; readonly condition: Expression } & At)
  | ({
      readonly kind: 'if';
      readonly condition: Expression;
      readonly then: readonly Instruction[];
      readonly else: readonly Instruction[];
      /** The call of a library, as written, that the instructions replace. The condition is 1. */
      readonly inlined?: string;
    } & At)
  | ({
      /** The condition of a `while`; `loop` has none, and runs any number of times. */
      readonly kind: 'loop';
      readonly condition?: Expression;
      readonly bound?: number;
      readonly body: readonly Instruction[];
    } & At)
  | ({
      readonly kind: 'choose';
      readonly branches: readonly (readonly Instruction[])[];
      readonly unknown?: UnknownCondition;
    } & At);

/** A thing with a final value. */
export type Subject =
  | { readonly kind: 'location'; readonly location: LocationId }
  | { readonly kind: 'register'; readonly thread: number; readonly register: RegisterId };

export type Proposition<S = Subject> =
  | { readonly kind: 'true' }
  | {
      readonly kind: 'atom';
      readonly left: S;
      readonly equal: boolean;
      readonly right: S | { readonly kind: 'int'; readonly value: number };
    }
  | { readonly kind: 'not'; readonly arg: Proposition<S> }
  | {
      readonly kind: 'and' | 'or';
      readonly left: Proposition<S>;
      readonly right: Proposition<S>;
    };

interface AnyQuery {
  /** The query as written, without outer blanks; with a filter, both conditions. */
  readonly text: string;
  readonly label?: string;
  readonly expectations: readonly Expectation[];
  readonly observations: readonly Observation[];
  readonly span: Span;
}

/** A question about final states. */
export interface StateQuery extends AnyQuery {
  readonly quantifier: Quantifier;
  readonly condition: Proposition;
}

/** A name in `never`, which is about all states of a run: these have ghosts, too. */
export type RunSubject = Subject | { readonly kind: 'ghost'; readonly ghost: GhostId };

/** A point or a critical block of a thread. */
export interface Place {
  readonly thread: number;
  readonly mark: string;
}

/** A query about whole runs, however often loops run. Only an exploration of a machine answers it. */
export type RunQuery = AnyQuery &
  (
    | {
        readonly quantifier: 'exclusive';
        readonly section: string;
        /** By index. */
        readonly threads: readonly number[];
      }
    | {
        /** After any of the first is passed, or always: is any of the others passed later? */
        readonly quantifier: 'progress';
        readonly from: readonly Place[] | 'always';
        readonly to: readonly Place[];
      }
    | { readonly quantifier: 'never'; readonly condition: Proposition<RunSubject> }
    | { readonly quantifier: 'deadlock' }
    | { readonly quantifier: 'assertions' }
  );

export type Query = StateQuery | RunQuery;

/** Is it about final states? These queries can be asked of every engine. */
export const isStateQuery = (query: Query): query is StateQuery =>
  query.quantifier === 'exists' || query.quantifier === '~exists' || query.quantifier === 'forall';

/**
 * A query of a test that is about final states.
 *
 * @throws Error if it is about runs, which are asked elsewhere
 */
export function stateQuery({ queries }: Pick<Test, 'queries'>, index: number): StateQuery {
  const query = queries[index];
  if (!isStateQuery(query)) throw new Error(`\`${query.quantifier}\` is not about final states`);
  return query;
}
