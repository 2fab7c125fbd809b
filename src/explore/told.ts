import type { RunStep } from '../check/result.js';
import type { CallSite } from '../machine/calls.js';
import { partOf } from '../machine/calls.js';
import { labelsIn } from '../model/instructions/operations.js';
import type { Machine, TakenStep } from '../machine/machine.js';
import { isRead, isWrite } from '../program/events/structure.js';
import type { Event } from '../program/events/structure.js';
import type { Cell, FlowUse } from '../program/flow/graph.js';
import type { LocationId, Program } from '../program/program.js';
import { placeKey } from '../program/program.js';
import { subjectName } from '../program/subjects.js';
import { useText } from './use-text.js';

/** A call that is told of. */
interface ToldCall {
  readonly use: FlowUse;
  readonly site: CallSite;
  /** Its text, as it was posted; undefined: nothing of it goes on without its thread. */
  readonly posted?: string;
  /** The last step of it that is told, if there is one. */
  last?: number;
  /** Of an update: the step that is told for its read. */
  performed?: number;
  /** By write: the step that is told for its issue. */
  readonly issued: Map<number, number>;
}

type Of<Kind extends TakenStep['kind']> = Extract<TakenStep, { kind: Kind }>;
type Words = Pick<RunStep, 'actor' | 'brief' | 'kind'> & {
  readonly does: string;
  /** What stands between the two, where it is no blank. */
  readonly link?: string;
};
type About = Partial<Omit<RunStep, 'text' | 'brief' | 'actor' | 'lane' | 'kind'>>;

/**
 * A run as it is told: its steps with names in the place of indices, each with the step that it carries on. Who performs an event, and what operations are
 * called, the model says; what events do, they say themselves.
 *
 * @param ends whether writes that are not in memory behind the last step are of interest
 */
export function tellRun(
  machine: Machine,
  steps: readonly TakenStep[],
  ends: boolean,
): readonly RunStep[] {
  const teller = new Teller(machine);
  for (const step of steps) teller.tell(step);
  return teller.finished(ends);
}

/** A run in words, with the memory below each step that changes it. */
export function tellSteps(machine: Machine, steps: readonly TakenStep[]): readonly string[] {
  const { program } = machine.layout;
  const memory = program.locations.map(({ initial }) => initial);
  const named = [...program.locations.keys()].filter((l) => program.locations[l].hidden !== true);
  const memoryLine = (): readonly string[] => {
    const places = named.map((location) => {
      const name = subjectName(program, { kind: 'location', location });
      return `${name} = ${memory[location]}`;
    });
    return places.length === 0 ? [] : [`  memory: ${places.join(', ')}`];
  };
  const teller = new Teller(machine);
  const lines = ['start', ...memoryLine()];
  let told = 0;
  for (const step of steps) {
    teller.tell(step);
    lines.push(...teller.run.slice(told).map(({ text }) => text));
    told = teller.run.length;
    if (step.kind !== 'event' || step.writes === undefined) continue;
    memory[step.event.location!] = step.writes;
    lines.push(...memoryLine());
  }
  return lines;
}

/** Tells steps one after the other. */
class Teller {
  readonly run: RunStep[] = [];
  private readonly program: Program;
  private readonly calls: ToldCall[][];
  /** Steps that are told for writes which are not in memory yet. */
  private readonly pending = new Set<number>();

  constructor(private readonly machine: Machine) {
    this.program = machine.layout.program;
    this.calls = this.program.threads.map(() => []);
  }

  finished(ends: boolean): readonly RunStep[] {
    return this.run.map((step, i) =>
      ends && this.pending.has(i) ? { ...step, pending: true } : step,
    );
  }

  tell(step: TakenStep): void {
    switch (step.kind) {
      case 'begin':
        return this.begin(step);
      case 'event':
        return this.event(step);
      case 'set':
        return this.set(step);
      case 'assertion':
        return this.ofThread(step.thread, {
          ...{ actor: this.threadName(step.thread), does: 'assertion fails', link: `'s ` },
          ...{ brief: 'assertion fails', kind: 'assertion' },
        });
      case 'pass':
      case 'leave':
        return this.mark(step);
      case 'forget': {
        const calls = this.calls[step.thread];
        this.calls[step.thread] = step.from.map((i) => calls[i]);
        return;
      }
    }
  }

  // What is about a thread alone.

  private set({ thread, cell, value }: Of<'set'>): void {
    const name = this.cellName(thread, cell);
    if (name === undefined) return;
    const what = `${cell.kind === 'ghost' ? `ghost ${name}` : name} = ${value}`;
    this.ofThread(
      thread,
      { actor: this.threadName(thread), does: `sets ${what}`, brief: what, kind: 'set' },
      { [cell.kind]: name, value },
    );
  }

