import type { Model } from '../model/term.js';
import type { Program } from '../program/program.js';
import type { RunLimits } from './answer.js';
import { DEFAULT_ROOM, limitsOf, restsOn } from './answer.js';
import { askedAlways } from './asked.js';
import { firstStuck } from './liveness.js';
import { FORESEES, machineOf, noMachineFor } from './prepare.js';
import { explore } from './search.js';
import { Numbers } from './store.js';

/** Which threads of a program can come to where they are stuck for ever, and in which lanes there was no room meanwhile. */
export interface Stuck {
  /** By thread: is there a state from which it can neither pass a mark any more nor come to its end or to rest? */
  readonly threads: readonly boolean[];
  /** Is there a state from which no thread can? */
  readonly deadlock: boolean;
  readonly full?: readonly string[];
  readonly room: number;
}

/**
 * Goes through all states, and finds out which threads can be stuck, even if others go on. Threads that rest are not
 * counted on, as for `deadlock`.
 *
 * @returns the reason where not all states could be gone through
 */
export function stuckThreads(
  program: Program,
  model: Model,
  limits: RunLimits,
): Stuck | { readonly reason: string } {
  const { room = DEFAULT_ROOM, reduces = true } = limits;
  const asked = { ...askedAlways([]), room, reduces, resting: true };
  const machine = machineOf(program, model, asked);
  if ('message' in machine) return { reason: noMachineFor(machine) };
  if (machine.foresees) return { reason: FORESEES };
  const { codes, actors } = machine;
  const atRest = codes.map(() => new Numbers());
  const state = (s: Int32Array): boolean => {
    for (const [t, numbers] of atRest.entries()) {
      numbers.push(Number(machine.isAtRest(t, machine.controlOf(s, t).place)));
    }
    return false;
  };
  const explored = explore(machine, { state }, true, limitsOf(limits));
  if (explored.incomplete !== undefined) return { reason: explored.incomplete };
  const graph = explored.graph!;
  const counts = (step: number): boolean => graph.actor(step) !== actors.idle;
  const isStuck = (who: readonly number[]): boolean => {
    const stuck = firstStuck(graph, explored.states, counts, {
      state: (s) => who.every((t) => atRest[t].get(s) === 1),
      step: (step) => graph.passes(step) && who.includes(actors.owner(graph.actor(step))),
    });
    return stuck !== undefined;
  };
  const everybody = [...codes.keys()];
  const threads = everybody.map((t) => isStuck([t]));
  const { full } = restsOn(explored, room);
  return { threads, deadlock: isStuck(everybody), ...(full !== undefined && { full }), room };
}
