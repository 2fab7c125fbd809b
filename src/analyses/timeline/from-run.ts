import { keyOf } from '../../rdma/instructions.js';
import type { MachineRun } from '../../rdma/machines/index.js';
import type { Machine, Transition } from '../../rdma/machines/machine.js';
import type { NicStep } from '../../rdma/machines/queue-pair.js';
import type { MachineState, QueuePairId, Request, Write } from '../../rdma/machines/state.js';
import { pendingValue } from '../../rdma/machines/state.js';
import { locationName, nameOf, requestText } from '../../rdma/machines/words.js';
import type { ThreadLabel } from '../../rdma/machines/thread.js';
import { remoteNameOf } from '../../rdma/instructions.js';
import type { ToldStep } from '../explain/run.js';
import { toldSteps } from '../explain/run.js';
import { operandsOf } from '../../rdma/update.js';
import type { Where } from './draft.js';
import { TimelineDraft } from './draft.js';
import type { Timeline } from './timeline.js';

/** A remote operation on its way. */
interface Operation {
  readonly thread: number;
  readonly brief: string;
  /** The step that posts it, and the last one that carried it on. */
  begun: number;
  last: number;
}

/** An entry of a buffer of writes. */
interface Pending {
  readonly step: number;
  readonly operation?: Operation;
}

/**
 * A run of a machine in space and time. The machine has one buffer a queue pair before those of writes; what each of its entries belongs to is
 * followed along.
 */
export function timelineOfRun(run: MachineRun): Timeline {
  const drawing = new RunDrawing(run.machine);
  for (const step of toldSteps(run)) drawing.add(step);
  return drawing.draft.done();
}

class RunDrawing {
  readonly draft: TimelineDraft;
  /** By thread and by queue pair: what the entries of their buffers are, in the same order. */
  private readonly stores: (Operation | Pending)[][];
  private readonly pipes: Operation[][];
  private readonly remote: Pending[][];
  private readonly local: Pending[][];
  private readonly completions: Operation[][];
  /** How many steps were told so far. */
  private told = 0;

  constructor(private readonly machine: Machine) {
    const { program, queuePairs } = machine;
    this.draft = new TimelineDraft(program);
    this.stores = program.threads.map(() => []);
    const buffers = <T>(): T[][] => queuePairs.map(() => []);
    this.pipes = buffers();
    this.remote = buffers();
    this.local = buffers();
    this.completions = buffers();
  }

  add({ before, transition, entered, words }: ToldStep): void {
    const { move } = transition;
    if (words !== undefined) this.told += 1;
    this.draft.number = words === undefined ? undefined : this.told;
    switch (move.kind) {
      case 'silent':
        if (words === undefined) return;
        this.draft.step({
          at: this.draft.thread(move.thread),
          brief: words.slice(words.indexOf(' sets ') + ' sets '.length),
          text: words,
        });
        return;
      case 'label':
        return this.label(move.thread, move.label, before, transition, words ?? '');
      case 'debuffer': {
        const { entry, thread } = move;
        // What passes a store buffer at once has one step.
        const direct = entered !== undefined;
        const held = direct ? undefined : this.stores[thread].shift();
        return entry.kind === 'write'
          ? this.stored(thread, entry, held, words ?? '')
          : this.posted(thread, entry, held as Operation | undefined, words ?? '');
      }
      case 'nic':
        return this.nic(move.queuePair, move.step, before, words);
    }
  }

