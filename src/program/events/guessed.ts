import { isChosen } from '../../model/instructions/chosen.js';
import type { Guess } from '../../model/instructions/set.js';
import type { BitRel, BitSet } from '../../model/relation/matrix.js';
import * as m from '../../model/relation/matrix.js';
import type { TermId } from '../../model/term.js';

/**
 * What there is to guess among some events, by the positions of the events in their list. A guess of one kind uses one
 * of the first four lists. Engines go through all lists, and so know no kinds.
 */
export interface Guessed {
  readonly name: string;
  /** Does an execution choose its pairs? If not, they follow from the executed events. */
  readonly chosen: boolean;
  /** Pairs; for each, either the pair or its converse is in the relation. */
  readonly pairs: readonly PairOf[];
  /** Events that are totally ordered, each class in the order of the list. */
  readonly classes: readonly (readonly number[])[];
  /** Events with partners by rank. */
  readonly ranked: readonly Ranked[];
  /** Events that have one of several sources. */
  readonly choices: readonly Sources[];
  /** Of the choices, what makes them: partners by ranks in guessed orders. */
  readonly counted: readonly Counted[];
}

type PairOf = readonly [number, number];

/** Each of `to` has the one of `from` with its rank as its partner; both are in the order of the list. */
export interface Ranked {
  readonly from: readonly number[];
  readonly to: readonly number[];
  /** Need a partner not come before in program order? */
  readonly unordered: boolean;
}

/** Each of `to` has the one of `from` with its rank as its source. */
export interface Counted {
  readonly from: CountedEvents;
  readonly to: CountedEvents;
}

export interface CountedEvents {
  readonly events: readonly number[];
  /** The guess that orders them; undefined: they are in the order of the list. */
  readonly by?: string | undefined;
}

/** An event that has one of these as its source. */
export interface Sources {
  readonly of: number;
  readonly sources: readonly number[];
}

/** The values of the terms in guesses. */
interface Values {
  readonly set: (id: TermId) => BitSet;
  readonly rel: (id: TermId) => BitRel;
}

type Lists = Partial<Pick<Guessed, 'pairs' | 'classes' | 'ranked' | 'choices' | 'counted'>>;

const NOTHING = { pairs: [], classes: [], ranked: [], choices: [], counted: [] };

/** A guess with nothing to choose. */
export const nothingOf = (guess: Guess): Guessed => ({
  name: guess.name,
  chosen: isChosen(guess),
  ...NOTHING,
});

/** What there is to guess among events over which terms have these values. */
export const guessed = (guess: Guess, values: Values): Guessed => ({
  ...nothingOf(guess),
  ...listsOf(guess, values),
});

function listsOf(guess: Guess, values: Values): Lists {
  switch (guess.how) {
    case 'either':
      return { pairs: unoriented(values.rel(guess.pairs)) };
    case 'total':
      return { classes: classesOf(values.rel(guess.pairs)) };
    case 'kth':
      return { ranked: rankedIn(guess, values) };
    case 'counted':
      return countedIn(guess, values);
    case 'one':
      return { choices: choicesIn(guess, values) };
  }
}

function rankedIn(
  { from, to, within, unordered }: Extract<Guess, { how: 'kth' }>,
  values: Values,
): readonly Ranked[] {
  const [given, asked] = [values.set(from), values.set(to)];
  return classesOf(values.rel(within))
    .map((members) => ({
      from: members.filter((i) => m.has(given, i)),
      to: members.filter((i) => m.has(asked, i)),
      unordered,
    }))
    .filter((ranked) => ranked.to.length > 0);
}

function countedIn(
  { from, to, within, fromBy, toBy }: Extract<Guess, { how: 'counted' }>,
  values: Values,
): Lists {
  const counted = rankedIn({ how: 'kth', name: '', from, to, within, unordered: true }, values).map(
    (one): Counted => ({
      from: { events: one.from, by: fromBy },
      to: { events: one.to, by: toBy },
    }),
  );
  const choices = counted.flatMap((one) =>
    one.to.events.map((of): Sources => ({ of, sources: one.from.events })),
  );
  return { counted, choices };
}

function choicesIn(
  { from, to, within }: Extract<Guess, { how: 'one' }>,
  values: Values,
): readonly Sources[] {
  const [given, before] = [values.set(from), m.inverse(values.rel(within))];
  return [...m.elements(values.set(to))].map((of) => ({
    of,
    sources: [...m.successors(before, of)].filter((i) => m.has(given, i)),
  }));
}

/**
 * The same between other events.
 *
 * @param at the position of an event among them; undefined if it is not one of them, so that nothing is guessed about
 * it
 */
export function moved(guess: Guessed, at: (i: number) => number | undefined): Guessed {
  // Most guesses are about nothing in most programs.
  if (isIdle(guess)) return guess;
  const all = (list: readonly number[]): readonly number[] => list.flatMap((i) => at(i) ?? []);
  return {
    ...guess,
    pairs: guess.pairs.flatMap(([a, b]) => {
      const [i, j] = [at(a), at(b)];
      return i === undefined || j === undefined ? [] : [[i, j] as const];
    }),
    classes: guess.classes.map(all),
    ranked: guess.ranked.map(({ from, to, unordered }) => ({
      from: all(from),
      to: all(to),
      unordered,
    })),
    choices: guess.choices.flatMap(({ of, sources }) => {
      const i = at(of);
      return i === undefined ? [] : [{ of: i, sources: all(sources) }];
    }),
    counted: guess.counted.map(({ from, to }) => ({
      from: { ...from, events: all(from.events) },
      to: { ...to, events: all(to.events) },
    })),
  };
}

const isIdle = ({ pairs, classes, ranked, choices, counted }: Guessed): boolean =>
  [pairs, classes, ranked, choices, counted].every(({ length }) => length === 0);

/** Each pair of different events once, in one of its directions. */
const unoriented = (rel: BitRel): readonly PairOf[] =>
  [...m.pairs(rel)].filter(([a, b]) => a < b || (a > b && !m.related(rel, b, a)));

/** The classes of an equivalence, with their members in order. Events outside of the equivalence are in no class. */
function classesOf(rel: BitRel): readonly (readonly number[])[] {
  const classes: number[][] = [];
  const done = new Set<number>();
  for (let i = 0; i < rel.size; i++) {
    if (done.has(i)) continue;
    const members = [...m.successors(rel, i)];
    for (const member of members) done.add(member);
    if (members.length > 0) classes.push(members);
  }
  return classes;
}
