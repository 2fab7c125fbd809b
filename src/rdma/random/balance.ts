import type { OnWires, Piece } from './pieces.js';
import { isCompound, piecesOf } from './pieces.js';

/**
 * Threads without calls that would wait for ever, as messages for which nobody posts a receive. Those that are to stay
 * anyway do. What is in branches counts as if it were always done.
 */
export function balanced(threads: readonly (readonly Piece[])[]): readonly (readonly Piece[])[] {
  for (let now = threads; ;) {
    const offered = new Map<string, number>();
    for (const p of now.flatMap((body) => [...piecesOf(body)])) {
      for (const key of onWires(p).gives ?? []) offered.set(key, (offered.get(key) ?? 0) + 1);
    }
    let dropped = false;
    const isMet = (p: Piece): boolean => {
      const { needs = [], anyway } = onWires(p);
      if (needs.length === 0 || anyway === true) return true;
      const met = needs.every((key) => (offered.get(key) ?? 0) > 0);
      for (const key of needs) offered.set(key, (offered.get(key) ?? 0) - 1);
      dropped ||= !met;
      return met;
    };
    const body = (list: readonly Piece[]): readonly Piece[] =>
      list.filter(isMet).map((p) => (isCompound(p) ? { ...p, bodies: p.bodies.map(body) } : p));
    now = now.map(body);
    if (!dropped) return now;
  }
}

const onWires = (p: Piece): OnWires => (p.kind === 'operation' || p.kind === 'poll' ? p : {});
