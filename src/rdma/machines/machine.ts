import type { Towards } from '../instructions.js';
import { queuePairKey } from '../instructions.js';
import { DEFAULT_BOUND } from '../../program/events/unroll.js';
import type { LocationId, Program, Subject } from '../../program/program.js';
import type { Code } from './code.js';
import { compile } from './code.js';
import type { Hardware } from './hardware.js';
import { QUEUE_PAIRS } from './hardware.js';
import type { NicStep, Surroundings } from './queue-pair.js';
import { polled, withRequest } from './queue-pair.js';
import { plainViewsOf } from './requests.js';
import type { QueuePairId, Request, MachineState, Words, Write } from './state.js';
import { hasWrite, pendingValue } from './state.js';
import type { ThreadLabel, Offer, Stop } from './thread.js';
import { OVERFLOW, offerOf, threadStart } from './thread.js';
import { INEXACT, updated } from '../update.js';

/** A program and the hardware that it runs on. */
export interface Machine {
  readonly program: Program;
  readonly hardware: Hardware;
  /** By thread. */
  readonly codes: readonly Code[];
  readonly queuePairs: readonly ({ readonly thread: number } & Towards)[];
}

/** One transition: what moved, and the state after it. */
export interface Transition {
  readonly move: MachineMove;
  readonly state: MachineState;
}

export type MachineMove =
  /** A thread computes; `choices`: how many ways it could go on. */
  | { readonly kind: 'silent'; readonly thread: number; readonly choices: number }
  /** A thread and the hardware take a labelled step; `found`: what a read or an atomic found. */
  | {
      readonly kind: 'label';
      readonly thread: number;
      readonly label: ThreadLabel;
      readonly found?: number;
    }
  /** A store buffer's oldest entry leaves it: a write to memory, a request to its queue pair. */
  | { readonly kind: 'debuffer'; readonly thread: number; readonly entry: Write | Request | Words }
  | { readonly kind: 'nic'; readonly queuePair: QueuePairId; readonly step: NicStep };

export function createMachine(program: Program, hardware: Hardware, bound?: number): Machine {
  const queuePairs: ({ readonly thread: number } & Towards)[] = [];
  const codes = program.threads.map((t, thread) => {
    const towards = new Map<string, QueuePairId>();
    for (const i of plainViewsOf(t.body)) {
      if (!('node' in i) || towards.has(queuePairKey(i))) continue;
      const { node, queuePair } = i;
      towards.set(queuePairKey(i), queuePairs.push({ thread, node, queuePair }) - 1);
    }
    return compile(
      t,
      (to) => towards.get(queuePairKey(to))!,
      bound ?? program.bound ?? DEFAULT_BOUND,
    );
  });
  return { program, hardware, codes, queuePairs };
}

/** Initial values in memory, and nothing in any buffer. */
export function startOf({ program, hardware, codes, queuePairs }: Machine): MachineState {
  const stages = QUEUE_PAIRS[hardware.queuePairs].stages.map(() => []);
  return {
    threads: codes.map(threadStart),
    memory: program.locations.map((l) => l.initial),
    storeBuffers: codes.map(() => []),
    queuePairs: queuePairs.map(() => ({ stages, wbR: [], wbL: [] })),
  };
}

/** Why the runs through a state are not followed any further; undefined if they are. */
export function stopOf({ codes }: Machine, { threads, memory }: MachineState): Stop | undefined {
  if (memory.includes(INEXACT)) return OVERFLOW;
  for (const [thread, code] of codes.entries()) {
    const offer = offerOf(code, threads[thread]);
    if (offer.kind === 'stop') return offer.stop;
  }
  return undefined;
}

/** Has every thread finished, and has every write reached the memory? Completions may be left. */
export function isFinal({ codes }: Machine, state: MachineState): boolean {
  return (
    state.threads.every(({ at }, thread) => at === codes[thread].ops.length) &&
    state.storeBuffers.every((buffer) => buffer.length === 0) &&
    state.queuePairs.every(
      ({ stages, wbR, wbL }) =>
        stages.every((stage) => stage.length === 0) && wbR.length === 0 && !hasWrite(wbL),
    )
  );
}

/** The value of a subject in a final state. */
export function finalValue({ memory, threads }: MachineState, subject: Subject): number {
  return subject.kind === 'location'
    ? memory[subject.location]
    : threads[subject.thread].registers[subject.register];
}

