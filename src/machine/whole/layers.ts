import type { Axiom, Model, TermId } from '../../model/term.js';
import { pairs } from '../../model/relation/matrix.js';
import { guessesAmong, partnersByRank } from '../../program/events/guesses.js';
import { modelOver } from '../../program/events/narrow.js';
import type { Event, EventStructure } from '../../program/events/structure.js';
import type { Atom, Known } from '../atoms.js';
import { ALWAYS, Atoms, NEVER, OTHER, disjunctions } from '../atoms.js';
import { layersOf, unionOf } from '../form.js';
import type { Refusal } from '../layers.js';
import type { Layered } from '../pairs.js';
import { NO_BASES, valuesOver } from '../pairs.js';

/** Two events that are related if one of these things is so. None: in every run. */
export interface Edge {
  readonly from: number;
  readonly to: number;
  readonly atoms: readonly Atom[];
}

/** The layers over all events of an execution, and what coherence is about. */
export interface WholeLayers {
  readonly layered: Layered;
  readonly coherence: readonly Edge[];
}

/** Undefined: an axiom that something be empty, or a partner that is missing, rules these events out. */
export function wholeLayers(
  structure: EventStructure,
  whole: Model,
  events: readonly Event[],
): WholeLayers | Refusal | undefined {
  const model = modelOver(structure, whole);
  const layers = layersOf(model);
  if ('message' in layers) return layers;
  const { issued, observed, inst, isIssuedAcyclic, checks, coherence } = layers;
  if (coherence === undefined) throw new Error('the model has no third axiom');
  const found = guessesAmong(structure, events);
  const sure = new Map<string, readonly (readonly [number, number])[]>();
  for (const guess of found) {
    if (guess.chosen) continue;
    const partners = partnersByRank(guess, events);
    if (partners === undefined) return undefined;
    sure.set(guess.name, [...pairs(partners)]);
  }
  // Who is whose partner by rank is known here.
  const guesses = found.map((guess) => ({ ...guess, ranked: [] }));
  const { length: size } = events;
  const atoms = new Atoms();
  const { instructions } = structure.program;
  const values = valuesOver(model, instructions, events, { guesses, sure }, atoms);
  for (const { term, name } of checks) {
    const value = model.terms[term].kind === 'set' ? values.set(term) : values.rel(term);
    if (value.includes(ALWAYS)) return undefined;
    if (value.some((one) => one !== NEVER)) return tooLate(name);
  }
  const { unionRel, emptyRel } = disjunctions(size, atoms, NO_BASES);
  const sum = (parts: readonly TermId[]): Known =>
    parts.reduce((all, part) => unionRel(all, values.rel(part)), emptyRel());
  const checked = sum(unionOf(model.terms, coherence.term));
  if (checked.includes(OTHER)) return tooLate(coherence.name);
  const [before, after] = [sum(issued), sum(observed)];
  const isInst = inst === undefined ? undefined : values.set(inst);
  return {
    layered: {
      events,
      inst: events.map((_, e) => isInst === undefined || isInst[e] === ALWAYS),
      isIssuedAcyclic,
      issued: (from, to) => before[from * size + to],
      observed: (from, to) => after[from * size + to],
      atomsOf: (disjunction) => atoms.of(disjunction),
      guesses,
      // Calls are not judged one by one.
      ...{ isForbidden: false, excluded: () => NEVER, lacking: [] },
    },
    coherence: [...checked.entries()].flatMap(([k, value]): readonly Edge[] => {
      if (value === NEVER) return [];
      const [from, to] = [Math.floor(k / size), k % size];
      return [{ from, to, atoms: value === ALWAYS ? [] : atoms.of(value) }];
    }),
  };
}

const tooLate = (axiom: Axiom['name']): Refusal => ({
  message: `axiom '${axiom}' asks for what takes several things that a run decides`,
});
