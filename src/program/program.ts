import type { Diagnostic, Span } from '../parse/diagnostics/index.js';
import type {
  BinaryOperator,
  Expectation,
  Observation,
  Quantifier,
  UnaryOperator,
} from '../parse/litmus-ast.js';

/** A litmus test with every name resolved. Plain data: what it names, it names by index. */
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
  /** Lists of final states leave out the states in which it is false. Conditions of queries have it in them. */
  readonly filter?: Proposition;
  /** Lists of final states show these, too, and not only what queries name. */
  readonly listed?: readonly Subject[];
}

export interface Program {
  readonly nodes: readonly string[];
  readonly locations: readonly Location[];
  readonly threads: readonly Thread[];
  /** The file's unrolling bound, if it gives one. */
  readonly bound?: number;
}

/** A memory location. A private one belongs to a thread. A hidden one holds the constant of a put. */
export interface Location {
  readonly name: string;
  readonly node: string;
  readonly initial: number;
  /** Index of the thread whose private name this is. */
  readonly owner?: number;
  readonly hidden?: boolean;
  /** Where it is declared, or its private name is first used as memory. Only what stands in a file has it. */
  readonly span?: Span;
}

export interface Thread {
  readonly name: string;
  readonly node: string;
  readonly registers: readonly string[];
  readonly body: readonly Instruction[];
  /** Only what stands in a file has it. */
  readonly span?: Span;
}

/** Index into `Program.locations`. */
export type LocationId = number;
/** Index into `Thread.registers`. */
export type RegisterId = number;

export type Expression =
  | { readonly kind: 'int'; readonly value: number }
  | { readonly kind: 'location'; readonly location: LocationId }
  | { readonly kind: 'register'; readonly register: RegisterId }
  | { readonly kind: 'unary'; readonly op: UnaryOperator; readonly arg: Expression }
  | {
      readonly kind: 'binary';
      readonly op: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    };

/** Where a value goes: memory, or a register (no event). */
export type Target =
  | { readonly kind: 'location'; readonly location: LocationId }
  | { readonly kind: 'register'; readonly register: RegisterId };

interface At {
  readonly span: Span;
}

export type Instruction =
  | ({ readonly kind: 'assign'; readonly target: Target; readonly value: Expression } & At)
  | ({
      /** `get`: `from` is remote; `put`: `to` is remote. `node` is the remote node. */
      readonly kind: 'get' | 'put';
      readonly from: LocationId;
      readonly to: LocationId;
      readonly node: string;
      readonly work?: string;
    } & At)
  | ({
      readonly kind: 'cas';
      readonly target: Target;
      readonly location: LocationId;
      readonly expected: Expression;
      readonly desired: Expression;
    } & At)
  | ({ readonly kind: 'mfence' } & At)
  | ({ readonly kind: 'poll'; readonly node: string } & At)
  | ({ readonly kind: 'rfence'; readonly node: string } & At)
  | ({ readonly kind: 'wait'; readonly work: string } & At)
  | ({ readonly kind: 'assume'; readonly condition: Expression } & At)
  | ({
      readonly kind: 'if';
      readonly condition: Expression;
      readonly then: readonly Instruction[];
      readonly else: readonly Instruction[];
    } & At)
  | ({
      /** Without a condition: `loop`, any number of times. */
      readonly kind: 'loop';
      readonly condition?: Expression;
      readonly bound?: number;
      readonly body: readonly Instruction[];
    } & At)
  | ({
      readonly kind: 'choose';
      readonly branches: readonly (readonly Instruction[])[];
    } & At);

/** A thing with a final value. */
export type Subject =
  | { readonly kind: 'location'; readonly location: LocationId }
  | { readonly kind: 'register'; readonly thread: number; readonly register: RegisterId };

export type Proposition =
  | { readonly kind: 'true' }
  | {
      readonly kind: 'atom';
      readonly left: Subject;
      readonly equal: boolean;
      readonly right: Subject | { readonly kind: 'int'; readonly value: number };
    }
  | { readonly kind: 'not'; readonly arg: Proposition }
  | { readonly kind: 'and' | 'or'; readonly left: Proposition; readonly right: Proposition };

export interface Query {
  readonly quantifier: Quantifier;
  readonly condition: Proposition;
  /** The condition as written, without outer blanks; with a filter, both of them. */
  readonly text: string;
  readonly label?: string;
  readonly expectations: readonly Expectation[];
  readonly observations: readonly Observation[];
  readonly span: Span;
}
