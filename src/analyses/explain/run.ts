import type { MachineRun } from '../../rdma/machines/index.js';
import type { Machine, Move, Transition } from '../../rdma/machines/machine.js';
import type { NicStep } from '../../rdma/machines/queue-pair.js';
import type { QueuePairId, Request, MachineState } from '../../rdma/machines/state.js';
import { pendingValue } from '../../rdma/machines/state.js';
import {
  locationName,
  nameOf,
  performedInWords,
  registerStep,
  requestText,
} from '../../rdma/machines/words.js';
import { keyOf, towardsInWords } from '../../rdma/instructions.js';
import type { LocationId } from '../../program/program.js';

/**
 * A run of a machine in words, one line for each step. This tells what the program does: `describeRun` of the operational
 * engine tells every step, with all buffers. Steps that change nothing visible are left out. If a write or request enters a
 * store buffer and leaves it at once, the buffer is not mentioned.
 */
export const runInWords = (run: MachineRun): readonly string[] =>
  [...toldSteps(run)].flatMap(({ words }) => words ?? []);

/** A step of a run, as it is told. */
export interface ToldStep {
  readonly before: MachineState;
  readonly transition: Transition;
  /** How it came into a store buffer that it leaves at once. */
  readonly entered?: Transition;
  /** Undefined: it changes nothing visible, or tells what the one before has told. */
  readonly words?: string;
}

export function* toldSteps({ machine, start, steps }: MachineRun): Generator<ToldStep> {
  let before = start;
  for (let i = 0; i < steps.length; i++) {
    const { move } = steps[i];
    const direct = isDirect(machine, before, steps[i], steps[i + 1]);
    const entered = direct ? steps[i] : undefined;
    if (direct) i += 1;
    const transition = steps[i];
    const told = tellsTheSame(steps[i - 1]?.move, before, transition);
    const words = told ? undefined : inWords(machine, move, before, transition.state, direct);
    yield { before, transition, entered, words };
    before = transition.state;
  }
}

/** Does a step put what the one before it has read into a register, and nothing else? */
function tellsTheSame(
  previous: Move | undefined,
  before: MachineState,
  { move, state }: Transition,
): boolean {
  if (move.kind !== 'silent' || previous?.kind !== 'label' || previous.thread !== move.thread) {
    return false;
  }
  const old = before.threads[move.thread].registers;
  const set = state.threads[move.thread].registers.filter((value, r) => value !== old[r]);
  return set.length === 1 && set[0] === previous.found;
}

/** Does a step put something into an empty store buffer that the next one takes out of it? */
function isDirect(
  machine: Machine,
  before: MachineState,
  { move }: Transition,
  next?: Transition,
): boolean {
  if (move.kind !== 'label' || next?.move.kind !== 'debuffer') return false;
  const { kind } = move.label;
  const { thread } = move;
  return (
    (kind === 'write' || kind === 'request') &&
    machine.hardware.storeBuffers &&
    before.storeBuffers[thread].length === 0 &&
    next.move.thread === thread
  );
}

function inWords(
  machine: Machine,
  move: Move,
  before: MachineState,
  after: MachineState,
  direct: boolean,
): string | undefined {
  const { program, hardware, queuePairs } = machine;
  if (move.kind === 'nic') return nicInWords(machine, move.queuePair, move.step);
  const { name } = program.threads[move.thread];
  const place = (location: LocationId) => locationName(machine, location);
  switch (move.kind) {
    case 'silent':
      return registerStep(machine, move.thread, before, after);
    case 'debuffer': {
      const { entry } = move;
      if (entry.kind !== 'write')
        return `${requestIn(machine, entry)} leaves ${name}'s store buffer`;
      return `${name}'s store buffer writes ${place(entry.location)} = ${entry.value} to memory`;
    }
    case 'label': {
      const { label, found } = move;
      switch (label.kind) {
        case 'read': {
          const own = pendingValue(before.storeBuffers[move.thread], label.location) !== undefined;
          const where = own ? ', from its store buffer' : '';
          return `${name} reads ${place(label.location)} = ${found}${where}`;
        }
        case 'write': {
          const inMemory = direct || !hardware.storeBuffers;
          const what = `${place(label.location)} = ${label.value}`;
          return inMemory
            ? `${name} writes ${what} to memory`
            : `${name} puts ${what} into its store buffer`;
        }
        case 'update': {
          const { location, update } = label;
          const what = `${name} finds ${place(location)} = ${found}`;
          const fails = update.kind === 'cas' && found !== update.expected;
          const outcome = fails ? 'leaves it' : `makes it ${after.memory[location]}`;
          const by = update.kind === 'cas' ? 'a CAS' : nameOf(update);
          return `${what} and ${outcome}, by ${by}`;
        }
        case 'mfence':
          return `${name} passes its mfence: its store buffer is empty`;
        case 'poll':
          return `${name} polls ${towardsInWords(queuePairs[label.queuePair])}: an operation is complete`;
        case 'request': {
          const buffered = hardware.storeBuffers && !direct;
          const where = buffered ? ', which waits in its store buffer' : '';
          return `${name} issues ${requestIn(machine, label.request)}${where}`;
        }
      }
    }
  }
}

/** What the NIC does for a thread. Undefined: the step changes nothing visible. */
function nicInWords(machine: Machine, id: QueuePairId, step: NicStep): string | undefined {
  const { program, queuePairs } = machine;
  const { thread, node } = queuePairs[id];
  const { name, node: home } = program.threads[thread];
  const nic = `the NIC of ${name}`;
  const { rule, entry, found, written } = step;
  const value = 'value' in entry ? `${locationName(machine, entry.location)} = ${entry.value}` : '';
  switch (rule) {
    case 'forward':
    case 'complete':
      return undefined;
    case 'fence':
      return `${nic} passes rfence(${keyOf(queuePairs[id])})`;
    case 'read-local':
    case 'read-remote': {
      if (entry.kind !== 'put' && entry.kind !== 'get') return undefined;
      const { hidden } = program.locations[entry.from];
      const from = hidden === true ? 'its constant' : locationName(machine, entry.from);
      const where = rule === 'read-local' ? home : node;
      return `${nic} reads ${from} = ${found} in node ${where}, for ${requestIn(machine, entry)}`;
    }
    case 'perform':
      return entry.kind === 'atomic' ? performedInWords(machine, id, entry, step) : undefined;
    case 'deliver':
      return `${value} arrives at node ${node} and is acknowledged, but is not in memory yet`;
    case 'return':
      return `${value} arrives at node ${home} and is complete, but is not in memory yet`;
    case 'flush-local':
    case 'flush-remote': {
      const where = rule === 'flush-local' ? home : node;
      const what = `${locationName(machine, written!.location)} = ${written!.value}`;
      return written!.atomic
        ? `the NIC of node ${node} writes ${what} into its memory, and can perform other atomics`
        : `${nic} writes ${what} into node ${where}'s memory`;
    }
  }
}

/** `the put z^2 := x` */
function requestIn(machine: Machine, request: Request): string {
  const text = requestText(machine, request);
  return request.kind === 'rfence' ? text : `the ${request.kind} ${text}`;
}
