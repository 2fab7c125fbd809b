import type { FinalState } from '../program/final.js';
import type { Witness } from './witness/witness.js';

/**
 * - `allowed`, `forbidden`: answers `exists` and `~exists`: can the condition hold at the end?
 * - `holds`, `fails`: answers `forall`: does it hold in every final state?
 * - `unknown`: undecided, for the reason given
 * - `vacuous`: the program has no consistent execution at all, so every claim about all executions is true
 */
export type Verdict = 'allowed' | 'forbidden' | 'holds' | 'fails' | 'unknown' | 'vacuous';

/** The reason of an answer that is missing because the user ended the run. It is no result. */
export const INTERRUPTION = 'interrupted';

/** A step of a run of a machine, by the names of the test. */
export interface RunStep {
  /** All of it in words. */
  readonly text: string;
  /** What is done, in a few words. */
  readonly brief: string;
  /** Who does it: a thread, its store buffer, a queue pair, a network card. */
  readonly actor: string;
  /** Where it is seen: at a thread, at a queue pair, or in the memory of a node. */
  readonly lane: { readonly kind: 'thread' | 'network' | 'memory'; readonly name: string };
  /**
   * The kind of step of the machine (docs/json.md). `enter` and `leave` are about blocks, `assertion` is one that
   * fails.
   */
  readonly kind: string;
  /** The block or point of `enter`, `leave`, `pass`. */
  readonly mark?: string;
  readonly location?: string;
  readonly register?: string;
  readonly ghost?: string;
  /** The value that an atomic finds. */
  readonly found?: number;
  /** The value that is read, written or set. */
  readonly value?: number;
  /** The remote operation that it is a step of, as it was posted. */
  readonly operation?: string;
  /** The index of the earlier step that it continues. */
  readonly from?: number;
  /** Its write is still in a buffer when the run ends. */
  readonly pending?: true;
}

/** The answer to one query under one model. */
export interface Answer {
  /** Index of the query in its test. */
  readonly query: number;
  readonly verdict: Verdict;
  /** Why `unknown`, or the likely cause of `vacuous`. */
  readonly reason?: string;
  /** The verdict holds for runs whose loops end within this many iterations; others were not tried. */
  readonly upTo?: number;
  /** The final state that shows `allowed` or `fails`. */
  readonly state?: FinalState;
  /** The execution that ends in it. */
  readonly witness?: Witness;
  /** The run of a machine that ends in it, in words: a transition, then what it leaves where. */
  readonly run?: readonly string[];
  /**
   * The steps that are repeated for ever after `run`, in words, so that the progress that was asked for never happens.
   */
  readonly round?: readonly string[];
  /** The same as data: a step for each line of `run`, and after these one for each line of `round`. */
  readonly steps?: readonly RunStep[];
  /** What the answer assumes: about endless runs, or how conditions of C go that nobody knows. */
  readonly assuming?: readonly string[];
  /** How many states of a machine were reached. */
  readonly states?: number;
  /** The number of ways in which symmetric threads can change places. One state stands for all of them. */
  readonly symmetry?: number;
  /** Whose calls were unfinished when there was no room for more. Runs that need more were not tried. */
  readonly full?: readonly string[];
  /** How many calls could be unfinished on one queue pair, if there was too little room. */
  readonly room?: number;
  /** How many executions satisfy the condition and how many do not, if they were counted. */
  readonly executions?: { readonly positive: number; readonly negative: number };
  /** Flags of the model that this execution raises. */
  readonly flags: readonly string[];
  /** Time to decide it, in milliseconds. */
  readonly milliseconds: number;
}

/** All final states of a program under a model. */
export interface Outcomes {
  /** In ascending order of values. */
  readonly states: readonly FinalState[];
  /** How many executions end in each of them, if they were counted. */
  readonly executions?: readonly number[];
  /** Flags of the model that one of the executions found raises. */
  readonly flags: readonly string[];
  /** Why the list may be incomplete. */
  readonly incomplete?: string;
  readonly upTo?: number;
  readonly milliseconds: number;
}
