import type { Operation } from '../../model/instructions/set.js';
import type { Arithmetic } from '../../parse/litmus-ast.js';
import type { Span } from '../../parse/diagnostics/index.js';
import type { Argument, Call, GhostId, LocationId, RegisterId } from '../program.js';

/**
 * The flow graph of a thread: its instructions as small steps, each of which is one use of an operation, or computes something, or only says where to go
 * on. Loops are circles in it. Plain data: what explores programs, and what asks what a thread may do next, starts from it.
 */
export interface FlowGraph {
  /** The first step is the first one; a thread has come to its end at `steps.length`. */
  readonly steps: readonly FlowStep[];
  /** The locations of which a thread keeps what it has read for a short time: see `Cell`. */
  readonly temporaries: readonly LocationId[];
  readonly sections: readonly Section[];
}

/** A critical block: its thread is inside exactly where its next step is one from `start` to `end`. */
export interface Section {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** What holds a value: a register, a ghost, or a place for what an expression has read, which the next steps use up. */
export type Cell =
  | { readonly kind: 'register'; readonly register: RegisterId }
  | { readonly kind: 'ghost'; readonly ghost: GhostId }
  | { readonly kind: 'temporary'; readonly temporary: number };

/** A value over cells: it has no event. */
export type FlowValue = Arithmetic<FlowLeaf>;
export interface FlowLeaf {
  readonly kind: 'cell';
  readonly cell: Cell;
}

/** What a parameter of an operation gets: where a value is wanted, one over cells. */
export type FlowArgument =
  | Exclude<Argument, { readonly kind: 'value' }>
  | { readonly kind: 'value'; readonly value: FlowValue };

/** One use of an operation. */
export interface FlowUse {
  readonly operation: Operation;
  /** For each parameter in order; then for `into`; then for the work identifier, if it is given. */
  readonly given: readonly FlowArgument[];
  readonly tags: readonly string[];
  readonly span: Span;
  /** The call that it is; none: a read or write of the CPU for another instruction. */
  readonly call?: Call;
}

/**
 * A step of a thread, and the steps that may come next (`next`).
 *
 * - `use`: performs an operation; where it has a value, that goes to `result`
 * - `set`: a register or ghost gets a value
 * - `assume`: there is no run where the condition is 0; `assert`: the assertion fails there
 * - `branch`: goes to the first of `next` unless the condition is 0, and to the second if it is
 * - `choose`: goes on at any of `next`
 * - `rest`: goes on, or stays for ever
 * - `pass`: passes a point, enters a block, or begins a round of a loop that never ends by its text (`mark` is empty)
 * - `leave`: leaves a block, or is a moment of its own for ghosts (`mark` is empty)
 * - `cut`: a loop would go on beyond its bound: the run is given up
 */
export type FlowStep = FlowPlace & FlowAction;

/** Where a step stands in its thread. */
export interface FlowPlace {
  readonly next: readonly number[];
  /** The instruction that it belongs to. */
  readonly span: Span;
  /** The step behind the last one that is taken in the same moment; none: the step is alone. */
  readonly until?: number;
  /** Is it a moment of its own, whatever it does? */
  readonly isMoment?: boolean;
}

export type FlowAction =
  | { readonly kind: 'use'; readonly use: FlowUse; readonly result?: Cell }
  | { readonly kind: 'set'; readonly cell: Cell; readonly value: FlowValue }
  | { readonly kind: 'assume' | 'assert' | 'branch'; readonly condition: FlowValue }
  | { readonly kind: 'choose' | 'rest' | 'goto' }
  | { readonly kind: 'pass' | 'leave'; readonly mark: string }
  | { readonly kind: 'cut'; readonly bound: number };
