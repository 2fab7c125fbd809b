import type { Direction } from '../mutant.js';

/** What stands in the place of a text of a model's file: mistakes that only this model can have. */
export type Replacement = readonly [
  name: string,
  what: string,
  from: string,
  to: string,
  direction: Direction,
];

/** By model. */
export type Replacements = Readonly<Record<string, readonly Replacement[]>>;
