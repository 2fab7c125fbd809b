/** A literal as an index: of variable v, 2v, and 2v + 1 for its negation. */
export type Index = number;

export const indexOf = (literal: number): Index => (literal > 0 ? 2 * literal : 1 - 2 * literal);
export const literalAt = (lit: Index): number => ((lit & 1) === 0 ? lit >> 1 : -(lit >> 1));

/**
 * What a search knows beside its clauses: literals that cannot be true together, found out when they become
 * true, without a clause for each such set.
 */
export interface Theory {
  /** Is told of a literal that has become true. Gives literals that are true and cannot be so together, this one among them. */
  add(lit: Index): readonly Index[] | undefined;
  /** Takes back a literal that it was told of, the last first. */
  remove(lit: Index): void;
  /** Some literals that can never be true together with one, however many there are. It is asked for each literal once at most. */
  excludes(lit: Index): Iterable<Index>;
  /** The literal of an open variable that goes with what is true now, if it can tell. */
  prefers(variable: number): Index | undefined;
  /** How much it has looked at, in all. */
  readonly work: number;
}