  private label(
    thread: number,
    label: ThreadLabel,
    before: MachineState,
    transition: Transition,
    text: string,
  ): void {
    const { draft, machine } = this;
    const at = draft.thread(thread);
    switch (label.kind) {
      case 'read': {
        const what = this.value(label.location, foundBy(transition));
        const own = pendingValue(before.storeBuffers[thread], label.location) !== undefined;
        const from = own ? undefined : this.memory(label.location);
        const done = draft.step({ at, from, brief: `reads ${what}`, text });
        if (!own) this.access('read', thread, label.location, what, done, done);
        return;
      }
      case 'write': {
        const what = this.value(label.location, label.value);
        if (!machine.hardware.storeBuffers) {
          return this.stored(thread, label, undefined, text);
        }
        const step = draft.step({ at, brief: what, text });
        this.stores[thread].push({ step });
        return;
      }
      case 'update':
        return this.updated(thread, label, transition, text);
      case 'mfence':
        draft.step({ at, brief: 'mfence', text });
        return;
      case 'poll': {
        const { queuePair } = label;
        const polled = this.completions[queuePair].shift();
        const brief = `poll(${keyOf(machine.queuePairs[queuePair])})`;
        const step = draft.step({ at, brief, text });
        draft.way(polled?.last, step, 'completion');
        return;
      }
      case 'request': {
        if (!machine.hardware.storeBuffers) {
          return this.posted(thread, label.request, undefined, text);
        }
        const brief = this.request(label.request);
        const step = draft.step({ at, brief, text });
        this.stores[thread].push({ thread, brief, begun: step, last: step });
        return;
      }
    }
  }

  /** An atomic of the CPU. */
  private updated(
    thread: number,
    { location, update }: Extract<ThreadLabel, { kind: 'update' }>,
    transition: Transition,
    text: string,
  ): void {
    const found = foundBy(transition);
    const after = this.value(location, transition.state.memory[location]);
    const done = this.draft.step({
      at: this.draft.thread(thread),
      from: this.memory(location),
      both: true,
      brief: `${nameOf(update)}: ${found} → ${after}`,
      text,
    });
    this.access('read', thread, location, this.value(location, found), done, done);
    this.access('write', thread, location, after, done, done);
  }

  /** A write of a thread reaches memory. */
  private stored(
    thread: number,
    { location, value }: Pick<Write, 'location' | 'value'>,
    held: Operation | Pending | undefined,
    text: string,
  ): void {
    const { draft } = this;
    const at = draft.thread(thread);
    const what = this.value(location, value);
    const done = draft.step({ at: this.memory(location), from: at, brief: what, text });
    const begun = held !== undefined && 'step' in held ? held.step : done;
    if (begun < done) draft.wait(at, begun, done, what);
    this.access('write', thread, location, what, begun, done);
  }

  /** A request leaves its thread for the card. */
  private posted(
    thread: number,
    request: Request,
    held: Operation | undefined,
    text: string,
  ): void {
    const { draft } = this;
    const from = draft.thread(thread);
    const brief = this.request(request);
    const step = draft.step({ at: this.card(from.node), from, brief, text });
    if (held !== undefined) draft.wait(from, held.begun, step, brief);
    const operation = { thread, brief, begun: held?.begun ?? step, last: step };
    this.pipes[request.queuePair].push(operation);
  }

  private nic(id: QueuePairId, step: NicStep, before: MachineState, words?: string): void {
    const { draft, machine } = this;
    const { thread, node } = machine.queuePairs[id];
    const home = this.card(machine.program.threads[thread].node);
    const { rule, entry } = step;
    const [pipe] = before.queuePairs[id].stages;
    // Tidying makes states anew. Of equal entries, the oldest moves first, or it makes no difference.
    const moved = JSON.stringify(entry);
    const index = pipe.findIndex((one) => JSON.stringify(one) === moved);
    const operation = this.pipes[id][index];
    const text = words ?? '';
    switch (rule) {
      case 'forward':
        return;
      case 'fence': {
        this.pipes[id].splice(index, 1);
        const at = draft.step({ at: home, brief: operation.brief, text });
        draft.way(operation.last, at);
        return;
      }
      case 'read-local':
        return this.nicReads(operation, home, step, text);
      case 'read-remote':
        return this.nicReads(operation, this.card(node), step, text);
      case 'perform':
        return this.performed(id, operation, step, before, text);
      case 'deliver':
        this.remote[id].push({
          step: this.arrived(operation, this.card(node), step, text),
          operation,
        });
        return;
      case 'complete':
        this.completions[id].push(operation);
        this.pipes[id].splice(index, 1);
        return;
      case 'return': {
        const at = this.arrived(operation, home, step, text);
        this.completions[id].push(operation);
        this.pipes[id].splice(index, 1);
        this.local[id].push({ step: at, operation });
        return;
      }
      case 'flush-local':
        return this.flushed(this.local[id].shift()!, thread, home, step, text);
      case 'flush-remote':
        return this.flushed(this.remote[id].shift()!, thread, this.card(node), step, text);
    }
  }

