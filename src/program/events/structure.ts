import type { Span } from '../../parse/diagnostics/index.js';
import type { Label } from '../../model/bases.js';
import type { BinaryOperator, UnaryOperator } from '../../parse/litmus-ast.js';
import type { LocationId, Program } from '../program.js';

/**
 * A program unrolled to a finite set of guarded events. An execution of the program chooses what
 * its reads read and how its free choices fall; then the events whose path holds are executed.
 * Plain data, by index.
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
  /** Number of free choices (`choose`, `loop`, success of a CAS, to go on with `prefixes`). */
  readonly choices: number;
  /** Whether threads may stop anywhere. */
  readonly prefixes?: boolean;
}

export type EventId = number;
/** One time that an instruction is performed. In a loop, an instruction has a call for each iteration. */
export type CallId = number;
export type ValueId = number;

/** Index of the pseudo-thread of initial writes. */
export const INITIAL = -1;

export interface Event {
  readonly id: EventId;
  /** Index of the thread, or `INITIAL`. */
  readonly thread: number;
  readonly label: Label;
  readonly path: Path;
  readonly location?: LocationId;
  /** The remote node of the queue pair, for NIC events and polls. */
  readonly node?: string;
  /** What a write writes. */
  readonly value?: ValueId;
  /** Work identifier of a get's or put's write, and of a wait. */
  readonly work?: string;
  /** The call that it belongs to; initial writes belong to none. */
  readonly call?: CallId;
  /** Where the instruction stands; initial writes have none. */
  readonly span?: Span;
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
  /** How many constraints there were when unrolling came here. Those of its thread among them come before it. */
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
      /** `then` where the condition is true, `else` where it is not. */
      readonly op: 'select';
      readonly condition: ValueId;
      readonly then: ValueId;
      readonly else: ValueId;
    };

/** Which labels are of events that read, and which of events that write. */
const ACCESS: Readonly<Record<Label, 'read' | 'write' | 'both' | 'none'>> = {
  lR: 'read',
  nlR: 'read',
  nrR: 'read',
  lW: 'write',
  nlW: 'write',
  nrW: 'write',
  CAS: 'both',
  F: 'none',
  P: 'none',
  nF: 'none',
  WT: 'none',
};

export const isRead = ({ label }: Event): boolean =>
  ACCESS[label] === 'read' || ACCESS[label] === 'both';
export const isWrite = ({ label }: Event): boolean =>
  ACCESS[label] === 'write' || ACCESS[label] === 'both';
/** Is this one of the two NIC writes? These are what polls poll. */
export const isNicWrite = (e: Event): boolean => e.label === 'nlW' || e.label === 'nrW';

/** Can no execution have both paths? They take different branches somewhere. */
export function exclusive(a: Path, b: Path): boolean {
  return a.some((x) => b.some((y) => x.condition === y.condition && x.taken !== y.taken));
}

/** Does each execution that takes path `a` take path `b`, too? */
export function implies(a: Path, b: Path): boolean {
  return b.every((y) => a.some((x) => x.condition === y.condition && x.taken === y.taken));
}
