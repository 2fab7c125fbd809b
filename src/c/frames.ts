import type { Place, Way } from './state.js';
import type { At } from './tree.js';
import type { Type } from './types.js';

/** What a function call is in: where its `return`s go, and the keys of its variables. */
export interface Frame {
  readonly id: number;
  readonly function: string;
  /** The call. */
  readonly from: At;
  readonly scopes: Map<string, Local>[];
  readonly returns: Way[];
  /** Where `break` and `continue` go, of the loops around. */
  readonly loops: { readonly breaks: Way[]; readonly continues: Way[] }[];
  /** By label: the ways that jump there. */
  readonly jumps: Map<string, Way[]>;
  /** The labels that were come past. */
  readonly passed: Map<string, number>;
  /** By place: how many values were made there in the statement at hand. */
  readonly made: Map<string, number>;
  /** In how many blocks of expressions it is: a statement there is a part of another one. */
  blocks: number;
}

/** A variable of a function: kept by a key, or memory. */
export type Local =
  | { readonly kind: 'variable'; readonly key: string; readonly type: Type }
  | (Place & { kind: 'word' });
