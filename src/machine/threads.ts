import { isRead } from '../program/events/structure.js';
import type { CallSite } from './calls.js';
import { eventsIn, partOf, receiveOf } from './calls.js';
import { alternativesOf } from './classes.js';
import type { ClassId } from './classes.js';
import type { Local } from './local.js';
import { isAfter } from './open.js';
import type { Orders } from './orders.js';
import type { EventMask, ModelRelations, Relations } from './relations.js';

/** What classes of calls are to the threads that make them, and to each other: each worked out when it is first asked for. */
export class Threads {
  private readonly barriers: EventMask[] = [];
  private readonly gives: number[] = [];
  private readonly takes: number[] = [];
  private readonly partners: EventMask[] = [];
  private readonly deciding: EventMask[] = [];
  private readonly links: boolean[][] = [];
  private readonly linked: boolean[] = [];
  private readonly heads = new Map<Local['alternative'], readonly number[]>();

  constructor(
    private readonly classes: readonly CallSite[],
    private readonly relations: ModelRelations,
    private readonly ranked: readonly string[],
    private readonly orders: Orders,
  ) {}

  /** The events that a thread waits for before it goes on: each later event takes its first step after theirs, so that nothing is lost. */
  barriersOf(of: ClassId): EventMask {
    return (this.barriers[of] ??= this.barriersIn(of));
  }

  /** The guesses by which calls of a class may be partners of later ones, as bits. */
  givesOf(of: ClassId): number {
    return (this.gives[of] ??= this.givesIn(of));
  }

  /** The events of calls of a class that may be the partners of later ones. */
  partnersIn(of: ClassId): EventMask {
    return (this.partners[of] ??= this.partnersOf(of));
  }

  /** The guesses by which calls of a class may have an earlier one as their partner, as bits. */
  takesOf(of: ClassId): number {
    return (this.takes[of] ??= this.takesIn(of));
  }

  /** The events of calls of a class that decide which later calls there can be. */
  decidingIn(of: ClassId): EventMask {
    return (this.deciding[of] ??= this.relations.rulesOutPairs ? this.decidingOf(of) : 0);
  }

  /** Are there guesses between calls of two threads? */
  areLinked(one: ClassId, other: ClassId): boolean {
    const row = (this.links[one] ??= []);
    return (row[other] ??=
      this.relationsOf(this.classes[one], this.classes[other]).ways.length > 0);
  }

  /** Are there guesses between calls of a class and those of other threads, or does it matter in which order steps were taken? */
  isLinked(of: ClassId): boolean {
    return (this.linked[of] ??=
      this.orders.of(of).length > 0 ||
      this.classes.some(
        ({ thread }, other) => thread !== this.classes[of].thread && this.areLinked(of, other),
      ));
  }

  /** The events of which the first steps are taken in the moment in which a call begins, in order. */
  headOf({ site, alternative, class: of }: Local): readonly number[] {
    const known = this.heads.get(alternative);
    if (known !== undefined) return known;
    const made = this.headIn(site, alternative, of);
    this.heads.set(alternative, made);
    return made;
  }

  /** An alternative is taken when what it depends on is found: with it, and with what comes before. */
  private headIn(
    site: CallSite,
    { events, choices }: Local['alternative'],
    of: ClassId,
  ): readonly number[] {
    const last = choices.size === 0 ? -1 : events.findLastIndex((e) => isRead(site.events[e]));
    if (last >= 0) return events.slice(0, last + 1);
    const [first, ...rest] = events;
    if (first === undefined || (this.barriersOf(of) & (1 << first)) === 0) return [];
    // Of several words, the first is not before the others.
    const { needs, taken } = this.relations.of([site], [maskOf(events)]);
    const isFirst = rest.every((e) => isThere(site, e) || isAfter(needs, 2 * taken[e], 2 * first));
    return isFirst ? [first] : [];
  }

  private relationsOf(one: CallSite, other: CallSite): Relations {
    return this.relations.of([one, other], [eventsIn(one), eventsIn(other)]);
  }

  private barriersIn(of: ClassId): EventMask {
    const site = this.classes[of];
    const first = site.events.length;
    let mask = 0;
    for (const [e, event] of site.events.entries()) {
      if (partOf(event) === undefined) mask |= 1 << e;
    }
    // What stands on other ways through a call is not there: nothing comes after it.
    for (const own of alternativesOf(site)) {
      for (const other of this.classes.filter(({ thread }) => thread === site.thread)) {
        for (const { events } of alternativesOf(other)) {
          const executed = [maskOf(own.events), maskOf(events)];
          const { needs, taken } = this.relations.of([site, other], executed);
          for (const e of own.events) {
            const isBefore = events.every(
              (f) =>
                taken[first + f] !== first + f ||
                isThere(other, f) ||
                isAfter(needs, 2 * (first + f), 2 * taken[e]),
            );
            if (!isBefore) mask &= ~(1 << e);
          }
        }
      }
    }
    return mask;
  }

  private takesIn(of: ClassId): number {
    const site = this.classes[of];
    const { ranked } = this.relationsOf(site, site);
    return this.ranked.reduce(
      (mask, guess, g) => ((ranked.get(guess)?.asking.length ?? 0) > 0 ? mask | (1 << g) : mask),
      0,
    );
  }

  private partnersOf(of: ClassId): EventMask {
    const site = this.classes[of];
    const { length: size } = site.events;
    let mask = 0;
    for (const other of this.classes) {
      if (other.thread !== site.thread) continue;
      for (const { pairs } of this.relationsOf(site, other).ranked.values()) {
        for (const [from, to] of pairs) if (from < size && to >= size) mask |= 1 << from;
      }
    }
    return mask;
  }

  private decidingOf(of: ClassId): EventMask {
    const site = this.classes[of];
    const { length } = site.events;
    let mask = 0;
    for (const other of this.classes) {
      if (other.thread !== site.thread) continue;
      const { lacking: alone } = this.relations.of([other], [eventsIn(other)]);
      for (const e of site.events.keys()) {
        const { lacking, excluded } = this.relations.of([site, other], [1 << e, eventsIn(other)]);
        const isServed = lacking.some((needy, k) => alone[k] !== needy >>> length);
        const isRuledOut = excluded.some(
          ({ from, to, guesses }) => from === e && to >= length && guesses === undefined,
        );
        if (isServed || isRuledOut) mask |= 1 << e;
      }
    }
    return mask;
  }

  private givesIn(of: ClassId): number {
    const site = this.classes[of];
    let mask = 0;
    for (const other of this.classes) {
      if (other.thread !== site.thread) continue;
      const { ranked } = this.relationsOf(site, other);
      for (const [g, guess] of this.ranked.entries()) {
        const pairs = ranked.get(guess)?.pairs ?? [];
        if (pairs.some(([from, to]) => from < site.events.length && to >= site.events.length)) {
          mask |= 1 << g;
        }
      }
    }
    return mask;
  }
}

/** Has an event no steps, as it is one of a receive that is done when its message arrives? */
const isThere = (site: CallSite, e: number): boolean =>
  ((receiveOf(site)?.there ?? 0) & (1 << e)) !== 0;

const maskOf = (events: readonly number[]): EventMask =>
  events.reduce((mask, e) => mask | (1 << e), 0);