/** All transitions from a state (TSO paper, Fig. 8): of threads, store buffers and queue pairs. */
export function* stepsOf(machine: Machine, state: MachineState): Generator<Transition> {
  const { codes, hardware } = machine;
  for (const [thread, code] of codes.entries()) {
    yield* threadSteps(machine, state, thread, offerOf(code, state.threads[thread]));
  }
  for (const thread of codes.keys()) yield* debuffer(state, thread);
  const { rules } = QUEUE_PAIRS[hardware.queuePairs];
  const surroundings = surroundingsIn(machine, state);
  for (const [queuePair, before] of state.queuePairs.entries()) {
    for (const step of rules(before, surroundings)) {
      const { written, after } = step;
      const memory =
        written === undefined ? state.memory : state.memory.with(written.location, written.value);
      const queuePairs = state.queuePairs.with(queuePair, after);
      yield { move: { kind: 'nic', queuePair, step }, state: { ...state, memory, queuePairs } };
    }
  }
}

function surroundingsIn({ program, hardware }: Machine, state: MachineState): Surroundings {
  const { memory, queuePairs } = state;
  const { pcie, atomics, relaxed, placed = false, unordered = false } = hardware;
  const isRelaxed = ({ location }: Write): boolean => {
    const { tags = [] } = program.locations[location];
    return relaxed === 'if relaxed' ? tags.includes('relaxed') : !tags.includes('strict');
  };
  const mayPass = (later: Write, older: Write): boolean =>
    unordered ||
    (relaxed !== undefined && (isRelaxed(later) || (relaxed === 'either' && isRelaxed(older))));
  const unitOf = (l: LocationId) => (atomics === 'loclock' ? l : program.locations[l].node);
  const isBusy = (location: LocationId): boolean =>
    queuePairs.some(({ wbR }) =>
      wbR.some((e) => e.atomic && unitOf(e.location) === unitOf(location)),
    );
  return { memory, pcie, atomics, mayPass, placed, unordered, isBusy };
}

function* threadSteps(
  machine: Machine,
  state: MachineState,
  thread: number,
  offer: Offer,
): Generator<Transition> {
  if (offer.kind === 'silent') {
    const move: MachineMove = { kind: 'silent', thread, choices: offer.next.length };
    for (const next of offer.next) {
      yield { move, state: { ...state, threads: state.threads.with(thread, next) } };
    }
  }
  if (offer.kind !== 'label') return;
  const { label } = offer;
  const done = perform(machine.hardware, state, thread, label);
  if (done === undefined) return;
  const { found, ...rest } = done;
  const move = { kind: 'label', thread, label, found } as const;
  const threads = state.threads.with(thread, offer.next(found));
  yield { move, state: { ...state, ...rest, threads } };
}

/**
 * What the hardware does for a label of a thread (TSO paper, Figs. 7 and 20): the parts of the
 * state that change, and what was found. Undefined: the thread has to wait.
 */
function perform(
  { storeBuffers: buffered, unordered }: Hardware,
  state: MachineState,
  thread: number,
  label: ThreadLabel,
): (Partial<MachineState> & { readonly found?: number }) | undefined {
  const { memory, storeBuffers, queuePairs } = state;
  const own = storeBuffers[thread];
  const pushed = (entry: Write | Request | Words) => ({
    storeBuffers: storeBuffers.with(thread, [...own, entry]),
  });
  switch (label.kind) {
    case 'read':
      return { found: pendingValue(own, label.location) ?? memory[label.location] };
    case 'write': {
      const { location, value } = label;
      if (buffered) return pushed({ kind: 'write', location, value });
      return { memory: memory.with(location, value) };
    }
    case 'update': {
      if (own.length > 0) return undefined;
      const { location, update } = label;
      const found = memory[location];
      const value = updated(update, found);
      return value === undefined ? { found } : { memory: memory.with(location, value), found };
    }
    case 'mfence':
      return own.length > 0 ? undefined : {};
    case 'poll': {
      const after = polled(queuePairs[label.queuePair], unordered);
      return after && { queuePairs: queuePairs.with(label.queuePair, after) };
    }
    case 'request':
      return buffered ? pushed(label.request) : { queuePairs: entered(state, label.request) };
  }
}

/** A request enters its queue pair. */
const entered = (
  { queuePairs }: MachineState,
  request: Request | Words,
): MachineState['queuePairs'] =>
  queuePairs.with(request.queuePair, withRequest(queuePairs[request.queuePair], request));

function* debuffer(state: MachineState, thread: number): Generator<Transition> {
  const [entry, ...rest] = state.storeBuffers[thread];
  if (entry === undefined) return;
  const storeBuffers = state.storeBuffers.with(thread, rest);
  const effect =
    entry.kind === 'write'
      ? { memory: state.memory.with(entry.location, entry.value) }
      : { queuePairs: entered(state, entry) };
  yield { move: { kind: 'debuffer', thread, entry }, state: { ...state, ...effect, storeBuffers } };
}
