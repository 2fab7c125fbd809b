import type { Core } from './core.js';
import type { Missed } from './state.js';
import { isSame } from './state.js';
import type { CNode } from './tree.js';

export function missedAt({ state, frames }: Core, { startIndex: at }: CNode): Missed {
  const { steps, values, building } = state;
  return {
    ...{ at, steps, values: new Map(values), building: new Map(building) },
    frames: frames.map(({ id, function: name }) => ({ id, function: name })),
  };
}

/** Whether the poll that is at hand was missed, and all is as it was then. */
export function isMissedAgain({ state, frames }: Core, { startIndex }: CNode): boolean {
  const { missed } = state;
  if (missed?.at !== startIndex || missed.steps !== state.steps) return false;
  if (!isSame([...missed.building], [...state.building])) return false;
  if (missed.frames.length !== frames.length) return false;
  /** Calls that were left and made again: the names of their variables, as they were then. */
  const made = new Map<number, number>();
  for (const [i, { id, function: name }] of frames.entries()) {
    const before = missed.frames[i];
    if (before.function !== name) return false;
    if (before.id !== id) made.set(id, before.id);
  }
  const asBefore = (text: string): string =>
    text.replaceAll(/(?<=^|")(\d+)(?=:)/g, (id) => String(made.get(Number(id)) ?? id));
  const kept = new Set<string>();
  for (const [key, value] of state.values) {
    const before = missed.values.get(asBefore(key));
    if (before === undefined) return false;
    if (JSON.stringify(before) !== asBefore(JSON.stringify(value))) return false;
    kept.add(asBefore(key));
  }
  // What a call that was left had besides is not set in the one at hand, which does the same without it.
  const left = new Set([...made.values()].map(String));
  return [...missed.values.keys()].every(
    (key) => kept.has(key) || left.has(/^(\d+):/.exec(key)?.[1] ?? ''),
  );
}
