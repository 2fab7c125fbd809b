import type { Verified } from '../../check/witness/verify.js';
import type { BitRel } from '../../model/relation/matrix.js';
import { pairs } from '../../model/relation/matrix.js';
import { valueText } from '../../parse/values.js';
import type { Event, EventId, EventStructure } from '../../program/events/structure.js';
import { INITIAL } from '../../program/events/structure.js';
import type { Program } from '../../program/program.js';
import { labelOf, referenceOf, sourceOf, valuesOf } from '../explain/labels.js';
import { Draft } from './draft.js';
import type { Where } from './draft.js';
import { Sequence } from './sequence.js';
import type { Timeline } from './timeline.js';

/** What an execution is drawn from. */
export interface DrawnExecution {
  readonly structure: EventStructure;
  readonly verified: Pick<Verified, 'run' | 'events' | 'execution'>;
  /** The program as written. */
  readonly source: Program;
}

/** Two events of which the first has to come before the other. */
export interface Before {
  readonly from: EventId;
  readonly to: EventId;
}

/**
 * An execution in space and time, in an order that agrees with a relation over its events that has no cycle.
 */
export function timelineOfExecution(drawn: DrawnExecution, order: BitRel): Timeline {
  const { events } = drawn.verified;
  const before: Before[] = [];
  for (const [from, to] of pairs(order)) before.push({ from: events[from].id, to: events[to].id });
  return new ExecutionDrawing(drawn).draw(before, []);
}

/**
 * An execution that cannot be: what would have to come before what, in a circle. One step of the circle leads back in time: one by which something
 * reads another value than it would find, if there is one.
 */
export function timelineOfCycle(drawn: DrawnExecution, cycle: readonly Before[]): Timeline {
  const drawing = new ExecutionDrawing(drawn);
  const overlooked = cycle.findLastIndex(({ from, to }) => drawing.overlooks(from, to));
  const back = overlooked < 0 ? cycle.length - 1 : overlooked;
  return drawing.draw(cycle.toSpliced(back, 1), cycle, cycle[back]);
}

class ExecutionDrawing {
  private readonly draft: Draft;
  private readonly own: readonly Event[];
  private readonly byId: ReadonlyMap<EventId, Event>;

  constructor(private readonly drawn: DrawnExecution) {
    const { structure, verified } = drawn;
    this.draft = new Draft(structure.program);
    this.own = verified.events.filter((e) => e.thread !== INITIAL && e.mark === undefined);
    this.byId = new Map(this.own.map((e) => [e.id, e]));
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

  draw(order: readonly Before[], cycle: readonly Before[], back?: Before): Timeline {
    const { draft } = this;
    const onCycle = new Set(cycle.flatMap(({ from, to }) => [from, to]));
    const steps = new Map<EventId, number>();
    /** By call: the step that posts it, and the last one of it. */
    const calls = new Map<number, { readonly begun: number; last: number }>();
    for (const { event, posts } of this.sequence(order)) {
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
  private noteOn({ from, to }: Before, steps: ReadonlyMap<EventId, number>): void {
    const [at, other] = [steps.get(from), steps.get(to)];
    if (at === undefined || other === undefined) return;
    const writer = this.byId.get(to)!;
    const why = this.overlooks(from, to)
      ? `${this.place(writer)} = ${valueText(this.values(writer).written!)} is in memory since ${other + 1}`
      : `has to come before ${other + 1}`;
    this.draft.note(at, `cannot be: ${why}`);
  }

  /** Events in order, and before those of what a thread leaves to its card that it posts it. */
  private sequence(
    order: readonly Before[],
  ): readonly { readonly event: Event; readonly posts: boolean }[] {
    const { own } = this;
    const index = new Map(own.map(({ id }, i) => [id, i]));
    const items: { event: Event; posts: boolean }[] = own.map((event) => ({ event, posts: false }));
    const begins = own.filter((e, i) => this.isNic(e) && own.findIndex((o) => sameUse(o, e)) === i);
    for (const event of begins) items.push({ event, posts: true });
    const sequence = new Sequence(items.length);
    const post = new Map(begins.map(({ id }, i) => [id, own.length + i]));
    for (const [i, e] of own.entries()) {
      const first = begins.find((b) => sameUse(b, e));
      if (first !== undefined) sequence.before(post.get(first.id)!, i);
    }
    for (const { from, to } of order) {
      const [a, b] = [index.get(from), index.get(to)];
      if (a !== undefined && b !== undefined) sequence.before(a, b);
    }
    // As far as the order allows it, a thread does one thing after the other.
    const acts = own.flatMap((e, i) => {
      const posted = post.get(e.id);
      if (posted !== undefined) return [{ item: posted, thread: e.thread }];
      return this.isNic(e) ? [] : [{ item: i, thread: e.thread }];
    });
    for (const [i, { item, thread }] of acts.entries()) {
      const next = acts.slice(i + 1).find((other) => other.thread === thread);
      if (next !== undefined) sequence.before(item, next.item);
    }
    // A value comes from a write that is there, as far as that can be.
    for (const [from, to] of pairs(this.drawn.verified.execution.relations.get('rf')!)) {
      const { events } = this.drawn.verified;
      const [a, b] = [index.get(events[from].id), index.get(events[to].id)];
      if (a !== undefined && b !== undefined) sequence.before(a, b);
    }
    return sequence.inOrder((i) => items[i].event.thread).map((i) => items[i]);
  }

  private event(e: Event, onCycle: boolean): number {
    const { draft } = this;
    const { read, written } = this.values(e);
    const name = this.place(e);
    const at = this.actor(e);
    const memory = name === undefined ? undefined : draft.at('memory', this.nodeOf(e)!);
    const marked = onCycle ? ({ onCycle } as const) : {};
    const text = `${this.who(e)} ${labelOf(this.drawn.structure.program, e, { read, written })}`;
    if (memory === undefined || (read === undefined && written === undefined)) {
      return draft.step({ at, brief: this.instruction(e), text, ...marked });
    }
    if (read !== undefined && written !== undefined) {
      const brief = `${name}: ${valueText(read)} → ${valueText(written)}`;
      return draft.step({ at, from: memory, both: true, brief, text, ...marked });
    }
    return read === undefined
      ? draft.step({
          at: memory,
          from: at,
          brief: `${name} = ${valueText(written!)}`,
          text,
          ...marked,
        })
      : draft.step({
          at,
          from: memory,
          brief: `reads ${name} = ${valueText(read)}`,
          text,
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
      what: `${place} = ${valueText(value)}`,
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

  private isNic({ label }: Event): boolean {
    const { labels } = this.drawn.structure.program.instructions;
    return labels.some(({ name, by }) => name === label && by === 'nic');
  }

  private readonly values = (e: Event) =>
    valuesOf(this.drawn.structure, this.drawn.verified.run, e);
}

const sameUse = (a: Event, b: Event): boolean =>
  a.thread === b.thread && (a.use ?? a.call) === (b.use ?? b.call);
