import type { Guess, InstructionSet } from '../../src/model/instructions/set.js';
import type { Program } from '../../src/program/program.js';
import type { Step } from './paths.js';

/**
 * What the program fixes of given events, and what there is to guess about them: straight from the
 * declarations, pair by pair. It shares nothing with the guesses of the checker.
 */

export type Pair = readonly [number, number];

/** An event; initial writes have thread -1. */
export interface Event extends Step {
  readonly id: number;
  readonly thread: number;
  /** The events of its thread that its value is computed from. */
  readonly from: readonly number[];
}

export const isWrite = (e: Event): boolean => e.writes !== undefined;
export const isRead = (e: Event): boolean => e.reads !== undefined;

/** Each decision that a guess leaves open, by the pairs that each way of it gives. */
export function decisionsOf(guess: Guess, terms: Terms): readonly (readonly (readonly Pair[])[])[] {
  const { events } = terms;
  switch (guess.how) {
    case 'either':
      return events.flatMap(({ id: a }) =>
        events.flatMap(({ id: b }) => {
          const asked = terms.relates(guess.pairs, a, b) || terms.relates(guess.pairs, b, a);
          return a < b && asked ? [[[[a, b]] as Pair[], [[b, a]] as Pair[]]] : [];
        }),
      );
    case 'total':
      return terms.classes(guess.pairs).map((members) => permutations(members).map(before));
    // Ranks are checked when everything is chosen (`ranksAgree`).
    case 'counted':
    case 'one':
      return events.flatMap(({ id: to }) => {
        if (!terms.holds(guess.to, to)) return [];
        const sources = events.filter(
          ({ id }) => terms.holds(guess.from, id) && terms.relates(guess.within, id, to),
        );
        return [sources.map(({ id }): Pair[] => [[id, to]])];
      });
    case 'kth':
      return terms.classes(guess.within).flatMap((members) => {
        const [from, to] = [guess.from, guess.to].map((set) =>
          members.filter((id) => terms.holds(set, id)),
        );
        return to.map((one, k): readonly (readonly Pair[])[] => {
          const partner = from[k];
          if (partner === undefined) return [];
          return guess.unordered || po(events[partner], events[one]) ? [[[partner, one]]] : [];
        });
      });
  }
}

/** Has each event that is counted by guessed orders the source of its rank? */
export function ranksAgree(
  { guesses }: InstructionSet,
  terms: Terms,
  isIn: (name: string, a: number, b: number) => boolean,
): boolean {
  return guesses.every((guess) => {
    if (guess.how !== 'counted') return true;
    const ids = terms.events.map(({ id }) => id);
    const rank = (set: number, by: string | undefined, of: number): number =>
      ids.filter(
        (id) =>
          terms.holds(set, id) &&
          terms.relates(guess.within, id, of) &&
          (by === undefined ? id < of : isIn(by, id, of)),
      ).length;
    return ids
      .filter((to) => terms.holds(guess.to, to))
      .every((to) => {
        const from = ids.find((id) => terms.holds(guess.from, id) && isIn(guess.name, id, to));
        return (
          from !== undefined &&
          rank(guess.from, guess.fromBy, from) === rank(guess.to, guess.toBy, to)
        );
      });
  });
}

/** The terms of guesses, asked event by event. */
export class Terms {
  private readonly isIn: (name: string) => (e: Event) => boolean;

  constructor(
    readonly events: readonly Event[],
    private readonly program: Program,
  ) {
    this.isIn = membership(program);
  }

  holds(id: number, a: number): boolean {
    const term = this.program.instructions.terms[id];
    switch (term.op) {
      case 'base':
        return this.isIn(term.name)(this.events[a]);
      case 'universe':
        return true;
      case 'empty':
        return false;
      case 'union':
        return this.holds(term.left, a) || this.holds(term.right, a);
      case 'inter':
        return this.holds(term.left, a) && this.holds(term.right, a);
      case 'diff':
        return this.holds(term.left, a) && !this.holds(term.right, a);
      case 'compl':
        return !this.holds(term.arg, a);
      case 'domain':
        return this.events.some(({ id: b }) => this.relates(term.arg, a, b));
      case 'range':
        return this.events.some(({ id: b }) => this.relates(term.arg, b, a));
      default:
        throw new Error(`'${term.op}' in a guess is not evaluated here`);
    }
  }

