import type { MachineRun } from '../../rdma/machines/index.js';
import type { Machine, Transition } from '../../rdma/machines/machine.js';
import { stepsOf } from '../../rdma/machines/machine.js';
import type { MachineState } from '../../rdma/machines/state.js';
import { keyOf } from '../../rdma/machines/state.js';

/**
 * A run of the same steps to the same state, in an order that is easier to follow. Steps of one thread and its NIC come together as far as
 * possible, and steps of store buffers as early as possible. Two neighbours change places only if the machine can take them in
 * either order, and gets to the same state. So both runs are the same trace (Mazurkiewicz, Trace theory, 1987).
 */
export function equivalentRun({ machine, start, steps }: MachineRun): MachineRun {
  const tidy: Transition[] = [];
  for (const step of steps) {
    const isBuffer = step.move.kind === 'debuffer';
    const owner = ownerOf(machine, step);
    const home = tidy.findLastIndex((other) => ownerOf(machine, other) === owner) + 1;
    tidy.push(step);
    const moved = movedBack(machine, start, tidy, isBuffer ? 0 : home);
    const { length } = moved;
    if (isBuffer || length === tidy.length - home)
      tidy.splice(tidy.length - length, length, ...moved);
  }
  return { machine, start, steps: tidy };
}

function ownerOf({ queuePairs }: Machine, { move }: Transition): number {
  return move.kind === 'nic' ? queuePairs[move.queuePair].thread : move.thread;
}

/** The last step moved back as far as possible, but not before `to`: this step, and then those that it has moved past. */
function movedBack(
  machine: Machine,
  start: MachineState,
  steps: readonly Transition[],
  to: number,
): readonly Transition[] {
  const passed: Transition[] = [];
  let last = steps[steps.length - 1];
  for (let at = steps.length - 2; at >= to; at--) {
    const before = at === 0 ? start : steps[at - 1].state;
    const swapped = swap(machine, before, steps[at], last);
    if (swapped === undefined) break;
    last = swapped[0];
    passed.unshift(swapped[1]);
  }
  return [last, ...passed];
}

/** Two steps in the other order, if this leads to the same state. */
function swap(
  machine: Machine,
  before: MachineState,
  first: Transition,
  second: Transition,
): readonly [Transition, Transition] | undefined {
  const a = stepLike(machine, before, second);
  const b = a && stepLike(machine, a.state, first);
  return b !== undefined && keyOf(b.state) === keyOf(second.state) ? [a!, b] : undefined;
}

function stepLike(
  machine: Machine,
  state: MachineState,
  wanted: Transition,
): Transition | undefined {
  const like = signature(wanted);
  for (const step of stepsOf(machine, state)) if (signature(step) === like) return step;
  return undefined;
}

/** What a step does, whatever the rest of the state is. If there are several branches, it says which one is taken. */
function signature({ move, state }: Transition): string {
  switch (move.kind) {
    case 'debuffer':
      return JSON.stringify(move);
    case 'nic': {
      const { rule, entry, found, written } = move.step;
      return JSON.stringify([move.queuePair, rule, entry, found, written]);
    }
    case 'silent':
    case 'label':
      return JSON.stringify([move, state.threads[move.thread]]);
  }
}
