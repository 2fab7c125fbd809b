import type { Event, EventStructure } from '../../program/events/structure.js';
import { guessesIn } from '../../program/events/guesses.js';
import type { Guessed, Ranked, Sources } from '../../program/events/guessed.js';
import { baseSets, programOrder } from '../../program/events/relations.js';
import { INITIAL, areExclusive, implies, isRead, isWrite } from '../../program/events/structure.js';
import { fixedRelations } from '../../program/events/fixed.js';
import { groupBy } from '../../model/relation/groups.js';
import type { BitRel, BitSet } from '../../model/relation/matrix.js';
import * as m from '../../model/relation/matrix.js';
import type { Bound, Presence } from './domain.js';
import { exact } from './domain.js';

/** Bounds of the base sets and relations of a program, by their names in cat, made when asked for. */
export interface BaseBounds {
  readonly set: (name: string) => Bound<BitSet> | undefined;
  /** Of the relations that may differ between executions. */
  readonly relations: { readonly get: (name: string) => Bound<BitRel> | undefined };
  /** Of the relations that events fix. */
  readonly fixed: (name: string) => Bound<BitRel>;
}

/** Bounds from the program alone. */
export function baseBounds(
  structure: EventStructure,
  { size, together, straight }: Presence,
): BaseBounds {
  const { events } = structure;
  const { instructions } = structure.program;
  const fixed = fixedRelations(events);
  const made = new Map<string, Bound<BitRel> | undefined>();
  const varying = (name: string): Bound<BitRel> | undefined => {
    if (name === 'rf') return readsFrom(events, size);
    if (name === 'mo') return modificationOrder(events, size);
    const guess = guessesIn(structure).find((one) => one.name === name);
    return guess && guessed(guess, events, size);
  };
  let sets: ReturnType<typeof baseSets> | undefined;
  return {
    set(name) {
      return exact((sets ??= baseSets(events, instructions))(name));
    },
    relations: {
      get(name) {
        if (!made.has(name)) made.set(name, varying(name));
        return made.get(name);
      },
    },
    fixed: (name) => exact(straight ? fixed(name) : m.interRel(fixed(name), together)),
  };
}

function readsFrom(events: readonly Event[], size: number): Bound<BitRel> {
  const may = m.emptyRel(size);
  const writes = groupBy(
    events.filter((w) => isWrite(w) && w.location !== undefined),
    (w) => w.location,
  );
  for (const r of events.filter(isRead)) {
    for (const w of writes.get(r.location) ?? []) {
      if (w.id !== r.id && !areExclusive(w.path, r.path)) m.relate(may, w.id, r.id);
    }
  }
  return { may, must: onlySources(events, may) };
}

/** Where a read has one write to read from, it reads from that one. */
export function onlySources(events: readonly Event[], may: BitRel): BitRel {
  const must = m.emptyRel(may.size);
  const inverse = m.inverse(may);
  for (const r of events.filter(isRead)) {
    const sources = m.successors(inverse, r.id);
    if (sources.length === 1) m.relate(must, sources[0], r.id);
  }
  return must;
}

function modificationOrder(events: readonly Event[], size: number): Bound<BitRel> {
  const may = m.emptyRel(size);
  const must = m.emptyRel(size);
  const writes = groupBy(events.filter(isWrite), (w) => w.location);
  for (const a of events) {
    if (!isWrite(a)) continue;
    for (const b of writes.get(a.location)!) {
      if (a.id === b.id || areExclusive(a.path, b.path)) continue;
      if (b.thread !== INITIAL) m.relate(may, a.id, b.id);
      if (a.thread === INITIAL) m.relate(must, a.id, b.id);
    }
  }
  return { may, must };
}

/** Bounds of a guessed relation. */
function guessed(guess: Guessed, events: readonly Event[], size: number): Bound<BitRel> {
  const bound = { may: m.emptyRel(size), must: m.emptyRel(size) };
  eitherWay([...guess.pairs, ...guess.classes.flatMap(pairsOf)], events, bound);
  partners(guess.ranked, events, bound);
  oneSource(guess.choices, events, bound);
  return bound;
}

/** Every two members of a list. */
const pairsOf = (list: readonly number[]): readonly (readonly [number, number])[] =>
  list.flatMap((a, i) => list.slice(i + 1).map((b) => [a, b] as const));

function eitherWay(
  pairs: readonly (readonly [number, number])[],
  events: readonly Event[],
  { may }: Bound<BitRel>,
): void {
  for (const [a, b] of pairs) {
    if (areExclusive(events[a].path, events[b].path)) continue;
    m.relate(may, a, b);
    m.relate(may, b, a);
  }
}

/** Which event is the k-th of its class: where branches come before, a rank is only known to lie in a range. */
function partners(
  all: readonly Ranked[],
  events: readonly Event[],
  { may, must }: Bound<BitRel>,
): void {
  for (const { unordered, ...ranked } of all) {
    const [from, to] = [ranked.from, ranked.to].map((list) => list.map((id) => events[id]));
    const fromRanks = from.map((e) => rank(e, from));
    for (const p of to) {
      const [low, high] = rank(p, to);
      from.forEach((w, i) => {
        if (!unordered && !programOrder(w, p)) return;
        if (areExclusive(w.path, p.path)) return;
        const [wLow, wHigh] = fromRanks[i];
        if (wHigh < low || high < wLow) return;
        m.relate(may, w.id, p.id);
        if (low === high && wLow === wHigh) m.relate(must, w.id, p.id);
      });
    }
  }
}

function oneSource(
  choices: readonly Sources[],
  events: readonly Event[],
  { may, must }: Bound<BitRel>,
): void {
  for (const { of, sources } of choices) {
    const possible = sources.filter(
      (source) => source !== of && !areExclusive(events[source].path, events[of].path),
    );
    for (const source of possible) m.relate(may, source, of);
    if (possible.length === 1) m.relate(must, possible[0], of);
  }
}

/** Least and greatest number of `peers` before an event, in executions that have the event. */
function rank(e: Event, peers: readonly Event[]): readonly [number, number] {
  const before = peers.filter((p) => p.id < e.id && !areExclusive(p.path, e.path));
  const sure = before.filter((p) => implies(e.path, p.path)).length;
  return [sure, before.length];
}