  /** The NIC reads what an operation transfers. */
  private nicReads(operation: Operation, at: Where, { entry, found }: NicStep, text: string): void {
    const { locations } = this.machine.program;
    if (!('from' in entry) || locations[entry.from].hidden === true) return;
    const what = this.value(entry.from, found);
    const from = this.memory(entry.from);
    const read = this.draft.step({ at, from, brief: `reads ${what}`, text });
    this.carryOn(operation, read);
    this.access('read', operation.thread, entry.from, what, operation.begun, read);
  }

  /** The NIC performs a remote atomic. What it writes may wait in a buffer. */
  private performed(
    id: QueuePairId,
    operation: Operation,
    { entry, found, writes, after }: NicStep,
    before: MachineState,
    text: string,
  ): void {
    if (entry.kind !== 'atomic') return;
    const { location, update } = entry;
    const { thread, begun } = operation;
    const at = this.card(this.machine.queuePairs[id].node);
    const operands = [locationName(this.machine, location), ...operandsOf(update)].join(', ');
    const brief = `${remoteNameOf(update.kind)}(${operands}) finds ${found}`;
    const done = this.draft.step({ at, from: this.memory(location), brief, text });
    this.carryOn(operation, done);
    this.access('read', thread, location, this.value(location, found), begun, done);
    if (writes === undefined) return;
    if (after.wbR.length > before.queuePairs[id].wbR.length) {
      this.remote[id].push({ step: done, operation });
    } else this.access('write', thread, location, this.value(location, writes), begun, done);
  }

  /** A value arrives at a card; gives the step. */
  private arrived(operation: Operation, at: Where, { entry }: NicStep, text: string): number {
    const what = 'value' in entry ? this.value(entry.location, entry.value) : '';
    const step = this.draft.step({ at, brief: `${what} arrives`, text });
    this.carryOn(operation, step);
    return step;
  }

  /** What waited at a card comes to memory. */
  private flushed(
    pending: Pending,
    thread: number,
    from: Where,
    { written }: NicStep,
    text: string,
  ): void {
    const { draft } = this;
    const { location, value } = written!;
    const what = this.value(location, value);
    const at = draft.step({ at: this.memory(location), from, brief: what, text });
    draft.wait(from, pending.step, at, what);
    if (at === pending.step + 1) draft.way(pending.step, at);
    this.access('write', thread, location, what, pending.operation!.begun, at);
  }

  /** A step takes an operation further on its way. */
  private carryOn(operation: Operation, step: number): void {
    this.draft.way(operation.last, step);
    operation.last = step;
  }

  private access(
    kind: 'read' | 'write',
    thread: number,
    location: number,
    what: string,
    begun: number,
    done: number,
  ): void {
    const place = locationName(this.machine, location);
    this.draft.access({ kind, place, what, thread, begun, done });
  }

  private readonly card = (node: string) => this.draft.at('nic', node);
  private readonly memory = (location: number) =>
    this.draft.at('memory', this.machine.program.locations[location].node);
  private readonly value = (location: number, value: number | undefined): string =>
    `${locationName(this.machine, location)} = ${value}`;
  private readonly request = (request: Request): string => requestText(this.machine, request);
}

/** The value that a step of a thread finds in memory. */
const foundBy = ({ move }: Transition): number | undefined =>
  move.kind === 'label' ? move.found : undefined;
