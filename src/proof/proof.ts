/**
 * A proof that no execution is in a case. A leaf names what the case contradicts. A split divides the case by a
 * question: there is a proof for each answer, and each execution gives one of the answers.
 */
export type Proof =
  | { readonly kind: 'leaf'; readonly reason: Reason }
  | { readonly kind: 'split'; readonly question: ProofQuestion; readonly parts: readonly Part[] };

export interface Part {
  readonly answer: number;
  readonly proof: Proof;
}

/**
 * What an execution decides, by a name and numbers:
 *
 * - `choice c`: how a free choice falls, 0 or 1
 * - `rf r`, and any guess with one source each: which event is the source of an executed event
 * - `mo a b`, and any other order: which of two executed events comes first
 */
export interface ProofQuestion {
  readonly name: string;
  readonly about: readonly number[];
}

/** A question and its answer. */
export interface Decision extends ProofQuestion {
  readonly answer: number;
}

/**
 * What a case contradicts, by a kind, a name where there are several of it, and numbers:
 *
 * - `asked`: the condition is not as it was asked for
 * - `axiom NAME e…`: the events of a cycle, or of a pair or an element that must not be there; none where something is missing
 * - `guard e`: the event is executed, and a guard before it is not as it must be
 * - `assume k`: a condition that must be true is not; by its index in the event structure, like the next two
 * - `bound k`: a loop goes on beyond the bound, which a proof says nothing about
 * - `division k`: a divisor is 0, and the run has no meaning
 * - `partner NAME e`: there is no event that could be the source, or the partner of its rank
 * - `order NAME e`: the event comes before itself
 */
export interface Reason {
  readonly kind: (typeof REASONS)[number];
  readonly name?: string;
  readonly at: readonly number[];
  /** Of an axiom: for each of its events, paths from it to the next one. */
  readonly steps?: readonly (readonly ArrowPath[])[];
}

export type ArrowPath = readonly ProofArrow[];

/** Two events, and what relates them in each execution of the case: a relation that the model defines, or a base relation. */
export interface ProofArrow {
  readonly from: number;
  readonly name: string;
  readonly to: number;
}

/** The end of a relation's name in an arrow that leads backwards. */
export const BACK = '^-1';

export const REASONS = [
  'asked',
  'axiom',
  'guard',
  'assume',
  'bound',
  'division',
  'partner',
  'order',
] as const;

export const questionText = ({ name, about }: ProofQuestion): string => [name, ...about].join(' ');

export const reasonText = ({ kind, name, at }: Reason): string =>
  [kind, ...(name === undefined ? [] : [name]), ...at].join(' ');
