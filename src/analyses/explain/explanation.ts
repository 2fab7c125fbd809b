import type { RunStep, Verdict } from '../../check/result.js';
import type { EventId } from '../../program/events/structure.js';
import type { AxiomTest, TermId } from '../../model/term.js';
import type { FinalState } from '../../program/final.js';
import type { Timeline } from '../timeline/timeline.js';
import type { ExecutionGraph } from './graph.js';

/**
 * What `explain` finds out: plain data, as `--json` prints it. Events are told by the numbers of the
 * unrolled program, which are the same in every execution and under every model.
 */

/** The answer to one query of a test, explained under one or several models. */
export interface Explanation {
  readonly file: string;
  readonly test: string;
  /** Index of the query in its test. */
  readonly query: number;
  /** The query as people write it: `exists (a = 1)`. */
  readonly question: string;
  /** One for each model, in the order given. */
  readonly models: readonly ModelExplanation[];
  /** For models that disagree: what one admits, held against another. */
  readonly comparisons: readonly ModelComparison[];
  /** Why the explanation is empty: the time was up before anything was found. */
  readonly unfinished?: string;
}

export interface ModelExplanation {
  readonly model: string;
  /** Which instructions were translated for the model, in words; undefined: none. */
  readonly note?: string;
  readonly verdict: Verdict;
  /** Why `unknown`, or the likely cause of `vacuous`. */
  readonly reason?: string;
  /** The verdict holds for runs whose loops end within this many iterations; others were not tried. */
  readonly upTo?: number;
  /** Flags of the model that the execution shown raises. */
  readonly flags: readonly string[];
  /** Of a query about runs, for `fails`: a run that shows it, and a round that is taken for ever behind it. */
  readonly run?: {
    readonly steps: readonly string[];
    readonly round?: readonly string[];
    /** Both as data. */
    readonly data: readonly RunStep[];
    /** Both in space and time, if asked for. */
    readonly timeline?: Timeline;
  };
  /** What the answer takes for granted: about endless runs, or of conditions that nobody knows. */
  readonly assuming?: readonly string[];
  /** For `allowed` and `fails`: an execution that shows it. */
  readonly admitted?: Admitted;
  /** For `forbidden` and `holds`: why there is none. */
  readonly refuted?: Refuted;
  /** What was not found out, and why: out of time, or a bug that is to be reported. */
  readonly unfinished?: string;
}

/** An execution that a model admits, and an order of steps that leads to its final state. */
export interface Admitted {
  readonly state: FinalState;
  readonly graph: ExecutionGraph;
  readonly order?: Order;
  /** The same order in space and time, if it was asked for. */
  readonly timeline?: Timeline;
}

/**
 * One step a line, in words: `run`, of the machine that the model's semantics describes; `events`, of
 * the execution itself, in an order that agrees with the relation of the axiom named.
 */
export type Order =
  | { readonly kind: 'run'; readonly steps: readonly string[] }
  | {
      readonly kind: 'events';
      /** The relation, as cat text. */
      readonly axiom: string;
      readonly steps: readonly string[];
      /** Why it is no run, where the model has a machine: what the search for one came to. */
      readonly instead?: string;
    };

/** Why no execution satisfies a query. */
export interface Refuted {
  /**
   * The minimal sets of axioms that are enough to forbid it, by name; one empty set: no execution
   * whatever the axioms. With many axioms only one of the sets is looked for.
   */
  readonly cores: readonly (readonly string[])[];
  /** Whether `cores` has all of them. */
  readonly allCores: boolean;
  /** Why candidates fail; undefined where there are none, or where there was no time for it. */
  readonly ways?: Ways;
}

/**
 * The ways in which candidates fail: every well-formed execution that satisfies the query breaks an
 * axiom in one of these ways, if the list is complete.
 */
export interface Ways {
  /** How many different ways there are in all shapes together. */
  readonly count: number;
  /** Why there may be more. */
  readonly incomplete?: string;
  /**
   * One of each shape, and as few as were found to be enough. Those come first that are about more of
   * what the query asks about, then those that are good for more candidates.
   */
  readonly shapes: readonly Shape[];
}

/** Ways that look alike: cycles over the same kinds of events and edges. */
export interface Shape {
  /** How many ways have this shape. */
  readonly ways: number;
  readonly way: Way;
}

/**
 * A candidate execution, and how it breaks axioms. Of the candidates with the same violation it is one
 * in which little else is wrong.
 */
export interface Way {
  readonly state: FinalState;
  readonly graph: ExecutionGraph;
  /** The violation in space and time, if it was asked for and is a cycle. */
  readonly timeline?: Timeline;
  readonly violation: AxiomViolation;
  /** The names in the query that the violation is about: it rests on where their values come from. */
  readonly asked: readonly string[];
  /** Whether it is about none of them, though others are. */
  readonly beside: boolean;
  /** One of each other axiom that the candidate breaks, too. */
  readonly others: readonly AxiomViolation[];
}

/** How an execution breaks an axiom. */
export interface AxiomViolation {
  readonly axiom: string;
  readonly test: AxiomTest;
  /** The axiom's relation or set, as cat text. */
  readonly relation: string;
  /**
   * - `cycle`: the steps lead from an event back to it
   * - `pair`: the steps lead from one event to another; the relation should be empty
   * - `event`: the event is in a set that should be empty
   * - `absence`: what a negated axiom asks for is not there
   */
  readonly kind: 'cycle' | 'pair' | 'event' | 'absence';
  readonly steps: readonly Step[];
  readonly event?: EventId;
}

/** Two events, and why they are related. */
export interface Step {
  readonly from: EventId;
  readonly to: EventId;
  /**
   * What relates them, from the outside in: names, operands of unions, entries of tables, base
   * relations. The pair is in each of these relations.
   */
  readonly because: readonly ExplainedLayer[];
  /** The path that the last of the layers consists of; empty where it is a single edge. */
  readonly via: readonly Step[];
  /** What must hold besides: other sides of intersections; of an inverse, the pair the other way. */
  readonly also: readonly Step[];
}

/** One relation of the model that a pair is in. */
export interface ExplainedLayer {
  /** Index into the model's terms. */
  readonly term: TermId;
  /** Cat text: the relation's name, if it has one. */
  readonly text: string;
  /** What an edge means, where the model or the language says so: "reads what the other wrote". */
  readonly words?: string;
}

/** An execution that one model admits, judged by another that does not. */
export interface ModelComparison {
  readonly admits: string;
  readonly rejects: string;
  /** Why executions cannot be compared: the models take the program in different instructions. */
  readonly incomparable?: string;
  /** The execution, with the edges of the first violation marked. */
  readonly graph?: ExecutionGraph;
  /** How the execution breaks the axioms of the one that rejects it. */
  readonly violations: readonly AxiomViolation[];
  /** Why the one that admits it has no such cycle: the steps that its own order does not have. */
  readonly lacks?: Lack;
}

/** Steps of a cycle that another model's order, or the closure of it, does not have. */
export interface Lack {
  /** The relation of the model's last axiom that forbids cycles, as cat text. */
  readonly relation: string;
  readonly steps: readonly Pick<Step, 'from' | 'to'>[];
}
