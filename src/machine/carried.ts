import type { InstructionSet } from '../model/instructions/set.js';
import { hasOperands, operandsOf } from '../model/term.js';
import type { TermId } from '../model/term.js';
import type { Guessed } from '../program/events/guessed.js';
import type { Event } from '../program/events/structure.js';
import { labelsAtWires } from '../program/wires.js';
import { partOf } from './calls.js';

/**
 * Guesses that count what is on wires: which receive a message takes, and which completion is its own. Events of the calls that messages are have these partners within
 * the call (`joinMessages`), and queues do the counting.
 */
export function carriedGuesses(instructions: InstructionSet): readonly string[] {
  const before = known.get(instructions);
  if (before !== undefined) return before;
  const { guesses, terms, labels } = instructions;
  const isLabel = new Set(labels.map(({ name }) => name));
  const atWires = labelsAtWires(instructions.operations);
  const labelsOf = (id: TermId): readonly string[] => {
    const term = terms[id];
    if (term.op === 'base') return isLabel.has(term.name) ? [term.name] : [];
    return hasOperands(term) ? operandsOf(term).flatMap(labelsOf) : [];
  };
  const made = guesses.flatMap((guess) => {
    if (guess.how !== 'counted') return [];
    const about = [guess.from, guess.to].flatMap(labelsOf);
    return about.length > 0 && about.every((label) => atWires.has(label)) ? [guess.name] : [];
  });
  known.set(instructions, made);
  return made;
}

const known = new WeakMap<InstructionSet, readonly string[]>();

/** Guesses among events of calls, of which some stand for events of receives. */
export interface WithinCalls {
  /** What is left to decide. */
  readonly guesses: readonly Guessed[];
  /** By guess: pairs that are in it in every run. */
  readonly sure: ReadonlyMap<string, readonly (readonly [number, number])[]>;
}

export function withinCalls(
  guesses: readonly Guessed[],
  events: readonly Event[],
  instructions: InstructionSet,
): WithinCalls {
  const carried = carriedGuesses(instructions);
  if (carried.length === 0) return { guesses, sure: new Map() };
  const isOwn = (e: number): boolean => partOf(events[e]) === undefined;
  const sure = guesses.map(({ name, counted }) => {
    const pairs = counted.flatMap(({ from, to }) =>
      from.events.flatMap((a) => to.events.map((b) => [a, b] as const)),
    );
    const isWithin = ([a, b]: readonly [number, number]): boolean =>
      events[a].call === events[b].call && isOwn(a) !== isOwn(b);
    return [name, carried.includes(name) ? pairs.filter(isWithin) : []] as const;
  });
  return {
    guesses: guesses.map((guess) =>
      carried.includes(guess.name)
        ? { ...guess, counted: [], choices: [] }
        : {
            ...guess,
            classes: guess.classes.map((members) => members.filter(isOwn)),
            ranked: guess.ranked.map(({ from, to, unordered }) => ({
              from: from.filter(isOwn),
              to: to.filter(isOwn),
              unordered,
            })),
          },
    ),
    sure: new Map(sure),
  };
}
