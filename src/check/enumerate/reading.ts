import type { EventStructure, ValueId } from '../../program/events/structure.js';
import { operandsOfValue } from '../../program/events/structure.js';
import type { Construction } from './partial.js';
import type { Space } from './space.js';
import type { Evaluated } from './values.js';
import { createConcreteValues } from './values.js';

/** What the values of a partial execution leave to be decided, apart from relations. */
export type Undecided =
  | { readonly kind: 'choice'; readonly choice: number }
  /** A read whose value comes from itself: it is to be guessed. */
  | { readonly kind: 'guess'; readonly read: number };

/** The values of a partial execution. */
export interface Reading {
  /** To be called when sources, choices or guesses have changed. */
  readonly forget: () => void;
  /** Does what is decided go with the path that is taken? Excludes writes that do not. */
  readonly check: () => 'contradiction' | 'changed' | 'same';
  readonly undecided: () => Undecided | undefined;
  readonly choose: (choice: number, to: number | undefined) => void;
  readonly guess: (read: number, number: number | undefined) => void;
  /** With all decided: a value, the choices, and what each read reads. */
  readonly value: (id: ValueId) => Evaluated;
  readonly choices: () => readonly number[];
  readonly numberRead: (read: number) => number;
}

export function createReading(
  structure: EventStructure,
  { events, position, reads, taken, required }: Space,
  made: Construction,
  overflow: () => void,
): Reading {
  const { values } = structure;
  const choices = new Map<number, number>();
  for (const [condition, truth] of taken) {
    const v = values[condition];
    if (v.op === 'choice') choices.set(v.choice, Number(truth));
  }
  const guesses = new Map<number, number>();
  /** A number that a read is supposed to read for a moment. */
  let supposed: { readonly read: number; readonly number: number } | undefined;
  const { evaluate, forget } = createConcreteValues(structure, {
    taken: (condition) => taken.get(condition),
    choice: (choice) => choices.get(choice),
    read(event) {
      const read = position.get(event);
      if (read === undefined) return undefined;
      const number = supposed?.read === read ? supposed.number : guesses.get(read);
      if (number !== undefined) return { number };
      const source = made.sources[read];
      return source < 0 ? undefined : { value: events[source].value! };
    },
    overflow,
  });
  const conditions = [
    ...[...taken].map(([id, truth]) => ({ id, met: (n: number) => (n !== 0) === truth })),
    ...required.map((id) => ({ id, met: (n: number) => n !== 0 })),
  ].map((condition) => ({ ...condition, reads: readsOf(condition.id) }));
  const written = events.flatMap((e) => (e.value === undefined ? [] : [e.value]));
  const registers = structure.registers.flat();
  const numbers = [...written, ...registers];

  return {
    forget,
    check() {
      let changed = false;
      for (const { id, met, reads } of conditions) {
        const outcome = evaluate(id);
        if (isFalse(outcome, met)) return 'contradiction';
        if (outcome !== 'unknown') continue;
        for (const { read, sources } of reads) {
          if (made.sources[read] >= 0) continue;
          for (const write of sources) {
            if (!made.canRead(read, write)) continue;
            const number = evaluate(events[write].value!);
            if (typeof number !== 'number') continue;
            if (!refuted(read, number, id, met)) continue;
            made.excludeSource(read, write);
            changed = true;
          }
        }
      }
      if (changed) return 'changed';
      for (const id of numbers) if (evaluate(id) === 'undefined') return 'contradiction';
      for (const [read, number] of guesses) {
        const value = evaluate(events[made.sources[read]].value!);
        if (typeof value === 'number' && value !== number) return 'contradiction';
      }
      return 'same';
    },
    undecided() {
      const complete = reads.every(({ read }) => made.sources[read] >= 0);
      const asked = [...conditions.map(({ id }) => id), ...written, ...(complete ? registers : [])];
      for (const id of asked) {
        const outcome = evaluate(id);
        if (typeof outcome === 'object') return { kind: 'choice', choice: outcome.choice };
      }
      if (!complete) return undefined;
      const unknown = reads.find(({ read }) => numberRead(read) === undefined);
      return unknown && { kind: 'guess', read: unknown.read };
    },
    choose: (choice, to) => (to === undefined ? choices.delete(choice) : choices.set(choice, to)),
    guess: (read, number) =>
      number === undefined ? guesses.delete(read) : guesses.set(read, number),
    value: evaluate,
    choices: () => Array.from({ length: structure.choices }, (_, i) => choices.get(i) ?? 0),
    numberRead: (read) => numberRead(read)!,
  };

  /** Does a condition fail if a read reads a number? */
  function refuted(read: number, number: number, id: ValueId, met: Condition): boolean {
    supposed = { read, number };
    forget();
    const failed = isFalse(evaluate(id), met);
    supposed = undefined;
    forget();
    return failed;
  }

  function numberRead(read: number): number | undefined {
    const value = guesses.get(read) ?? evaluate(events[made.sources[read]].value!);
    return typeof value === 'number' ? value : undefined;
  }

  /** The reads that a value can depend on within its thread. */
  function readsOf(id: number): Space['reads'] {
    const seen = new Set<number>();
    const visit = (id: number): void => {
      if (seen.has(id)) return;
      seen.add(id);
      operandsOfValue(values[id]).forEach(visit);
    };
    visit(id);
    const found = [...seen].map((value) => {
      const v = values[value];
      return v.op === 'read' ? position.get(v.event) : undefined;
    });
    return reads.filter(({ read }) => found.includes(read));
  }
}

type Condition = (n: number) => boolean;

const isFalse = (outcome: Evaluated, met: Condition): boolean =>
  outcome === 'undefined' || (typeof outcome === 'number' && !met(outcome));
