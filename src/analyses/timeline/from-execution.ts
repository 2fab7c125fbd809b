import { valueText } from '../../parse/values.js';
import type { Event, EventId } from '../../program/events/structure.js';
import { eventInWords } from '../explain/event-words.js';
import { eventName, referenceOf, sourceOf, eventValuesOf } from '../explain/labels.js';
import { TimelineDraft } from './draft.js';
import type { Where } from './draft.js';
import type { Precedence, Happening, ToldExecution } from './events.js';
import { happenings, isOfNic, ownEvents } from './events.js';
import type { Timeline } from './timeline.js';

/** What is told of an event beside the picture. */
export interface ToldEvent {
  readonly number: number;
  readonly text: string;
}

/**
 * An execution in space and time.
 *
 * @param order what happens, one after the other
 * @param told the words of each event
 */
export function timelineOfExecution(
  execution: ToldExecution,
  order: readonly Happening[],
  told: ReadonlyMap<EventId, ToldEvent>,
): Timeline {
  return new ExecutionDrawing(execution, told).draw(order, []);
}

/**
 * An execution that cannot be: what would have to come before what, in a circle. One step of the circle leads back in time: one by which something
 * reads another value than it would find, if there is one. Events have the numbers that they have in the words of the circle.
 */
export function timelineOfCycle(execution: ToldExecution, cycle: readonly Precedence[]): Timeline {
  const { structure, verified } = execution;
  const told = ownEvents(execution).map((e) => {
    const text = eventInWords(structure, verified.run, e, execution.source);
    return [e.id, { number: Number(eventName(structure, e)), text }] as const;
  });
  const drawing = new ExecutionDrawing(execution, new Map(told));
  const overlooked = cycle.findLastIndex(({ from, to }) => drawing.overlooks(from, to));
  const back = overlooked < 0 ? cycle.length - 1 : overlooked;
  return drawing.draw(happenings(execution, cycle.toSpliced(back, 1)), cycle, cycle[back]);
}

class ExecutionDrawing {
  private readonly draft: TimelineDraft;
  private readonly byId: ReadonlyMap<EventId, Event>;

  constructor(
    private readonly drawn: ToldExecution,
    private readonly told: ReadonlyMap<EventId, ToldEvent>,
  ) {
    this.draft = new TimelineDraft(drawn.structure.program);
    this.byId = new Map(ownEvents(drawn).map((e) => [e.id, e]));
  }

  /** Does an event read a place that the other one writes, and find something else there? */
  overlooks(from: EventId, to: EventId): boolean {
    const [reader, writer] = [this.byId.get(from), this.byId.get(to)];
    if (reader === undefined || writer === undefined) return false;
    const [{ read }, { written }] = [this.values(reader), this.values(writer)];
    return (
      read !== undefined &&
      written !== undefined &&
      read !== written &&
      reader.location === writer.location
    );
  }

  draw(order: readonly Happening[], cycle: readonly Precedence[], back?: Precedence): Timeline {
    const { draft } = this;
    const onCycle = new Set(cycle.flatMap(({ from, to }) => [from, to]));
    const steps = new Map<EventId, number>();
    /** By call: the step that posts it, and the last one of it. */
    const calls = new Map<number, { readonly begun: number; last: number }>();
    for (const { event, posts } of order) {
      const key = event.use ?? event.call!;
      const call = calls.get(key);
      if (posts) {
        const from = draft.thread(event.thread);
        const text = this.instruction(event);
        const begun = draft.step({
          at: draft.at('nic', from.node),
          from,
          brief: text,
          text: `${from.thread} posts ${text}`,
        });
        calls.set(key, { begun, last: begun });
        continue;
      }
      // That a NIC reads the constant of a put tells nothing.
      if (this.isConstant(event) && !onCycle.has(event.id)) continue;
      const step = this.event(event, onCycle.has(event.id));
      steps.set(event.id, step);
      if (call !== undefined) draft.way(call.last, step);
      calls.set(key, { begun: call?.begun ?? step, last: step });
      this.access(event, calls.get(key)!.begun, step);
    }
    for (const edge of cycle) {
      const [from, to] = [steps.get(edge.from), steps.get(edge.to)];
      if (from !== undefined && to !== undefined)
        draft.way(from, to, edge === back ? 'back' : 'cycle');
    }
    if (back !== undefined) this.noteOn(back, steps);
    return draft.done();
  }

