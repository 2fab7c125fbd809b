import type { Span } from '../../parse/diagnostics/index.js';
import type { BinaryOperator, UnaryOperator, UnknownCondition } from '../../parse/litmus-ast.js';
import type { LocationId, ObjectId, Program } from '../program.js';

/**
 * A program unrolled to a finite set of guarded events. An execution of the program chooses the values of its reads and
 * its free choices; then the events whose path holds are executed. Plain data, by index.
 */
export interface EventStructure {
  readonly program: Program;
  /** Initial writes first, then thread by thread in an order that every path respects. */
  readonly events: readonly Event[];
  readonly values: readonly Value[];
  /** Conditions of `assume` and CAS. An execution must satisfy those whose paths it takes. */
  readonly constraints: readonly Constraint[];
  /** Where unrolling stopped. An execution that gets there is beyond the bound. */
  readonly cuts: readonly Cut[];
  /** Divisors. An execution in which one of them is 0 has no meaning. */
  readonly divisions: readonly Constraint[];
  /** Final values of registers, by thread and register. */
  readonly registers: readonly (readonly ValueId[])[];
  /** How often loops without a bound of their own were unrolled. */
  readonly bound: number;
  /** Number of free choices (`choose`, `loop`, success of a CAS, and with `prefixes` whether a thread goes on). */
  readonly choices: number;
  /** Whether threads may stop anywhere. */
  readonly prefixes?: boolean;
  /** The ways of conditions that nobody knows, in the order of the program. */
  readonly ways?: readonly WayTaken[];
  /** The calls of libraries that instructions replace. */
  readonly groups?: readonly Group[];
  /** Whether some loop has only its last iteration. */
  readonly shortened?: boolean;
  /** Whether some dependency is not known, as it hangs on branches that its events do not tell. */
  readonly unclear?: boolean;
  /** Where threads may wait for ever, if that was asked for. */
  readonly waits?: readonly Wait[];
  /** Then: whether some assumption is none about what was just read, so that it does not tell whether a thread waits there. */
  readonly assumes?: boolean;
  /** The points and blocks that threads pass, each thread in program order, if that was asked for. */
  readonly passes?: readonly Passed[];
  readonly like?: Likeness;
}

/** Where a thread may wait for ever: behind it, nothing of the thread comes. */
export interface Wait {
  readonly thread: number;
  readonly path: Path;
  /** Does it, on its path? */
  readonly stays: ValueId;
  /** The events of a loop's iteration that is repeated for ever; or the events that would be next, if only they had partners. */
  readonly events: readonly EventId[];
  readonly repeats: boolean;
  readonly span: Span;
}

/** A mark that a thread passes. */
export interface Passed {
  readonly thread: number;
  readonly mark: string;
  readonly path: Path;
}

/** What has the same events at other places: what is found out about it, and not about places, holds here. */
export interface Likeness {
  readonly structure: EventStructure;
  /** How much greater the numbers of events are here. There may be fewer initial writes. */
  readonly by: number;
}

/** What is taken for granted of a condition that nobody knows, by executions with this path. */
export interface WayTaken {
  readonly unknown: UnknownCondition;
  readonly holds: boolean;
  readonly path: Path;
}

export type EventId = number;
/** One execution of an instruction. In a loop, an instruction has a call for each iteration. */
export type CallId = number;
export type ValueId = number;

/** Index of the pseudo-thread of initial writes. */
export const INITIAL = -1;

/**
 * Which reads the events of a thread depend on, by the text of the program (docs/cat.md, "Base relations"): the registers in
 * a value, in a condition, or in an address. A value that does not change with a register depends on it nonetheless: `r - r`.
 */
export interface Dependencies {
  /** The reads that the value which it writes is made of; of a post, those that its operands are made of. */
  readonly data?: readonly EventId[];
  /** The reads that the address is made of. */
  readonly addr?: readonly EventId[];
  /** The reads that conditions before it are made of, also where branches have met again. */
  readonly ctrl?: readonly EventId[];
}

