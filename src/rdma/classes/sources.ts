import type { Letter } from './alphabet.js';
import { isPlace } from './alphabet.js';
import type { Draft } from './draft.js';
import { initialValues } from './values.js';

/** A draft whose values tell where they are from, and what each of them is in the draft that it was made of. */
export interface Told {
  readonly draft: Draft;
  /** By the name of a register or location, and a value there: the value in the other draft. Undefined: it cannot be there. */
  readonly before: (name: string, value: string) => string | undefined;
}

/**
 * Gives each place and number of a draft a value by which it is told: what is 0 at the start, and what is a copied 0, are two values then.
 * Undefined: sums are made of values.
 */
export function withOwnValues(draft: Draft, letters: readonly Letter[]): Told | undefined {
  const calls = draft.threads.flatMap((thread) => thread.calls);
  const placed = calls.map((call) => {
    const at = letters[call.letter].slots.filter(isPlace);
    return {
      call,
      read: call.places.filter((_, i) => at[i].reads),
      written: call.places.filter((_, i) => at[i].writes),
      adds: at.some(({ reads, writes }) => reads && writes),
    };
  });
  if (placed.some(({ adds }) => adds)) return undefined;
  const { initial, numbers } = initialValues(draft, letters);
  let next = 0;
  const threads = draft.threads.map((thread) => ({
    ...thread,
    calls: thread.calls.map((call) => ({
      ...call,
      numbers: call.numbers.map(() => numbers[next++]),
    })),
  }));
  const locations = draft.locations.map((one, i) => ({ ...one, initial: initial[i] }));
  // By location: the values that can get there, and what they were.
  const values = locations.map(() => new Map<string, string>());
  const spread = (own: number, before: number, from: readonly number[]): void => {
    const reached = new Set(from);
    for (const one of reached) {
      values[one].set(`${own}`, `${before}`);
      for (const { read, written } of placed) {
        if (read.includes(one)) for (const to of written) reached.add(to);
      }
    }
  };
  for (const [i, { initial: before }] of draft.locations.entries()) spread(initial[i], before, [i]);
  next = 0;
  for (const { call, written } of placed) {
    for (const before of call.numbers) spread(numbers[next++], before, written);
  }
  const at = (name: string): number => {
    const location = locations.findIndex((one) => one.name === name);
    if (location >= 0) return location;
    return placed.find(({ call }) => call.register === name)?.read[0] ?? -1;
  };
  return {
    draft: { ...draft, threads, locations },
    before: (name, value) => values[at(name)]?.get(value),
  };
}