  private mark({ kind, thread, mark }: Of<'pass' | 'leave'>): void {
    if (mark === '') return;
    const actor = this.threadName(thread);
    if (kind === 'leave') {
      const does = `leaves ${mark}`;
      this.ofThread(thread, { actor, does, brief: does, kind }, { mark });
      return;
    }
    const { sections } = this.machine.layout.calls.flows[thread];
    const isBlock = sections.some(({ name }) => name === mark);
    const about = { actor, does: `is at ${mark}`, brief: mark, kind: isBlock ? 'enter' : 'pass' };
    this.ofThread(thread, about, { mark });
  }

  // Calls.

  private begin({ thread, place, of, given }: Of<'begin'>): void {
    const { flows, classes } = this.machine.layout.calls;
    const step = flows[thread].steps[place];
    if (step.kind !== 'use') return;
    const { use } = step;
    const site = classes[of];
    const isPosted = site.events.some((event) => this.isByNic(event));
    const posted = isPosted ? useText(this.program, thread, use, given) : undefined;
    const call: ToldCall = {
      use,
      site,
      ...(posted !== undefined && { posted }),
      issued: new Map(),
    };
    this.calls[thread].push(call);
    if (posted === undefined) return;
    call.last = this.run.length;
    this.ofThread(
      thread,
      { actor: this.threadName(thread), does: `posts ${posted}`, brief: posted, kind: 'post' },
      { operation: posted },
      use,
    );
  }

  private event(taken: Of<'event'>): void {
    const call = this.calls[taken.thread][taken.call];
    const step = { ...taken, event: inMessage(call.site, taken.event) };
    const { location } = step.event;
    if (this.standsForAnother(step.event)) return this.otherwise(step, call);
    if (location === undefined) return this.fence(step, call);
    if (this.program.locations[location].wire === true) return this.onWire(step, call);
    if (step.reads !== undefined) this.reads(step, call);
    else if (step.isIssue && !step.isWhole) this.issues(step, call);
    else this.writes(step, call);
  }

  /** An event without a place. */
  private fence({ thread, event, partner, isIssue }: Of<'event'>, call: ToldCall): void {
    if (!isIssue || call.site.events.some(({ location }) => location !== undefined)) return;
    if (partner !== undefined) {
      const other = this.calls[thread][partner];
      const from = other.last;
      const what = useText(this.program, thread, call.use, []);
      this.ofThread(
        thread,
        {
          ...{ actor: this.threadName(thread), brief: what, kind: 'poll' },
          does: `polls a completion from ${peerInWords(event)}`,
        },
        { ...(other.posted !== undefined && { operation: other.posted }), from },
        call.use,
      );
      return;
    }
    const isNic = this.isByNic(event);
    const text = call.posted ?? useText(this.program, thread, call.use, []);
    const words = {
      ...{ actor: isNic ? this.queuePairName(thread, event) : this.threadName(thread) },
      ...{ does: `${isNic ? 'is done with' : 'passes'} ${text}`, brief: text, kind: 'fence' },
    };
    if (isNic) this.ofQueuePair(thread, event, words, this.carriesOn(call));
    else this.ofThread(thread, words, {}, call.use);
  }

  /** Does an event stand in the place of the usual one, as that of work that fails, or of the poll that finds it? */
  private standsForAnother({ label }: Event): boolean {
    return this.program.instructions.operations.some(({ alternatives: [usual, ...others] }) =>
      others.some(
        ({ result, tags, body }) =>
          (result !== undefined || tags !== undefined) &&
          labelsIn(body).includes(label) &&
          !labelsIn(usual.body).includes(label),
      ),
    );
  }

  /** What did not go as usual, in the words of the event. */
  private otherwise({ thread, event, partner, isIssue }: Of<'event'>, call: ToldCall): void {
    if (!isIssue) return;
    const words = this.wordsOf(event);
    if (this.isByNic(event)) {
      const text = call.posted ?? useText(this.program, thread, call.use, []);
      const actor = this.queuePairName(thread, event);
      const what = `${text} ${words}`;
      const about = { actor, link: ': ', does: what, brief: what, kind: 'fail' };
      this.ofQueuePair(thread, event, about, this.carriesOn(call));
      return;
    }
    const actor = this.threadName(thread);
    const from = partner === undefined ? undefined : this.calls[thread][partner].last;
    const about = {
      actor,
      does: `${words} from ${peerInWords(event)}`,
      brief: words,
      kind: 'poll',
    };
    this.ofThread(thread, about, from === undefined ? {} : { from });
  }

