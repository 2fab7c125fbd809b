/** A model file with one thing changed, as data: what to replace in which file, by what. */
export interface Mutant {
  /** The shipped model that is changed, by its short name. */
  readonly model: string;
  /** The same name for the same change under every model: `ippo-nrW-nF`, `ob-drop-mo`. */
  readonly name: string;
  /** The change in words. */
  readonly what: string;
  readonly edits: readonly Edit[];
  readonly direction: Direction;
  /** Labels of an earlier and a later event of a thread, where only such pairs are concerned. */
  readonly cell?: readonly [row: string, column: string];
}

/**
 * Whether the mutant allows every execution that the model allows (`weaker`), or only such
 * (`stronger`): known where something was taken from, or added to, relations that must have no
 * cycle and that nothing subtracts. Judging skips what cannot change then.
 */
export type Direction = 'weaker' | 'stronger' | 'other';

/** Replaces a text that occurs exactly once in a file of the models folder. */
export interface Edit {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** What a mutant is without the model it is of. */
export type Change = Omit<Mutant, 'model'>;

/** A mutant as messages name it. */
export const fullName = ({ model, name }: Pick<Mutant, 'model' | 'name'>): string =>
  `${model}/${name}`;
