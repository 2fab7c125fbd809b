import type { Machine, TakenStep } from '../machine/machine.js';

/** A step that a machine has taken, with all that came of it at once. */
export interface TakenMove {
  readonly told: readonly TakenStep[];
  /** The state after it. */
  readonly state: Int32Array;
}

/** The first state of a machine, and what is done before it; undefined if it has none. */
export const firstMove = (machine: Machine): TakenMove | undefined =>
  machine.listen((told) =>
    machine.reset() ? { told: [...told], state: Int32Array.from(machine.s) } : undefined,
  );

/** All that a machine can do in a state. */
export const movesIn = (machine: Machine, state: Int32Array): readonly TakenMove[] =>
  machine.listen((told) => {
    const moves: TakenMove[] = [];
    machine.successors(state, () =>
      moves.push({ told: [...told], state: Int32Array.from(machine.s) }),
    );
    return moves;
  });

/** How many steps are tried. Few are in vain: only those after which a thread may go on in another way, unseen so far. */
const MOST = 20_000;

/**
 * The steps with which a machine does what was done in a run, of it or of a machine that does more at once or less. It may have several that do the same, and go on in different
 * ways: those are taken with which it can go on to the end.
 *
 * @param isEnd whether a state may be the last one
 * @returns undefined where there are none
 */
export function retraced(
  machine: Machine,
  start: Int32Array,
  steps: readonly TakenStep[],
  isEnd: (state: Int32Array) => boolean,
): readonly TakenMove[] | undefined {
  const wanted = essenceOf(steps);
  const open: Reached[] = [{ at: 0, state: start }];
  for (let left = MOST; left > 0; left--) {
    const here = open.pop();
    if (here === undefined) return undefined;
    if (here.at === wanted.length && isEnd(here.state)) return wayTo(here);
    const next = movesIn(machine, here.state).flatMap((move): Reached[] => {
      const own = essenceOf(move.told);
      const fits = own.every((step, i) => step === wanted[here.at + i]);
      return fits ? [{ at: here.at + own.length, state: move.state, move, before: here }] : [];
    });
    // What does more is tried first.
    open.push(...next.sort((a, b) => a.at - b.at));
  }
  return undefined;
}

/** A state, how much of a run is behind it, and the step that has led there. */
interface Reached {
  readonly at: number;
  readonly state: Int32Array;
  readonly move?: TakenMove;
  readonly before?: Reached;
}

function wayTo(last: Reached): readonly TakenMove[] {
  const way: TakenMove[] = [];
  for (let r: Reached | undefined = last; r !== undefined; r = r.before) {
    if (r.move !== undefined) way.push(r.move);
  }
  return way.reverse();
}

/** What is done, step by step, whatever else there is in the state: calls are told by their events, not by their places. */
const essenceOf = (told: readonly TakenStep[]): readonly string[] =>
  told.filter(({ kind }) => kind !== 'forget').map((step) => JSON.stringify(essence(step)));

/** The same as one text. */
export const signatureOf = (told: readonly TakenStep[]): string => essenceOf(told).join();

function essence(step: TakenStep): unknown {
  switch (step.kind) {
    case 'forget':
      return undefined;
    case 'begin':
      return [step.thread, step.place, step.given];
    case 'event': {
      const { thread, event, isIssue, reads, value, writes } = step;
      return [thread, event.label, event.id, event.location, isIssue, reads, value, writes];
    }
    case 'set':
      return [step.thread, step.cell, step.value];
    case 'assertion':
      return [step.thread];
    case 'pass':
    case 'leave':
      return [step.thread, step.kind, step.mark];
  }
}
