import { FIXED_RELATIONS, isShared } from './relations.js';
import type { Event } from './structure.js';
import { INITIAL } from './structure.js';
import { once } from '../../parse/once.js';
import { groupBy } from '../../model/relation/groups.js';
import type { BitRel } from '../../model/relation/matrix.js';
import {
  complRel,
  complSet,
  emptyRel,
  product,
  relate,
  setOf,
} from '../../model/relation/matrix.js';

/**
 * The base relations that follow from the events alone (`FIXED_RELATIONS`), over the positions of events
 * in a list. Each is computed when it is first asked for.
 *
 * A program may have thousands of events, so not all pairs are tested. Pairs that begin with an initial
 * write are filled in at once. All others are of one thread, or for `loc` of one location, for `sn` and `nloc` of one node, for `sqp` and `scq` on
 * what threads share: these are tested.
 */
export function fixedRelations(events: readonly Event[]): (name: string) => BitRel {
  const positions = [...events.keys()];
  const threads = groupBy(positions, (i) => events[i].thread);
  const by = <K>(key: (e: Event) => K | undefined) =>
    once(() => groupBy(positions, (i) => key(events[i])));
  const locations = by((e) => e.location);
  const towards = by((e) => e.node);
  const homes = by((e) => e.home);
  const objects = by((e) => e.object);
  const shared = once(() => positions.filter((i) => isShared(events[i])));
  const initial = setOf(events.length, threads.get(INITIAL) ?? []);
  const made = new Map<string, BitRel>();

  /** The pairs that begin with an initial write. Pairs of `loc` are tested like all others. */
  const ofInitial = (name: string): BitRel => {
    if (name === 'po') return product(initial, complSet(initial));
    return name === 'sthd' ? product(initial, initial) : emptyRel(events.length);
  };
  /** The events that event `i` has to be tested with. */
  const partners = (name: string, i: number): readonly number[] => {
    const { thread, location, home, node, own, object } = events[i];
    if (name === 'loc') return location === undefined ? [] : locations().get(location)!;
    if (name === 'nloc') return home === undefined ? [] : homes().get(home)!;
    if (name === 'ends') return node === undefined ? [] : (towards().get(own) ?? []);
    if (name === 'sn') return node === undefined ? [] : towards().get(node)!;
    if ((name === 'sqp' || name === 'scq') && isShared(events[i])) return shared();
    if (name === 'obj') return object === undefined ? [] : objects().get(object)!;
    return thread === INITIAL ? [] : threads.get(thread)!;
  };
  const make = (name: string): BitRel => {
    if (name === 'ext') return complRel(relation('sthd'));
    const test = FIXED_RELATIONS.get(name);
    if (test === undefined) throw new Error(`'${name}' is no relation that events fix`);
    const rel = ofInitial(name);
    for (const i of positions) {
      for (const j of partners(name, i)) if (test(events[i], events[j])) relate(rel, i, j);
    }
    return rel;
  };
  const relation = (name: string): BitRel => {
    const rel = made.get(name) ?? make(name);
    made.set(name, rel);
    return rel;
  };
  return relation;
}
