import type { BitRel } from '../../model/relation/matrix.js';
import * as m from '../../model/relation/matrix.js';

/**
 * The pairs of a relation to draw. If the relation is transitive, pairs that are also a path of other pairs are left out. If
 * it has cycles, there are several ways to do so. Then pairs for which `keep` is true stay if possible.
 */
export function reduced(
  rel: BitRel,
  keep: (from: number, to: number) => boolean,
): readonly (readonly [number, number])[] {
  const all = [...m.pairs(rel)];
  if (!isTransitive(rel)) return all;
  const left = m.relOf(rel.size, all);
  const order = [...all.filter(([a, b]) => !keep(a, b)), ...all.filter(([a, b]) => keep(a, b))];
  for (const [a, b] of order) {
    m.unrelate(left, a, b);
    if (!leads(left, a, b)) m.relate(left, a, b);
  }
  return [...m.pairs(left)];
}

function isTransitive(rel: BitRel): boolean {
  const twice = m.seq(rel, rel);
  return twice.words.every((word, w) => (word & ~rel.words[w]) === 0);
}

/** Is there a path of one or more pairs? */
function leads(rel: BitRel, from: number, to: number): boolean {
  const seen = m.emptySet(rel.size);
  const open = [from];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const next of m.successors(rel, at)) {
      if (next === to) return true;
      if (m.has(seen, next)) continue;
      m.add(seen, next);
      open.push(next);
    }
  }
  return false;
}
