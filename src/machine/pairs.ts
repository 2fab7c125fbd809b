import type { InstructionSet } from '../model/instructions/set.js';
import type { Interpretation } from '../model/interpret.js';
import { interpret } from '../model/interpret.js';
import type { BitRel } from '../model/relation/matrix.js';
import * as m from '../model/relation/matrix.js';
import type { Model, TermId } from '../model/term.js';
import { fixedRelations } from '../program/events/fixed.js';
import type { Guessed } from '../program/events/guessed.js';
import { guessesOf } from '../program/events/guesses.js';
import { baseSets, programOrder, sameLocation } from '../program/events/relations.js';
import type { Event } from '../program/events/structure.js';
import { isRead, isWrite } from '../program/events/structure.js';
import { ALWAYS, Atoms, NEVER, disjunctions } from './atoms.js';
import type { Atom, Disjunction, Known } from './atoms.js';
import { bringsIn } from './calls.js';
import type { WithinCalls } from './carried.js';
import { withinCalls } from './carried.js';
import type { MachineLayers } from './layers.js';
import { isReadsBefore } from './reach.js';

/** What the two layers of a model say about a few events, by their positions in a list. */
export interface Layered {
  readonly events: readonly Event[];
  /** Is an event issued and observed at one moment? */
  readonly inst: readonly boolean[];
  /** Does an axiom say that `issued` has no cycle? */
  readonly isIssuedAcyclic: boolean;
  /** Is the first of two events issued, or observed, before the second? */
  issued(from: number, to: number): Disjunction;
  observed(from: number, to: number): Disjunction;
  /** The atoms of a disjunction. */
  atomsOf(disjunction: Disjunction): readonly Atom[];
  readonly guesses: readonly Guessed[];
  /** Does an axiom ask that something be empty, and these events are in it? Then no run has them. */
  readonly isForbidden: boolean;
  /** What rules a pair of events out, the first before the second. */
  excluded(from: number, to: number): Disjunction;
  /** By check that asks for another event: the events that still need one. */
  readonly lacking: readonly (readonly number[])[];
}

/** Works out the layers of a model over some events of calls. */
export function layered(
  model: Model,
  layers: MachineLayers,
  instructions: InstructionSet,
  events: readonly Event[],
): Layered {
  const { length: size } = events;
  const atoms = new Atoms();
  const within = withinCalls(guessesOf(events, instructions), events, instructions);
  const { guesses } = within;
  const values = valuesOver(model, instructions, events, within, atoms);
  const domain = disjunctions(size, atoms, NO_BASES);
  const sum = (parts: readonly TermId[]): Known =>
    parts.reduce((all, part) => domain.unionRel(all, values.rel(part)), domain.emptyRel());
  const [issued, observed] = [sum(layers.issued), sum(layers.observed)];
  const excluded = sum(
    layers.checks.flatMap((check) => (check.kind === 'pair' ? [check.relation] : [])),
  );
  const inst = layers.inst === undefined ? events.map(() => ALWAYS) : values.set(layers.inst);
  return {
    events,
    inst: inst.map((value) => value === ALWAYS),
    isIssuedAcyclic: layers.isIssuedAcyclic,
    issued: (from, to) => issued[from * size + to],
    observed: (from, to) => observed[from * size + to],
    atomsOf: (disjunction) => atoms.of(disjunction),
    guesses,
    isForbidden: layers.checks.some((check) => {
      if (check.kind !== 'call') return false;
      const { term } = check;
      const value = model.terms[term].kind === 'set' ? values.set(term) : values.rel(term);
      return value.some((one) => one !== NEVER);
    }),
    excluded: (from, to) => excluded[from * size + to],
    lacking: layers.checks.flatMap((check) => {
      if (check.kind !== 'partner') return [];
      const [of, relation] = [values.set(check.of), values.rel(check.relation)];
      const isServed = (e: number): boolean =>
        events.some((_, from) => relation[from * size + e] === ALWAYS);
      return [[...events.keys()].filter((e) => of[e] !== NEVER && !isServed(e))];
    }),
  };
}

export const NO_BASES = {
  set: (name: string): never => {
    throw new Error(`'${name}' is asked for`);
  },
  rel: (name: string): never => {
    throw new Error(`'${name}' is asked for`);
  },
};

/** The value of each term of a model over some events. */
export function valuesOver(
  model: Model,
  instructions: InstructionSet,
  events: readonly Event[],
  { guesses, sure }: WithinCalls,
  atoms: Atoms,
): Interpretation<Known, Known> {
  const { length: size } = events;
  const sets = baseSets(events, instructions);
  const relations = fixedRelations(events);
  const rel = (at: (a: number, b: number) => Disjunction): Known =>
    events.flatMap((_, a) => events.map((_, b) => at(a, b)));
  const decided = (name: string, isPossible: (a: Event, b: Event) => boolean): Known =>
    rel((a, b) => (isPossible(events[a], events[b]) ? atoms.bit(name, a, b) : NEVER));
  const fixed = (of: BitRel): Known => rel((a, b) => (m.related(of, a, b) ? ALWAYS : NEVER));
  const byName = new Map(guesses.map((guess) => [guess.name, guess]));
  const domain = disjunctions(size, atoms, {
    set: (name) => {
      const set = sets(name);
      return events.map((_, e) => (m.has(set, e) ? ALWAYS : NEVER));
    },
    rel: (name) => {
      const guess = byName.get(name);
      if (guess !== undefined) return guessedPairs(guess, sure.get(name) ?? [], events, atoms);
      if (name === 'rf')
        return rel((a, b) => {
          const [w, r] = [events[a], events[b]];
          if (a === b || !isWrite(w) || !at(w, r)) return NEVER;
          if (isRead(r)) return atoms.bit('rf', a, b);
          return bringsIn(r) && w.call === r.call ? ALWAYS : NEVER;
        });
      if (name === 'mo') {
        return decided('mo', (a, b) => a !== b && isWrite(a) && isWrite(b) && at(a, b));
      }
      return fixed(relations(name));
    },
  });
  // Of one event, it says that it reads a value that it overwrites: as an atomic does.
  const readsBefore = decided('rb', (r, w) => isRead(r) && isWrite(w) && at(r, w));
  return interpret(model, domain, {
    has: (id) => isReadsBefore(model.terms[id], model.terms),
    from: { set: NO_BASES.set as never, rel: () => readsBefore },
  });
}

const at = sameLocation;

function guessedPairs(
  { name, pairs, classes, ranked, choices }: Guessed,
  sure: readonly (readonly [number, number])[],
  events: readonly Event[],
  atoms: Atoms,
): Known {
  const { length: size } = events;
  const known: Disjunction[] = new Array<Disjunction>(size * size).fill(NEVER);
  const note = (a: number, b: number): void => {
    known[a * size + b] = atoms.bit(name, a, b);
  };
  for (const [a, b] of pairs) {
    note(a, b);
    note(b, a);
  }
  for (const members of classes) {
    for (const a of members) for (const b of members) if (a !== b) note(a, b);
  }
  for (const { from, to, unordered } of ranked) {
    for (const a of from) {
      for (const b of to) if (unordered || programOrder(events[a], events[b])) note(a, b);
    }
  }
  for (const { of, sources } of choices) for (const source of sources) note(source, of);
  for (const [a, b] of sure) known[a * size + b] = ALWAYS;
  return known;
}