  /** Says why a step cannot be where it is. */
  private noteOn({ from, to }: Precedence, steps: ReadonlyMap<EventId, number>): void {
    const at = steps.get(from);
    if (at === undefined || !steps.has(to)) return;
    const writer = this.byId.get(to)!;
    const why = this.overlooks(from, to)
      ? `${this.place(writer)} = ${valueText(this.values(writer).written!)} is in memory since ${this.told.get(to)!.number}`
      : `has to come before ${this.told.get(to)!.number}`;
    this.draft.note(at, `cannot be: ${why}`);
  }

  private event(e: Event, onCycle: boolean): number {
    const { draft } = this;
    const { read, written } = this.values(e);
    const name = this.place(e);
    const at = this.actor(e);
    const memory = name === undefined ? undefined : draft.at('memory', this.nodeOf(e)!);
    const marked = onCycle ? ({ onCycle } as const) : {};
    const words = this.told.get(e.id)!;
    if (memory === undefined || (read === undefined && written === undefined)) {
      return draft.step({ at, brief: this.instruction(e), ...words, ...marked });
    }
    if (read !== undefined && written !== undefined) {
      const brief = `${name}: ${valueText(read)} → ${valueText(written)}`;
      return draft.step({ at, from: memory, both: true, brief, ...words, ...marked });
    }
    return read === undefined
      ? draft.step({
          at: memory,
          from: at,
          brief: `${name} = ${valueText(written!)}`,
          ...words,
          ...marked,
        })
      : draft.step({
          at,
          from: memory,
          brief: `reads ${name} = ${valueText(read)}`,
          ...words,
          ...marked,
        });
  }

  private access(e: Event, begun: number, done: number): void {
    const { read, written } = this.values(e);
    const place = this.place(e);
    if (place === undefined) return;
    const { thread } = e;
    const of = (value: number) => ({
      place,
      value: valueText(value),
      thread,
      begun,
      done,
    });
    if (read !== undefined) this.draft.access({ kind: 'read', ...of(read) });
    if (written !== undefined) this.draft.access({ kind: 'write', ...of(written) });
  }

  private who({ thread }: Event): string {
    return this.drawn.structure.program.threads[thread].name;
  }

  private instruction(e: Event): string {
    const { structure, source } = this.drawn;
    const reference = referenceOf(structure.program, source, e);
    return reference?.slice(this.who(e).length + 1) ?? sourceOf(source, e) ?? e.label;
  }

  private actor(e: Event): Where {
    const node = this.nodeOf(e);
    return this.isNic(e)
      ? this.draft.at('nic', node ?? this.draft.thread(e.thread).node)
      : this.draft.thread(e.thread);
  }

  private nodeOf({ location }: Event): string | undefined {
    const { locations } = this.drawn.structure.program;
    return location === undefined ? undefined : locations[location].node;
  }

  /** What it accesses; the constant of a put is no place. */
  private place({ location }: Event): string | undefined {
    const { locations } = this.drawn.structure.program;
    return location === undefined || locations[location].hidden === true
      ? undefined
      : locations[location].name;
  }

  private isConstant({ location }: Event): boolean {
    const { locations } = this.drawn.structure.program;
    return location !== undefined && locations[location].hidden === true;
  }

  private readonly isNic = (e: Event): boolean => isOfNic(this.drawn.structure, e);

  private readonly values = (e: Event) =>
    eventValuesOf(this.drawn.structure, this.drawn.verified.run, e);
}
