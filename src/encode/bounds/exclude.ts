import type { EventStructure, Path } from '../../program/events/structure.js';
import { implies } from '../../program/events/structure.js';
import { createAxioms } from '../exclusion/axioms.js';
import { dependenceOf } from '../exclusion/dependence.js';
import { createExclusion } from '../exclusion/exclusion.js';
import type { Intervals } from '../exclusion/intervals.js';
import { LOWER, intervals } from '../exclusion/intervals.js';
import type { Interpretation } from '../../model/interpret.js';
import type { Model } from '../../model/term.js';
import type { BitRel, BitSet } from '../../model/relation/matrix.js';
import * as inPlace from '../../model/relation/in-place.js';
import * as m from '../../model/relation/matrix.js';
import type { BaseBounds } from './base.js';
import type { Bound } from './domain.js';
import { narrowedBounds } from './refine.js';

/** How much is tried, as paths times the third power of events: for some seconds. */
const EFFORT = 2e9;

/**
 * Narrows the bounds of the chosen relations by all that would break an axiom, whatever the axiom looks
 * like: that a read reads from what comes after it in program order, or from what was overwritten
 * before it, is found out from the model, and only where the model says so. What comes back are the
 * relations that change.
 *
 * This finds more than `refine`, and in programs with branches too, and takes longer. A pair of events is
 * looked at where one of them is executed: then all events are, without which it is not.
 */
export function exclude(
  structure: EventStructure,
  model: Model,
  base: BaseBounds,
  terms: Interpretation<Bound<BitSet>, Bound<BitRel>>,
): ReadonlyMap<string, Bound<BitRel>> {
  const { events } = structure;
  const size = events.length;
  const dependence = dependenceOf(model);
  const paths = distinct(events.map((e) => e.path));
  if (paths.length * events.length ** 3 > EFFORT) return new Map();
  const out = new Map(dependence.chosen.map((name) => [name, m.emptyRel(events.length)]));
  for (const path of paths) {
    const ids = (has: (other: Path) => boolean) =>
      m.setOf(
        events.length,
        events.filter((e) => has(e.path)).map((e) => e.id),
      );
    const bound = boundsOn(
      ids((other) => implies(path, other)),
      model,
      terms,
    );
    const axioms = createAxioms(
      model,
      dependence,
      size,
      bound,
      new Float64Array(dependence.all + 1),
    );
    const excluded = createExclusion(model, dependence, size, bound, axioms)(dependence.all);
    // The pairs of which one event is executed on this path only.
    const here = ids((other) => implies(other, path));
    const all = m.universe(events.length);
    const about = m.unionRel(m.product(here, all), m.product(all, here));
    for (const [name, rel] of out) {
      const pairs = excluded(name);
      if (pairs !== undefined) inPlace.addInter(rel, pairs, about);
    }
  }
  const changed = new Map<string, Bound<BitRel>>();
  for (const [name, rel] of out) {
    const bound = base.relations.get(name)!;
    if (m.isEmpty(m.interRel(rel, bound.may))) continue;
    changed.set(name, narrowedBounds(name, bound, rel, structure));
  }
  return changed;
}

/** The bounds of terms where some events are executed for sure: what must be among these, is. */
function boundsOn(
  sure: BitSet,
  { terms }: Model,
  { set, rel }: Interpretation<Bound<BitSet>, Bound<BitRel>>,
): Intervals {
  const among = m.product(sure, sure);
  const lower = new Map<number, BitSet | BitRel>();
  return intervals((id, side) => {
    const isSet = terms[id].kind === 'set';
    if (side !== LOWER) return (isSet ? set(id) : rel(id)).may;
    const known =
      lower.get(id) ?? (isSet ? m.interSet(set(id).must, sure) : m.interRel(rel(id).must, among));
    lower.set(id, known);
    return known;
  });
}

/** Each path once. */
function distinct(paths: readonly Path[]): readonly Path[] {
  const keys = new Map(
    paths.map((path) => [path.map((b) => `${b.condition} ${b.taken}`).join(), path]),
  );
  return [...keys.values()];
}
