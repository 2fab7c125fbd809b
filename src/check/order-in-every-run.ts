import type { Bound } from '../encode/bounds/domain.js';
import { boundsDomain } from '../encode/bounds/domain.js';
import type { Domain } from '../model/interpret.js';
import { interpret } from '../model/interpret.js';
import type { BitRel, BitSet } from '../model/relation/matrix.js';
import * as m from '../model/relation/matrix.js';
import type { Model } from '../model/term.js';
import { FIXED_RELATIONS, membership } from '../program/events/relations.js';
import type { Event } from '../program/events/structure.js';

/** The term of a relation that every model of libraries defines. */
export function definitionOf({ definitions, name }: Model, relation: string): number {
  const found = definitions.find((definition) => definition.name === relation);
  if (found === undefined) throw new Error(`${name} defines no '${relation}'`);
  return found.term;
}

/** Relations between events of one use of an operation, and no others. */
const WITHIN_A_CALL: readonly string[] = ['same'];

/** Pairs of events, by position, that are assumed to be in relations that executions choose. */
export type Supposed = Readonly<Record<string, readonly (readonly [number, number])[]>>;

/**
 * The lower bound of `hb` among some events of one thread: pairs in every execution of every program with these events.
 * One more event stands for the rest of the program. Any relation to it is possible and none is sure, so that the
 * result holds whatever the rest is.
 *
 * @param events all of them executed, in program order
 * @param supposed the assumed pairs
 * @returns the relation over their positions
 */
export function sureOrder(model: Model, events: readonly Event[], supposed: Supposed = {}): BitRel {
  const size = events.length + 1;
  const full = m.product(m.universe(size), m.universe(size));
  const domain = boundsDomain(
    { size, together: full, brings: full, broughtBy: full, straight: true },
    setBounds(model, events),
    relationBounds(events, supposed),
  );
  const bounds = interpret(model, withoutRest(domain, events.length));
  return bounds.rel(definitionOf(model, 'hb')).must;
}

/** Removes the pairs of the rest of the program from the lower bound. */
function withoutRest(
  domain: Domain<Bound<BitSet>, Bound<BitRel>>,
  rest: number,
): Domain<Bound<BitSet>, Bound<BitRel>> {
  const all = m.universe(rest + 1);
  const own = m.diffSet(all, m.setOf(rest + 1, [rest]));
  const inside = m.product(own, own);
  const known = ({ may, must }: Bound<BitRel>): Bound<BitRel> => ({
    may,
    must: m.interRel(must, inside),
  });
  return {
    ...domain,
    universe: () => ({ may: all, must: own }),
    complRel: (a) => known(domain.complRel(a)),
    star: (a) => known(domain.star(a)),
    opt: (a) => known(domain.opt(a)),
    baseRel: (name) => known(domain.baseRel(name)),
  };
}

function setBounds({ instructions }: Model, events: readonly Event[]) {
  const isIn = membership(instructions);
  const size = events.length + 1;
  return (name: string): Bound<BitSet> => {
    const test = isIn(name);
    if (test === undefined) throw new Error(`'${name}' is no base set`);
    const members = events.flatMap((e, i) => (test(e) ? [i] : []));
    return {
      may: m.setOf(size, [...members, events.length]),
      must: m.setOf(size, members),
    };
  };
}

/**
 * The bounds of base relations. Those that events fix are known; those that executions choose have at least the assumed
 * pairs, and may have any.
 */
function relationBounds(events: readonly Event[], supposed: Supposed) {
  const size = events.length + 1;
  const all = m.universe(size);
  const rest = m.setOf(size, [events.length]);
  const around = m.unionRel(m.product(all, rest), m.product(rest, all));
  return (name: string): Bound<BitRel> => {
    const test = FIXED_RELATIONS.get(name);
    const must = m.emptyRel(size);
    if (test === undefined) {
      for (const [i, j] of supposed[name] ?? []) m.relate(must, i, j);
      return { may: m.product(all, all), must };
    }
    for (const [i, a] of events.entries()) {
      for (const [j, b] of events.entries()) if (test(a, b)) m.relate(must, i, j);
    }
    return { may: WITHIN_A_CALL.includes(name) ? must : m.unionRel(must, around), must };
  };
}
