import type { Program } from '../../program/program.js';
import type { RunLimits } from './answer.js';
import { DEFAULT_ROOM, limitsOf, restsOn } from './answer.js';
import type { Hardware } from './hardware.js';
import { layoutOf } from './layout.js';
import { firstStuck } from './liveness.js';
import { actorsOf } from './machine.js';
import { isAtRest } from './op.js';
import { explore } from './search.js';
import { Numbers } from './store.js';

/** Which threads of a program can come to where they are stuck for ever, and which buffers were full meanwhile. */
export interface Stuck {
  /** By thread: is there a state from which it can neither pass a mark any more nor come to its end or to rest? */
  readonly threads: readonly boolean[];
  /** Is there a state from which no thread can? */
  readonly deadlock: boolean;
  /** Buffers that were full, of so many entries. */
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
  hardware: Hardware,
  limits: RunLimits,
): Stuck | { readonly reason: string } {
  const { room = DEFAULT_ROOM } = limits;
  const layout = layoutOf(program, hardware, {
    ...{ room, resting: true, always: false, waits: [], reduce: limits.reduce },
    ...{ registers: new Set<string>(), locations: new Set<number>() },
  });
  const { codes, queuePairs } = layout;
  const atRest = codes.map(() => new Numbers());
  const state = (s: Int32Array): boolean => {
    for (const [t, { ops }] of codes.entries()) atRest[t].push(Number(isAtRest(ops[s[t]])));
    return false;
  };
  const explored = explore(layout, { state }, true, limitsOf(limits));
  if (explored.incomplete !== undefined) return { reason: explored.incomplete };
  const actors = actorsOf(layout);
  const owner: number[] = [];
  for (const t of codes.keys()) owner[actors.thread(t)] = owner[actors.storeBuffer(t)] = t;
  for (const [q, { thread }] of queuePairs.entries()) {
    for (const actor of [actors.pipe(q), actors.perform(q), actors.wbR(q), actors.wbL(q)]) {
      owner[actor] = thread;
    }
  }
  const graph = explored.graph!;
  const counts = (step: number): boolean => graph.actor(step) !== actors.idle;
  const isStuck = (who: readonly number[]): boolean => {
    const stuck = firstStuck(graph, explored.states, counts, {
      state: (s) => who.every((t) => atRest[t].get(s) === 1),
      step: (step) => graph.passes(step) && who.includes(owner[graph.actor(step)]),
    });
    return stuck !== undefined;
  };
  const everybody = [...codes.keys()];
  const threads = everybody.map((t) => isStuck([t]));
  const { full } = restsOn(explored, room);
  return { threads, deadlock: isStuck(everybody), full, room };
}
