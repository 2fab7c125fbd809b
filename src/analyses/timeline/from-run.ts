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
    { move, state }: Transition,
    text: string,
  ): void {
    const { draft, machine } = this;
    const at = draft.thread(thread);
    const found = move.kind === 'label' ? move.found : undefined;
    switch (label.kind) {
      case 'read': {
        const what = this.value(label.location, found);
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
      case 'update': {
        const { location, update } = label;
        const after = this.value(location, state.memory[location]);
        const done = draft.step({
          at,
          from: this.memory(location),
          both: true,
          brief: `${nameOf(update)}: ${found} → ${after}`,
          text,
        });
        this.access('read', thread, location, this.value(location, found), done, done);
        this.access('write', thread, location, after, done, done);
        return;
      }
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
    const home = machine.program.threads[thread].node;
    const { rule, entry, found, written } = step;
    const [pipe] = before.queuePairs[id].stages;
    // Tidying makes states anew. Of equal entries, the oldest moves first, or it makes no difference.
    const moved = JSON.stringify(entry);
    const index = pipe.findIndex((one) => JSON.stringify(one) === moved);
    const operation = this.pipes[id][index];
    const carriedOn = (to: number): void => {
      draft.way(operation.last, to);
      operation.last = to;
    };
    const text = words ?? '';
    switch (rule) {
      case 'forward':
        return;
      case 'fence': {
        this.pipes[id].splice(index, 1);
        const at = draft.step({ at: this.card(home), brief: operation.brief, text });
        draft.way(operation.last, at);
        return;
      }
      case 'read-local':
      case 'read-remote': {
        if (!('from' in entry) || machine.program.locations[entry.from].hidden === true) return;
        const what = this.value(entry.from, found);
        const at = this.card(rule === 'read-local' ? home : node);
        const read = draft.step({
          at,
          from: this.memory(entry.from),
          brief: `reads ${what}`,
          text,
        });
        carriedOn(read);
        this.access('read', thread, entry.from, what, operation.begun, read);
        return;
      }
      case 'perform': {
        if (entry.kind !== 'atomic') return;
        const { location, update } = entry;
        const operands = [locationName(machine, location), ...operandsOf(update)].join(', ');
        const brief = `${remoteNameOf(update.kind)}(${operands}) finds ${found}`;
        const at = draft.step({ at: this.card(node), from: this.memory(location), brief, text });
        carriedOn(at);
        this.access('read', thread, location, this.value(location, found), operation.begun, at);
        if (step.writes === undefined) return;
        if (step.after.wbR.length > before.queuePairs[id].wbR.length) {
          this.remote[id].push({ step: at, operation });
        } else
          this.access(
            'write',
            thread,
            location,
            this.value(location, step.writes),
            operation.begun,
            at,
          );
        return;
      }
      case 'deliver': {
        const what = 'value' in entry ? this.value(entry.location, entry.value) : '';
        const at = draft.step({ at: this.card(node), brief: `${what} arrives`, text });
        carriedOn(at);
        this.remote[id].push({ step: at, operation });
        return;
      }
      case 'complete':
        this.completions[id].push(operation);
        this.pipes[id].splice(index, 1);
        return;
      case 'return': {
        const what = 'value' in entry ? this.value(entry.location, entry.value) : '';
        const at = draft.step({ at: this.card(home), brief: `${what} arrives`, text });
        carriedOn(at);
        this.completions[id].push(operation);
        this.pipes[id].splice(index, 1);
        this.local[id].push({ step: at, operation });
        return;
      }
      case 'flush-local':
      case 'flush-remote': {
        const pending = (rule === 'flush-local' ? this.local : this.remote)[id].shift()!;
        const { location, value } = written!;
        const what = this.value(location, value);
        const from = this.card(rule === 'flush-local' ? home : node);
        const at = draft.step({ at: this.memory(location), from, brief: what, text });
        draft.wait(from, pending.step, at, what);
        if (at === pending.step + 1) draft.way(pending.step, at);
        this.access('write', thread, location, what, pending.operation!.begun, at);
        return;
      }
    }
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
