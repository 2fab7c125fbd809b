import type { LocationId } from '../../program/program.js';
import { queuePairKey, towardsInWords } from '../instructions.js';
import type { MachineRun } from './explore.js';
import { QUEUE_PAIRS } from './hardware.js';
import type { Machine, MachineMove } from './machine.js';
import type { NicStep } from './queue-pair.js';
import type { BufferEntry, Packet, QueuePairId, MachineState } from './state.js';
import { pendingValue, postedOf } from './state.js';
import { locationName, nameOf, performedInWords, registerStep, requestText } from './words.js';

/**
 * A run in words: a line for each transition, and below it the memory and the buffers after it, with the oldest
 * entry first. Transitions in which a thread only jumps are left out.
 */
export function describeRun({ machine, start, steps }: MachineRun): readonly string[] {
  const lines = ['start', ...situation(machine, start)];
  let before = start;
  for (const { move, state } of steps) {
    const words = inWords(machine, move, before, state);
    if (words !== undefined) lines.push(words, ...situation(machine, state));
    before = state;
  }
  return lines;
}

function inWords(
  machine: Machine,
  move: MachineMove,
  before: MachineState,
  after: MachineState,
): string | undefined {
  const place = (location: LocationId) => locationName(machine, location);
  if (move.kind === 'nic') {
    const { queuePair, step } = move;
    return step.entry.kind === 'atomic' && step.rule === 'perform'
      ? performedInWords(machine, queuePair, step.entry, step)
      : `${owner(machine, queuePair)} ${nic(machine, step)}`;
  }
  const { name } = machine.program.threads[move.thread];
  switch (move.kind) {
    case 'silent':
      return registerStep(machine, move.thread, before, after);
    case 'debuffer': {
      const entry = show(machine, move.entry);
      return move.entry.kind === 'write'
        ? `${name}'s store buffer writes ${entry} to memory`
        : `${name}'s store buffer hands ${entry} to the queue pair`;
    }
    case 'label': {
      const { label, found } = move;
      const buffer = machine.hardware.storeBuffers ? 'store buffer' : 'queue pair';
      switch (label.kind) {
        case 'read': {
          const own = pendingValue(before.storeBuffers[move.thread], label.location) !== undefined;
          const where = own ? ' in its store buffer' : '';
          return `${name} reads ${place(label.location)} = ${found}${where}`;
        }
        case 'write': {
          const where = machine.hardware.storeBuffers ? 'its store buffer' : 'memory';
          return `${name} writes ${place(label.location)} := ${label.value} to ${where}`;
        }
        case 'update': {
          const { location, update } = label;
          const what = `${name}'s ${nameOf(update)} finds ${place(location)} = ${found}`;
          return update.kind === 'cas' && found !== update.expected
            ? `${what}, not ${update.expected}`
            : `${what} and writes ${after.memory[location]} to memory`;
        }
        case 'mfence':
          return `${name} passes its mfence`;
        case 'poll':
          return `${name} polls a completion from ${towardsInWords(machine.queuePairs[label.queuePair])}`;
        case 'request':
          return `${name} puts ${show(machine, label.request)} into its ${buffer}`;
      }
    }
  }
}

function nic(machine: Machine, { rule, entry, found, after }: NicStep): string {
  const what = show(machine, entry);
  switch (rule) {
    case 'forward':
      return `moves ${what} on`;
    case 'fence':
      return `is done with ${what}`;
    case 'read-local':
    case 'read-remote': {
      if (!('from' in entry) || machine.program.locations[entry.from].hidden === true) {
        return `reads the constant of ${what}`;
      }
      return `reads ${locationName(machine, entry.from)} = ${found} for ${what}`;
    }
    case 'perform':
      return `performs ${what}`;
    case 'deliver':
      return `delivers ${what} to wbR and acknowledges it`;
    case 'complete':
      return postedOf(entry as Packet).unsignalled
        ? 'is done with an unsignalled put'
        : 'notifies the completion of a put';
    case 'return':
      return after.wbL.at(-1)?.kind === 'completion'
        ? `returns ${what} to wbL and notifies its completion`
        : `returns ${what} to wbL`;
    case 'flush-local':
    case 'flush-remote':
      return `writes ${what} to memory`;
  }
}

/** The memory, and each buffer that is not empty. */
function situation(machine: Machine, state: MachineState): readonly string[] {
  const { program, hardware } = machine;
  const memory = program.locations.flatMap((l, location) =>
    l.hidden === true ? [] : [`${locationName(machine, location)} = ${state.memory[location]}`],
  );
  const { stages } = QUEUE_PAIRS[hardware.queuePairs];
  const buffers: readonly (readonly [string, readonly BufferEntry[]])[] = [
    ...program.threads.map(
      ({ name }, thread) => [`${name} store buffer`, state.storeBuffers[thread]] as const,
    ),
    ...state.queuePairs.flatMap((q, id) => {
      const named = (buffer: string) => `${owner(machine, id)} ${buffer}`;
      return [
        ...stages.map((stage, s) => [named(stage), q.stages[s]] as const),
        [named('wbR'), q.wbR] as const,
        [named('wbL'), q.wbL] as const,
      ];
    }),
  ];
  return [
    ...(memory.length > 0 ? [`  memory: ${memory.join(', ')}`] : []),
    ...buffers
      .filter(([, entries]) => entries.length > 0)
      .map(([name, entries]) => `  ${name}: ${entries.map((e) => show(machine, e)).join(', ')}`),
  ];
}

/** A queue pair by its thread and where it leads: `T1->2`, `T1->2.a`. */
function owner({ program, queuePairs }: Machine, id: QueuePairId): string {
  const queuePair = queuePairs[id];
  return `${program.threads[queuePair.thread].name}->${queuePairKey(queuePair)}`;
}

/** An entry as the papers write it. */
function show(machine: Machine, entry: BufferEntry): string {
  const place = (location: LocationId) => locationName(machine, location);
  switch (entry.kind) {
    case 'write':
    case 'sent':
    case 'fetched':
    case 'held': {
      const write = `${place(entry.location)} := ${entry.value}`;
      if (entry.kind === 'held') return `${write} (held)`;
      return entry.kind === 'write' && entry.atomic ? `${write} (atomic)` : write;
    }
    case 'atomic':
    case 'put':
    case 'get':
    case 'rfence':
    case 'words':
      return requestText(machine, entry);
    case 'ack':
      return 'ack';
    case 'completion':
      return 'cn';
  }
}