  private wordsOf({ label }: Event): string {
    const { labels } = this.program.instructions;
    return labels.find(({ name }) => name === label)?.words ?? `performs ${label}`;
  }

  /** A receive that is posted, a message that arrives, or a completion that a thread takes. */
  private onWire({ thread, event, isIssue }: Of<'event'>, call: ToldCall): void {
    // What stands for the completion of a receive is no step of anybody's.
    if (!isIssue || partOf(event) !== undefined) return;
    const words = this.wordsOf(event);
    if (!this.isByNic(event)) {
      const actor = this.threadName(thread);
      const brief = useText(this.program, thread, call.use, []);
      this.ofThread(thread, { actor, does: words, brief, kind: 'post' }, { operation: brief });
      return;
    }
    const actor = this.queuePairName(thread, event);
    const about = { actor, does: words, brief: words, kind: 'message' };
    this.ofQueuePair(thread, event, about, this.carriesOn(call));
  }

  private reads(step: Of<'event'>, call: ToldCall): void {
    const { thread, event, reads, writes, update, source } = step;
    const location = event.location!;
    // Nobody would want to hear of the constant of a put.
    if (this.program.locations[location].hidden === true) return;
    const place = this.placeName(location);
    const value = reads!;
    if (!this.isByNic(event)) {
      const actor = this.threadName(thread);
      if (isWrite(event) || call.use.operation.alternatives.length > 1) {
        const word = call.use.operation.name;
        const written = writes === undefined ? 'nothing' : `${writes} to memory`;
        const effect = writes === undefined ? `${value}` : `${value} → ${writes}`;
        this.ofThread(
          thread,
          {
            ...{
              actor,
              link: `'s `,
              does: `${word} finds ${place} = ${value} and writes ${written}`,
            },
            ...{ brief: `${word}(${place}): ${effect}`, kind: 'update' },
          },
          { location: place, found: value, value: writes },
          call.use,
        );
        return;
      }
      const what = `reads ${place} = ${value}`;
      const does = source !== undefined ? `${what} in its store buffer` : what;
      const words = { actor, does, brief: what, kind: 'read' } as const;
      this.ofThread(thread, words, { location: place, value }, call.use);
      return;
    }
    const about = { location: place, ...this.carriesOn(call) };
    const isUpdate = call.site.events.some((e) => isWrite(e) && e.location === location);
    if (isUpdate) {
      call.performed = this.run.length;
      const what = `${call.use.operation.name}(${place})`;
      const { node } = this.program.locations[location];
      const effect = update === undefined ? `${value}` : `${value} → ${update}`;
      this.ofQueuePair(
        thread,
        event,
        {
          ...{ actor: `the NIC of node ${node}`, brief: `${what}: ${effect}`, kind: 'perform' },
          does: `performs ${this.threadName(thread)}'s ${what}: reads ${value}, writes ${update ?? 'nothing'}`,
        },
        { ...about, found: value, value: update },
      );
      return;
    }
    const what = `reads ${place} = ${value}`;
    const does = source !== undefined ? `${what} before it is in memory` : what;
    const kind = this.isAtOtherEnd(event) ? 'read-remote' : 'read-local';
    const actor = this.queuePairName(thread, event);
    this.ofQueuePair(thread, event, { actor, does, brief: what, kind }, { ...about, value });
  }

  private issues({ thread, event, value }: Of<'event'>, call: ToldCall): void {
    const place = this.placeName(event.location!);
    const what = `${place} := ${value}`;
    if (!this.isByNic(event)) {
      call.issued.set(event.id, this.run.length);
      this.pending.add(this.run.length);
      const actor = this.threadName(thread);
      const does = `writes ${what} to its store buffer`;
      this.ofThread(
        thread,
        { actor, does, brief: what, kind: 'write' },
        { location: place, value },
        call.use,
      );
      return;
    }
    const isUpdate = call.site.events.some((e) => isRead(e) && e.location === event.location);
    if (isUpdate || !this.isAtOtherEnd(event)) {
      // What is told of an atomic, or of what a get has read, is the read.
      if (!isUpdate || call.performed === undefined) return;
      call.issued.set(event.id, call.performed);
      this.pending.add(call.performed);
      return;
    }
    call.issued.set(event.id, this.run.length);
    this.pending.add(this.run.length);
    const actor = this.queuePairName(thread, event);
    this.ofQueuePair(
      thread,
      event,
      { actor, does: `delivers ${what}`, brief: `${what} arrives`, kind: 'deliver' },
      { location: place, value, ...this.carriesOn(call) },
    );
  }

