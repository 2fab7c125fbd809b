import type { Event } from '../events/structure.js';
import type { Automaton } from '../model/automaton.js';
import type { Interpretation } from '../model/interpret.js';
import type { BitRel, BitSet } from '../relation/matrix.js';
import * as m from '../relation/matrix.js';
import type { Bound } from './domain.js';

/**
 * Bounds of the graph of (event, state) pairs that an automaton makes: its edges are the steps and
 * tests of the automaton. `may` edges exist in some execution, `sure` ones in every execution.
 */
export interface Product {
  readonly may: BitRel;
  readonly sure: BitRel;
  /** Index of a pair in the graph; states begin at whole words, so that rows can be joined. */
  readonly node: (event: number, state: number) => number;
  readonly event: (node: number) => number;
  readonly state: (node: number) => number;
}

export function productOf(
  { states, steps, tests }: Automaton,
  terms: Interpretation<Bound<BitSet>, Bound<BitRel>>,
  events: readonly Event[],
): Product {
  const size = events.length;
  const stride = Math.max(32, Math.ceil(size / 32) * 32);
  const width = stride / 32;
  const may = m.emptyRel(states * stride);
  const sure = m.emptyRel(states * stride);
  const node = (event: number, state: number): number => state * stride + event;
  // Only what no branch can leave out is there in every execution.
  const always = m.setOf(
    size,
    events.filter((e) => e.path.length === 0).map((e) => e.id),
  );
  const mask = (word: number): number => always.words[word] ?? 0;

  for (const { from, to, term } of steps) {
    const bound = terms.rel(term);
    for (let e = 0; e < size; e++) {
      const into = node(e, from) * may.width + to * width;
      const row = e * bound.may.width;
      const isSure = m.has(always, e);
      for (let w = 0; w < bound.may.width; w++) {
        const possible = bound.may.words[row + w];
        // Most words are empty, and what must be also may be.
        if (possible === 0) continue;
        may.words[into + w] |= possible;
        if (isSure) sure.words[into + w] |= bound.must.words[row + w] & mask(w);
      }
    }
  }
  for (const { from, to, set } of tests) {
    const bound = set === undefined ? undefined : terms.set(set);
    for (let e = 0; e < size; e++) {
      if (bound === undefined || m.has(bound.may, e)) m.relate(may, node(e, from), node(e, to));
      if (bound === undefined || (m.has(bound.must, e) && m.has(always, e))) {
        m.relate(sure, node(e, from), node(e, to));
      }
    }
  }
  return {
    may,
    sure,
    node,
    event: (n) => n % stride,
    state: (n) => Math.floor(n / stride),
  };
}
