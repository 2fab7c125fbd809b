import type { AxiomTest } from '../parse/cat-ast.js';
import type { Span } from '../parse/diagnostics/index.js';
import type { InstructionSet } from './instructions/set.js';
import type { Term, TermId } from './term-node.js';

export type { AxiomTest, BinaryOp, UnaryOp } from '../parse/cat-ast.js';

/**
 * A memory model after type checking: a flat table of relational terms and the axioms over
 * them. Names are resolved, functions are expanded, equal terms are shared. It is plain data
 * that every interpreter (concrete, bounds, encoding) walks in the same way: by index.
 */

export type { Kind, OperatorTerm, Term, TermId } from './term-node.js';
export { hasOperands, mapOperands, operandsOf } from './term-node.js';

/**
 * A `let rec … and …` group. Its `rec` variables and everything that its bodies need lie at
 * indices `start` to `end - 1` (and terms before `start`); the `fix` terms come after `end`.
 */
export interface RecGroup {
  readonly names: readonly string[];
  readonly vars: readonly TermId[];
  readonly bodies: readonly TermId[];
  readonly start: TermId;
  readonly end: TermId;
}

/** `acyclic e as name`, `~empty e as name`, `flag ~empty e as name`. */
export interface Axiom {
  readonly test: AxiomTest;
  readonly negated: boolean;
  readonly flag: boolean;
  readonly term: TermId;
  /** The name after `as`; without one, a name made of the test and its position. */
  readonly name: string;
  readonly span: Span;
}

/** A top-level name and what it stands for. */
export interface Definition {
  readonly name: string;
  readonly term: TermId;
  /** The text that defines it; none where the language does. */
  readonly span?: Span;
  /**
   * What an edge means, in words, if a doc comment says so: "a rb b" is read "a …", and "the other"
   * in the words is b.
   */
  readonly words?: string;
}

export interface Model {
  /** The model's short name: the file's name without folder and `.cat`. */
  readonly name: string;
  /** The title string of the file. */
  readonly title: string;
  readonly file: string;
  /** Whether it comes with Remora: a file of the same name elsewhere may say anything. */
  readonly shipped: boolean;
  readonly terms: readonly Term[];
  readonly groups: readonly RecGroup[];
  readonly axioms: readonly Axiom[];
  /** Top-level names in order of definition, to print or show relations by name. */
  readonly definitions: readonly Definition[];
  /** The same for operands of unions, such as the entries of a table, which have no name. */
  readonly operandWords: readonly { readonly term: TermId; readonly words: string }[];
  /** Names that pictures show, by the model's `show` and `unshow`, in order. */
  readonly shown: readonly string[];
  /** Base names that an axiom or flag depends on. */
  readonly bases: readonly string[];
  /** The events, operations and guesses that it declares, or includes, or gets because it does neither. */
  readonly instructions: InstructionSet;
  /** Groups that are not monotone, each as often computed as the model loader does. */
  readonly unsettled?: readonly Unsettled[];
}

/** A name of a group that is not monotone, which is computed in rounds. */
export interface Unsettled {
  /** What is not empty where it would still change. */
  readonly change: TermId;
  /** What the names of the group were computed to by then. */
  readonly values: readonly TermId[];
}

/** The groups of a model that are not monotone, over a table in which terms have other places. */
export const unsettledAt = (
  { unsettled = [] }: Pick<Model, 'unsettled'>,
  at: (id: TermId) => TermId,
): readonly Unsettled[] =>
  unsettled.map(({ change, values }) => ({ change: at(change), values: values.map(at) }));
