import type { CFunction } from '../code.js';
import type { CNode } from '../tree.js';
import { fieldOf, partsOf } from '../tree.js';
import type { CSource } from './source.js';
import { callPaths, functionAt } from './source.js';

/** A place for statements. */
export interface Place {
  readonly inside: CFunction;
  /** What holds it: a block, or a statement that has a single one. */
  readonly holder: CNode;
  /** The statement that it is before; without one, it is at the end of the block. */
  readonly before?: CNode;
  /** The single statement that it is behind. */
  readonly behind?: CNode;
}

const LISTS: readonly string[] = [
  ...['compound_statement', 'case_statement'],
  ...['preproc_if', 'preproc_ifdef', 'preproc_else', 'preproc_elif'],
];
const BODIES = ['consequence', 'body'] as const;

/** Does a node hold any number of statements? */
export const isList = ({ type }: CNode): boolean => LISTS.includes(type);

const isStatement = ({ type }: CNode): boolean =>
  type === 'declaration' || (type.endsWith('_statement') && type !== 'case_statement');

/** Is a statement all that another one has for its body? */
function isBody(holder: CNode, { type, startIndex }: CNode): boolean {
  if (type === 'compound_statement') return false;
  if (holder.type === 'else_clause') return type !== 'if_statement';
  return BODIES.some((name) => fieldOf(holder, name)?.startIndex === startIndex);
}

/** All places of a function, in the order of the text. */
export function placesIn(inside: CFunction, holder: CNode): readonly Place[] {
  const within = partsOf(holder).flatMap((one): readonly Place[] => {
    const isSingle = isStatement(one) && !isList(holder) && isBody(holder, one);
    const is = isSingle || (isStatement(one) && isList(holder));
    return [
      ...(is ? [{ inside, holder, before: one }] : []),
      ...placesIn(inside, one),
      ...(isSingle ? [{ inside, holder, behind: one }] : []),
    ];
  });
  return holder.type === 'compound_statement' ? [...within, { inside, holder }] : within;
}

export const offsetOf = ({ holder, before, behind }: Place): number =>
  before?.startIndex ?? behind?.endIndex ?? holder.endIndex - 1;

/** How far a place is from one of the text that it is before; what is behind that is farther than all before it. */
const distance = (place: Place, at: number): number => {
  const from = at - offsetOf(place);
  return from >= 0 ? from : 1e9 - from;
};

/**
 * The places that may be where something is to be put, the likeliest first: near a place of the text, in its function; then near the
 * calls that lead to it.
 *
 * @param from the function that the thread is
 */
export function placesNear(source: CSource, from: CFunction, at: number): readonly Place[] {
  const own = functionAt(source, at);
  if (own === undefined) return [];
  const near = new Map<CFunction, number[]>([[own, [at]]]);
  const depths = new Map<CFunction, number>([[own, 0]]);
  for (const path of callPaths(source, from, own)) {
    for (const [i, call] of path.entries()) {
      const inside = functionAt(source, call.startIndex)!;
      near.set(inside, [...(near.get(inside) ?? []), call.startIndex]);
      depths.set(inside, Math.max(depths.get(inside) ?? 0, path.length - i));
    }
  }
  return [...near]
    .sort(([a], [b]) => depths.get(a)! - depths.get(b)!)
    .flatMap(([inside, all]) => {
      const far = (place: Place): number => Math.min(...all.map((one) => distance(place, one)));
      return [...placesIn(inside, inside.body)].sort((a, b) => far(a) - far(b));
    });
}