  private writes({ thread, event, writes, isWhole }: Of<'event'>, call: ToldCall): void {
    if (writes === undefined) return;
    const place = this.placeName(event.location!);
    const what = `${place} := ${writes}`;
    const does = `writes ${what} to memory`;
    const from = call.issued.get(event.id);
    if (from !== undefined) this.pending.delete(from);
    const about = { location: place, value: writes };
    if (!this.isByNic(event)) {
      const actor = this.threadName(thread);
      if (isWhole)
        this.ofThread(thread, { actor, does, brief: what, kind: 'write' }, about, call.use);
      else {
        const buffer = { actor: `${actor}'s store buffer`, does, brief: what, kind: 'drain' };
        this.ofMemory(event, buffer, { ...about, from });
      }
      return;
    }
    const actor = this.queuePairName(thread, event);
    const kind = this.isAtOtherEnd(event) ? 'flush-remote' : 'flush-local';
    // A completion of a write at the other end says nothing of this.
    const own = { ...(call.posted !== undefined && { operation: call.posted }) };
    const carried = from !== undefined ? { ...own, from } : this.carriesOn(call);
    this.ofMemory(event, { actor, does, brief: what, kind }, { ...about, ...carried });
  }

  private carriesOn(call: ToldCall): Pick<RunStep, 'operation' | 'from'> {
    const from = call.last;
    call.last = this.run.length;
    return {
      ...(call.posted !== undefined && { operation: call.posted }),
      ...(from !== undefined && { from }),
    };
  }

  // Lanes.

  private ofThread(thread: number, words: Words, about: About = {}, use?: FlowUse): void {
    const line = use && this.program.threads[thread].lines?.[placeKey(use.span)];
    const does = line === undefined ? words.does : `${words.does}, line ${line}`;
    this.push({ kind: 'thread', name: this.threadName(thread) }, { ...words, does }, about);
  }

  private ofQueuePair(thread: number, event: Event, words: Words, about: About): void {
    this.push({ kind: 'network', name: this.queuePairName(thread, event) }, words, about);
  }

  private ofMemory({ location }: Event, words: Words, about: About): void {
    this.push({ kind: 'memory', name: this.program.locations[location!].node }, words, about);
  }

  private push(lane: RunStep['lane'], { does, link = ' ', ...words }: Words, about: About): void {
    const { actor, brief, kind } = words;
    const text = `${actor}${link}${does}`;
    const { mark, location, register, ghost, found, value, operation, from } = about;
    // In the order of docs/json.md.
    const all = { mark, location, register, ghost, found, value, operation, from };
    this.run.push({ text, brief, actor, lane, kind, ...given(all) });
  }

  // Names.

  private isByNic({ label }: Event): boolean {
    const { labels } = this.program.instructions;
    return labels.find(({ name }) => name === label)?.by === 'nic';
  }

  private isAtOtherEnd({ location, node }: Event): boolean {
    return this.program.locations[location!].node === node;
  }

  private threadName(thread: number): string {
    return this.program.threads[thread].name;
  }

  private queuePairName(thread: number, { node, queuePair }: Event): string {
    const pair = queuePair === undefined ? node : `${node}.${queuePair}`;
    return `${this.threadName(thread)}->${pair}`;
  }

  private cellName(thread: number, cell: Cell): string | undefined {
    if (cell.kind === 'temporary') return undefined;
    return cell.kind === 'ghost'
      ? this.program.ghosts![cell.ghost].name
      : this.program.threads[thread].registers[cell.register];
  }

  /** The constant of a put has no name, and is told by its value. */
  private placeName(location: LocationId): string {
    const { hidden, initial } = this.program.locations[location];
    return hidden === true
      ? `${initial}`
      : subjectName(this.program, { kind: 'location', location });
  }
}

const peerInWords = ({ node, queuePair }: Event): string =>
  queuePair === undefined ? `node ${node}` : `queue pair ${node}.${queuePair}`;

/** Without what is not there. */
const given = (about: About): About =>
  Object.fromEntries(Object.entries(about).filter(([, value]) => value !== undefined)) as About;

/** What stands for an event of a receive comes by way of the message that takes it. */
function inMessage({ events, message }: CallSite, event: Event): Event {
  if (message?.kind !== 'sent' || partOf(event) === undefined) return event;
  const { node, own, queuePair } = events[message.arrival];
  return { ...event, node, own, queuePair };
}
