import type { Event, EventId } from '../../program/events/structure.js';
import type { ExecutionGraph } from '../explain/graph.js';
import type { FinalState } from '../../program/final.js';
import type { Witness } from '../../check/witness/witness.js';

/**
 * What is compared with SC: executions that run to the end, executions in which every thread may
 * stop anywhere, or only final states.
 */
export const COMPARISONS = ['complete', 'prefixes', 'outcomes'] as const;
export type Comparison = (typeof COMPARISONS)[number];

/**
 * - `robust`: whatever the model admits is SC
 * - `not robust`: something that it admits is not
 * - `unknown`: undecided, for the reason given
 * - `vacuous`: the model admits no execution at all
 */
export type RobustVerdict = 'robust' | 'not robust' | 'unknown' | 'vacuous';

/** Whether a program is robust under a model. */
export interface Robustness {
  readonly comparison: Comparison;
  readonly verdict: RobustVerdict;
  /** Why `unknown`, or the likely cause of `vacuous`. */
  readonly reason?: string;
  /** The verdict is about runs with at most so many iterations of each loop; some run may go on longer. */
  readonly upTo?: number;
  /** What was explored, if the verdict is by exploration of the instrumented program. Undefined: it is the solver's. */
  readonly explored?: ExploredRuns;
  /** What else there is to know. */
  readonly hint?: string;
  /** What shows `not robust`. */
  readonly violation?: Violation;
  readonly milliseconds: number;
}

/** A search through the states of the instrumented program (decidability paper, section 6). */
export interface ExploredRuns {
  readonly cycles: number;
  readonly states: number;
  /** How far NIC writes of a queue pair that are left to be polled were counted, if some run had as many. */
  readonly countedTo?: number;
  /** Runs in which more NIC writes of a queue pair than these are left to be polled are open: the verdict is `unknown`. */
  readonly counterBound?: number;
}

/** An execution that the model admits, and that is not SC, or has a final state that SC does not allow. */
export interface Violation {
  readonly witness: Witness;
  /** Its events in program order, thread by thread, initial writes first. */
  readonly events: readonly PerformedRun[];
  /** All final values; where threads may stop anywhere, those of memory. */
  readonly state: FinalState;
  /** A shortest cycle of the relation that SC requires to have none; undefined where final states are compared. */
  readonly cycle?: readonly CycleStep[];
  /** The execution drawn, its cycle highlighted. */
  readonly graph: ExecutionGraph;
  /** The order in which events are observed, as the exploration finds it, in its two parts. */
  readonly order?: readonly (readonly EventId[])[];
}

/** An event of an execution, with its numbers. */
export interface PerformedRun extends Pick<Event, 'id' | 'label' | 'node' | 'queuePair' | 'span'> {
  /** The thread's name; initial writes have none. */
  readonly thread?: string;
  /** The location's name. */
  readonly location?: string;
  readonly reads?: number;
  readonly writes?: number;
}

/** A step of a cycle from an event to the next one. The last step leads back to the first event. */
export interface CycleStep {
  readonly event: PerformedRun;
  readonly relation: string;
}