  relates(id: number, a: number, b: number): boolean {
    const term = this.program.instructions.terms[id];
    switch (term.op) {
      case 'base':
        return term.name === 'id' ? a === b : FIXED[term.name](this.events[a], this.events[b]);
      case 'empty':
        return false;
      case 'product':
        return this.holds(term.left, a) && this.holds(term.right, b);
      case 'identity':
        return a === b && this.holds(term.arg, a);
      case 'opt':
        return a === b || this.relates(term.arg, a, b);
      case 'inverse':
        return this.relates(term.arg, b, a);
      case 'union':
        return this.relates(term.left, a, b) || this.relates(term.right, a, b);
      case 'inter':
        return this.relates(term.left, a, b) && this.relates(term.right, a, b);
      case 'diff':
        return this.relates(term.left, a, b) && !this.relates(term.right, a, b);
      case 'compl':
        return !this.relates(term.arg, a, b);
      case 'seq':
        return this.events.some(
          ({ id: c }) => this.relates(term.left, a, c) && this.relates(term.right, c, b),
        );
      default:
        throw new Error(`'${term.op}' in a guess is not evaluated here`);
    }
  }

  /** The classes of an equivalence. */
  classes(id: number): readonly (readonly number[])[] {
    const classes = this.events.map(({ id: a }) =>
      this.events.map(({ id: b }) => b).filter((b) => this.relates(id, a, b)),
    );
    return classes.filter(([first], a) => first === a);
  }
}

/** Each element with all later ones. */
export const before = (order: readonly number[]): Pair[] =>
  order.flatMap((a, i) => order.slice(i + 1).map((b): Pair => [a, b]));

const po = (a: Event, b: Event): boolean =>
  b.thread >= 0 && (a.thread < 0 || (sthd(a, b) && a.id < b.id && !b.beside.includes(a.id)));

const sthd = (a: Event, b: Event): boolean => a.thread === b.thread;

const sameQueuePair = (a: Event, b: Event): boolean =>
  a.queuePair !== undefined &&
  a.queuePair === b.queuePair &&
  (sthd(a, b) || (a.joint === true && b.joint === true));

/** The relations that the program fixes. */
export const FIXED: Readonly<Record<string, (a: Event, b: Event) => boolean>> = {
  po,
  loc: (a, b) => a.location !== undefined && a.location === b.location,
  sthd,
  ext: (a, b) => !sthd(a, b),
  same: (a, b) => a.thread >= 0 && sthd(a, b) && a.use === b.use,
  sqp: (a, b) => sameQueuePair(a, b),
  scq: (a, b) =>
    a.completions === undefined && b.completions === undefined
      ? sameQueuePair(a, b)
      : a.completions === b.completions,
  ends: (a, b) =>
    a.connected === true &&
    b.connected === true &&
    a.node !== undefined &&
    a.node === b.own &&
    b.node === a.own &&
    a.pair === b.pair,
  nloc: (a, b) => a.home !== undefined && a.home === b.home,
  sn: (a, b) => a.node !== undefined && a.node === b.node,
  wid: (a, b) => sthd(a, b) && a.work !== undefined && a.work === b.work,
};

/** Is an event in a base set? */
export function membership({
  instructions: { labels },
  locations,
}: Pick<Program, 'instructions' | 'locations'>): (name: string) => (e: Event) => boolean {
  const by = (performer: string) => (e: Event) =>
    labels.some((label) => label.name === e.label && label.by === performer);
  const known: Readonly<Record<string, (e: Event) => boolean>> = {
    R: isRead,
    W: isWrite,
    IW: (e) => e.thread < 0,
    CPU: by('cpu'),
    NIC: by('nic'),
    shared: (e) => e.joint === true || e.completions !== undefined,
  };
  return (name) => {
    if (name in known) return known[name];
    if (labels.some((label) => label.name === name)) return (e) => e.label === name;
    // Else it is a tag.
    return (e) =>
      e.tags?.includes(name) === true ||
      e.pairTags?.includes(name) === true ||
      (e.location !== undefined && locations[e.location]?.tags?.includes(name) === true);
  };
}

export function permutations<T>(list: readonly T[]): readonly (readonly T[])[] {
  if (list.length === 0) return [[]];
  return list.flatMap((x, i) => permutations(list.filter((_, k) => k !== i)).map((p) => [x, ...p]));
}