export interface Event extends Dependencies {
  readonly id: EventId;
  /** Index of the thread, or `INITIAL`. */
  readonly thread: number;
  readonly label: string;
  readonly path: Path;
  /** The location that it reads or writes. */
  readonly location?: LocationId;
  /** The node of that location. */
  readonly home?: string;
  readonly reads?: boolean;
  /** The value that it writes, if it does. */
  readonly value?: ValueId;
  /** The node at the other end of its queue pair, if it is on one. */
  readonly node?: string;
  /** The node at its own end. */
  readonly own?: string;
  /** The name of the queue pair, if that has one. */
  readonly queuePair?: string;
  /** Whether several threads use its queue pair. */
  readonly joint?: true;
  /** Whether messages go through its queue pair, so that that has another end in the program. */
  readonly connected?: true;
  /** The completion queue that its completion goes to, or that it polls, if that is declared. */
  readonly completions?: string;
  /** The work identifier of its call. */
  readonly work?: string;
  /** Earlier events of its call that are not before it in program order. */
  readonly beside?: readonly EventId[];
  /** The library of its call, or, for an initial write, of its cell. */
  readonly library?: string;
  /** The operation of the library, as relations name it. */
  readonly operation?: string;
  /** The object of its call or cell. */
  readonly object?: ObjectId;
  /** For a mark, its role. A mark is no event of a call; it is at the start of a thread with the role in an object. */
  readonly mark?: string;
  /** The tags of its location, its queue pair and its call. */
  readonly tags?: readonly string[];
  /** The use of an operation that it belongs to: a statement may use several. */
  readonly use?: number;
  /** The call that it belongs to; initial writes belong to none. */
  readonly call?: CallId;
  /** The innermost group of its instruction. */
  readonly group?: GroupId;
  /** The stamps of subevents for which it stands, in the call of its group. */
  readonly stands?: readonly string[];
  /** The place of its instruction; initial writes have none. */
  readonly span?: Span;
}

/** Index into `EventStructure.groups`. */
export type GroupId = number;

/** One execution of a call of a library by the instructions that replace it. */
export interface Group {
  readonly thread: number;
  /** The call as written. */
  readonly call: string;
  /** The group of the call itself, if it is among instructions that replace another call. */
  readonly within?: GroupId;
}

/** The branches taken to get somewhere, outermost first; empty: always executed. */
export type Path = readonly Branch[];

export interface Branch {
  readonly condition: ValueId;
  readonly taken: boolean;
}

export interface Constraint {
  readonly thread: number;
  readonly path: Path;
  /** Must be true (not 0). */
  readonly condition: ValueId;
  readonly span: Span;
}

export interface Cut {
  readonly thread: number;
  readonly path: Path;
  /**
   * How many constraints there were when unrolling came here. Of these, the constraints of its thread come before it.
   */
  readonly constraints: number;
  readonly bound: number;
  readonly span: Span;
}

/** A symbolic integer. Equal values have equal indices. */
export type Value =
  | { readonly op: 'const'; readonly value: number }
  | { readonly op: 'read'; readonly event: EventId }
  | { readonly op: 'choice'; readonly choice: number }
  | { readonly op: 'unary'; readonly fn: UnaryOperator; readonly arg: ValueId }
  | {
      readonly op: 'binary';
      readonly fn: BinaryOperator;
      readonly left: ValueId;
      readonly right: ValueId;
    }
  | {
      /** `then` if the condition is true, otherwise `else`. */
      readonly op: 'select';
      readonly condition: ValueId;
      readonly then: ValueId;
      readonly else: ValueId;
    };

/** The operands of a value, within its thread. */
export function operandsOfValue(value: Value): readonly ValueId[] {
  switch (value.op) {
    case 'unary':
      return [value.arg];
    case 'binary':
      return [value.left, value.right];
    case 'select':
      return [value.condition, value.then, value.else];
    case 'const':
    case 'choice':
    case 'read':
      return [];
  }
}

export const isRead = (e: Event): boolean => e.reads === true;
export const isWrite = (e: Event): boolean => e.value !== undefined;

/** The reads that a value is made of. */
export function readsIn(values: readonly Value[], id: ValueId): readonly EventId[] {
  const found = new Set([id]);
  for (const one of found) for (const part of operandsOfValue(values[one])) found.add(part);
  return [...found].flatMap((one) => {
    const value = values[one];
    return value.op === 'read' ? [value.event] : [];
  });
}

/** A path and one more branch. */
export const further = (path: Path, condition: ValueId, taken: boolean): Path => [
  ...path,
  { condition, taken },
];

/** Can no execution have both paths? They take different branches somewhere. */
export function areExclusive(a: Path, b: Path): boolean {
  return a.some((x) => b.some((y) => x.condition === y.condition && x.taken !== y.taken));
}

/** Does each execution that takes path `a` take path `b`, too? */
export function implies(a: Path, b: Path): boolean {
  return b.every((y) => a.some((x) => x.condition === y.condition && x.taken === y.taken));
}
