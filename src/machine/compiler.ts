import type { Control, PossibleStep, Moves, CallStart } from './control.js';
import { isRead } from '../program/events/structure.js';
import { TRUE_FORMULA } from '../program/formula.js';
import type { Actions } from './actions.js';
import type { Actors } from './actors.js';
import type { CodeStep } from './code.js';
import type { Slot } from './compute.js';
import type { Controls } from './controls.js';
import type { FreeSteps } from './free.js';
import type { Layout } from './layout.js';
import type { Links } from './links.js';
import type { Local, LocalStates } from './local.js';
import { placeOfOrder, valueSlots } from './local.js';
import type { Moment } from './moment.js';
import { noteAction } from './moment.js';
import { decision, isStraight } from './decision.js';
import type { Orders } from './orders.js';
import type { Plans, StepPlan } from './plan.js';
import type { EventMask } from './relations.js';
import type { Segment } from './segments.js';
import { SegmentDraft, eitherWay } from './segments.js';
import type { QueueEffects } from './queue-effects.js';
import type { Starts } from './starts.js';

type UseStep = CodeStep & { readonly kind: 'use' };

/** What comes of a control, and of the end of the moment that the thread is in. */
type Then = (draft: SegmentDraft, control: Control, until: number) => Segment;

/** Something that comes first, if other threads have no say in it, or let it. */
interface Free {
  readonly isPossible: ((s: Int32Array) => boolean) | undefined;
  readonly take: (draft: SegmentDraft) => Segment;
}

/**
 * Works out the steps of a thread in each of its controls (the page on machines, section 2): each call has an issue step and an observe step for each of its events, one step where both are
 * at one moment. What can come first does, thread by thread.
 */
export class Compiler {
  constructor(
    private readonly layout: Layout,
    private readonly codes: readonly (readonly CodeStep[])[],
    private readonly controls: Controls,
    private readonly locals: LocalStates,
    private readonly plans: Plans,
    private readonly free: FreeSteps,
    private readonly actions: Actions,
    private readonly starts: Starts,
    private readonly links: Links,
    private readonly queues: QueueEffects,
    private readonly orders: Orders,
    private readonly actors: Actors,
    private readonly moment: Moment,
    private readonly reduces: boolean,
  ) {}

  /** All that can be done in a control. */
  movesOf(control: Control): Moves {
    return (control.known.moves ??= this.moves(control));
  }

  /** What a thread does at once, from a place without calls. */
  beginning(control: Control): Segment {
    return this.settle(new SegmentDraft(this.layout), control, 0);
  }

  private moves(control: Control): Moves {
    const { thread: t, place, calls } = control;
    const step = this.codes[t].at(place);
    const found: PossibleStep[] = [];
    let full: string | undefined;
    if (place < this.codes[t].length && step?.kind === 'use')
      full = this.beginnings(control, step, found);
    else if (step !== undefined && place < this.codes[t].length) this.ways(control, step, found);
    for (const i of calls.keys()) {
      const isLinked = control.linked.includes(i);
      for (let bit = 0; control.open[i] >> bit !== 0; bit++) {
        if ((control.open[i] & (1 << bit)) === 0) continue;
        const { plan, sources, actor } = this.actions.of(control, i, bit);
        const ways = plan.readTo < 0 ? 1 : sources.length;
        for (let way = 0; way < ways; way++) {
          const segment = this.step(
            new SegmentDraft(this.layout),
            control,
            i,
            bit,
            way,
            this.settle,
          );
          const of = { call: i, step: bit };
          if (segment.then !== undefined) found.push({ actor, segment, of, isLinked });
        }
      }
    }
    return { moves: found, full };
  }

  /** The next step of a thread that uses no operation: it goes on somewhere. */
  private ways(control: Control, step: CodeStep, found: PossibleStep[]): void {
    const { thread: t, place } = control;
    const actor = step.kind === 'rest' ? this.actors.idle : this.actors.thread(t);
    const count = step.kind === 'choose' || step.kind === 'rest' ? step.next.length : 1;
    for (let way = 0; way < count; way++) {
      const draft = new SegmentDraft(this.layout);
      const segment = this.take(draft, control, place, way, (further, next) =>
        this.compute(further, control, next, step.until),
      );
      found.push({ actor, segment, of: undefined, isLinked: false });
    }
  }

  /** Gives the lane in which there is no room for the next call, if there is none. */
  private beginnings(control: Control, step: UseStep, found: PossibleStep[]): string | undefined {
    const actor = this.actors.thread(control.thread);
    for (const start of this.starts.of(control)) {
      if (start.isBlocked) continue;
      if (!this.hasRoom(control, start.local)) return this.layout.lanes[start.local.class];
      // It goes as many ways as there are values that it may read: at most this many.
      const ways = start.isSplit ? 2 + control.calls.length : 1;
      for (let way = 0; way < ways; way++) {
        const segment = this.begin(
          new SegmentDraft(this.layout),
          control,
          step,
          start,
          way,
          this.settle,
        );
        if (segment.then !== undefined)
          found.push({ actor, segment, of: undefined, isLinked: false });
      }
    }
    return undefined;
  }

  private hasRoom({ calls }: Control, { class: of }: Local): boolean {
    const { lanes, room } = this.layout;
    if (calls.length < room) return true;
    return calls.filter(({ local }) => lanes[local.class] === lanes[of]).length < room;
  }

  // What comes at once.

  /** Forgets calls of which nothing is left that matters, and takes all that the thread can do at once. */
  private readonly settle: Then = (draft, before, until) => {
    const control = this.forget(draft, before);
    return this.compute(draft, control, control.place, until);
  };

  private forget(draft: SegmentDraft, full: Control): Control {
    const { control, from } = this.controls.forget(full);
    if (control.id === full.id) return control;
    const { thread: t } = control;
    const { [t]: at } = this.layout.values;
    const { [t]: width } = this.layout.widths;
    const { moment } = this;
    draft.tell(() => moment.record?.push({ kind: 'forget', thread: t, from }));
    for (const [i, before] of from.entries()) {
      if (before === i) continue;
      for (const k of valueSlots(control.calls[i].local))
        draft.copy(at + i * width + k, at + before * width + k);
    }
    return control;
  }

  /**
   * Takes the steps of a thread that are about nothing but itself.
   *
   * @param until the end of the moment that it is in
   */
  private compute(draft: SegmentDraft, control: Control, from: number, until: number): Segment {
    const code = this.codes[control.thread];
    let place = from;
    let end = until;
    for (;;) {
      const step = place < code.length ? code[place] : undefined;
      if (step === undefined || step.kind === 'use' || step.kind === 'choose') break;
      if (step.isStop && place >= end) break;
      if (step.kind !== 'goto') {
        return this.take(draft, control, place, 0, (further, next) =>
          this.compute(further, control, next, end),
        );
      }
      const [to] = step.next;
      // A loop goes back to where places are less, which is another moment.
      if (to <= place) end = 0;
      place = to;
    }
    if (this.isAtRest(control.thread, place)) draft.passes = true;
    return this.freely(draft, this.controls.goTo(control, place));
  }

  /** Takes a step that is no use of an operation. */
  private take(
    draft: SegmentDraft,
    { thread: t }: Control,
    at: number,
    way: number,
    then: (draft: SegmentDraft, place: number) => Segment,
  ): Segment {
    const { moment } = this;
    const step = this.codes[t][at];
    const isSilent = (step.kind === 'branch' || step.kind === 'goto') && !step.isStop;
    const before = (s: Int32Array): void => moment.mirror?.compare(t, at, s);
    const goOn = (further: SegmentDraft, taken: number): Segment => {
      const place = step.next[taken];
      if (!isSilent) further.tell((s) => moment.mirror?.follow(t, at, place, s));
      return then(further, place);
    };
    switch (step.kind) {
      case 'set': {
        const { slot, cell, value } = step;
        draft.tell(before);
        draft.set(slot, value, 0);
        draft.tell((s) => moment.record?.push({ kind: 'set', thread: t, cell, value: s[slot] }));
        break;
      }
      case 'branch': {
        const { compute, expression } = step.value;
        if (!isSilent) draft.tell(before);
        const choose = (s: Int32Array): number => (compute(s, 0) === 0 ? 1 : 0);
        return draft.split({ choose, cases: () => eitherWay(expression) }, goOn);
      }
      case 'assume': {
        const { compute, expression: when } = step.value;
        draft.tell(before);
        const choose = (s: Int32Array): number => (compute(s, 0) === 0 ? -1 : 0);
        return draft.split({ choose, cases: () => [{ way: 0, when }] }, goOn);
      }
      case 'assert': {
        draft.tell(before);
        draft.assert(step.value, () => {
          moment.failed = true;
          moment.record?.push({ kind: 'assertion', thread: t });
        });
        break;
      }
      case 'pass': {
        const { passing, mark } = step;
        draft.passes = true;
        draft.tell(before);
        for (const [slot, value] of passing) draft.set(slot, value, 0);
        draft.tell(() => moment.record?.push({ kind: 'pass', thread: t, mark }));
        break;
      }
      case 'leave': {
        const { mark } = step;
        draft.tell((s) => {
          before(s);
          moment.record?.push({ kind: 'leave', thread: t, mark });
        });
        break;
      }
      case 'cut': {
        const { bound } = step;
        const choose = (): number => {
          moment.cut = Math.min(moment.cut, bound);
          return -1;
        };
        return draft.split({ choose, cases: () => [] }, (further) => further.never());
      }
      case 'choose':
      case 'rest':
      case 'goto':
      case 'use':
        if (!isSilent) draft.tell(before);
    }
    return goOn(draft, way);
  }

  /** May a thread stay for ever where it is at a place? */
  isAtRest(t: number, place: number): boolean {
    if (place >= this.codes[t].length) return true;
    const { kind, isStop } = this.codes[t][place];
    return kind === 'rest' && isStop;
  }

  /** Takes what can come first, if something can. */
  private freely(draft: SegmentDraft, control: Control): Segment {
    const all = this.reduces ? this.freeIn(control) : [];
    const end = (further: SegmentDraft): Segment => further.end(control.id);
    if (all.length === 0) return end(draft);
    if (all[0].isPossible === undefined) return all[0].take(draft);
    const { length } = all;
    const choose = (s: Int32Array): number => {
      const found = all.findIndex(({ isPossible }) => isPossible?.(s) ?? true);
      return found < 0 ? length : found;
    };
    return draft.split({ choose }, (further, way) =>
      way === length ? end(further) : all[way].take(further),
    );
  }

  /** What can come first in a control, in order, up to the first in which other threads have no say. */
  private freeIn(control: Control): readonly Free[] {
    const { thread: t, place } = control;
    const [start] = this.starts.of(control);
    const found: Free[] = [];
    if (start !== undefined && this.isFreeToBegin(control, start)) {
      const step = this.codes[t][place] as UseStep;
      const take = (draft: SegmentDraft): Segment =>
        this.begin(draft, control, step, start, 0, this.settle);
      const { puts } = start;
      if (puts.length === 0) return [{ isPossible: undefined, take }];
      found.push({ isPossible: (s) => !this.queues.isFull(s, puts), take });
    }
    for (const [i, mask] of this.free.in(control).entries()) {
      for (let bit = 0; mask >> bit !== 0; bit++) {
        if ((mask & (1 << bit)) === 0 || !this.isOneWay(control, i, bit)) continue;
        const take = (draft: SegmentDraft): Segment =>
          this.step(draft, control, i, bit, 0, this.settle);
        if (!control.linked.includes(i)) return [...found, { isPossible: undefined, take }];
        found.push({ isPossible: (s) => this.links.isIndifferent(s, control, i, bit), take });
      }
    }
    return found;
  }

  private isFreeToBegin(
    control: Control,
    { isFree, isBlocked, isSure, isSplit, head, local }: CallStart,
  ): boolean {
    if (!isFree || isBlocked || !this.hasRoom(control, local)) return false;
    if (isSure) return !isSplit;
    // Nothing but what it was given decides which of its events are executed.
    return head.length === 0 && this.plans.atBegin(local).guards.length === 0;
  }

  /** Is there exactly one way to take a step? */
  private isOneWay(control: Control, i: number, step: number): boolean {
    const { plan, sources, partners } = this.actions.of(control, i, step);
    const isRightRead = plan.readTo < 0 || sources.length === 1;
    return isRightRead && partners !== undefined && plan.guards.length === 0;
  }

  // Calls.

  /** Begins a call, with the steps that are taken in the moment in which it begins. */
  private begin(
    draft: SegmentDraft,
    control: Control,
    step: UseStep,
    start: CallStart,
    way: number,
    then: Then,
  ): Segment {
    const { moment, layout } = this;
    const { thread: t, place, calls } = control;
    const { length: count } = calls;
    const entry = layout.values[t] + count * layout.widths[t];
    const { given: values } = step;
    // What a value that grows is called: by the first place of the call.
    const { location } = start.local.site.events.find((e) => e.location !== undefined) ?? {};
    const about = location === undefined ? entry : layout.memory + location;
    draft.tell((s) => moment.mirror?.compare(t, place, s));
    for (const [k, value] of values.entries()) draft.set(entry + k, value, 0, about);
    draft.tell((s) => {
      if (moment.record === undefined) return;
      const given = values.map((_, k) => s[entry + k]);
      const { class: of } = start.local;
      moment.record.push({ kind: 'begin', thread: t, call: count, of, place, given });
    });
    const goOn = (from: SegmentDraft): Segment =>
      this.decide(from, this.plans.atBegin(start.local), entry, (further, absent) => {
        const local = this.locals.without(start.local, absent);
        return this.head(further, this.controls.begin(control, local), start, 0, way, place, then);
      });
    const { puts } = start;
    return puts.length === 0
      ? goOn(draft)
      : draft.split(
          this.queues.room(puts, () => (moment.cramped = true)),
          goOn,
        );
  }

  /** Notes which of the steps that are done now come when, where that is remembered. */
  private order(draft: SegmentDraft, before: Local, after: Local, entry: Slot): void {
    const { orders } = this;
    for (const step of orders.of(after.class)) {
      const isNew = (after.done & ~before.done & (1 << step)) !== 0;
      if (isNew) draft.note(entry + placeOfOrder(orders, after, step)!, () => this.moment.now());
    }
  }

  /** Takes the steps of a call that are taken in the moment in which it begins, from one of them on. */
  private head(
    draft: SegmentDraft,
    control: Control,
    start: CallStart,
    k: number,
    left: number,
    place: number,
    then: Then,
  ): Segment {
    const i = control.calls.length - 1;
    const { thread: t } = control;
    const { until } = this.codes[t][place];
    if (k === start.head.length) {
      if (left > 0) return draft.never();
      // Where the thread waits for no step of the call, it goes on at once.
      const isLeft = control.place === place && !control.waits;
      return then(draft, isLeft ? this.goOn(draft, control, i) : control, until);
    }
    const step = 2 * start.head[k];
    if ((control.open[i] & (1 << step)) === 0) return draft.never();
    const reads = isRead(start.local.site.events[start.head[k]]);
    const take = (further: SegmentDraft): Segment =>
      this.step(further, control, i, step, reads ? left : 0, (behind, next) =>
        this.head(behind, next, start, k + 1, reads ? 0 : left, place, then),
      );
    if (!start.isLinked) return take(draft);
    const { local } = control.calls[i];
    const choose = (s: Int32Array): number =>
      (this.links.openIn(s, control, i) & (1 << step)) === 0 ? -1 : 0;
    const linked = { local, step };
    return draft.split({ choose, cases: () => [{ way: 0, when: TRUE_FORMULA, linked }] }, take);
  }

  /** The thread goes on behind the call that it is at. */
  private goOn(draft: SegmentDraft, control: Control, i: number): Control {
    const { moment, layout } = this;
    const { thread: t, place, calls } = control;
    const { result, cell, next } = this.codes[t][place] as UseStep;
    const [to] = next;
    if (result >= 0) {
      const entry = layout.values[t] + i * layout.widths[t];
      const value = this.plans.result(calls[i].local);
      draft.set(result, value, entry);
      if (cell !== undefined)
        draft.tell((s) => moment.record?.push({ kind: 'set', thread: t, cell, value: s[result] }));
    }
    draft.tell((s) => moment.mirror?.follow(t, place, to, s));
    if (this.isAtRest(t, to)) draft.passes = true;
    return this.controls.goTo(control, to);
  }

  /** Takes a step of a call. What it reads, if it reads, comes from the source with the number `way`. */
  private step(
    draft: SegmentDraft,
    control: Control,
    i: number,
    step: number,
    way: number,
    then: Then,
  ): Segment {
    const { layout, moment } = this;
    const { thread: t } = control;
    const action = this.actions.of(control, i, step);
    const { plan, sources, partners } = action;
    const isReading = plan.readTo >= 0;
    if (partners === undefined || way >= (isReading ? sources.length : 1)) return draft.never();
    const entry = layout.values[t] + i * layout.widths[t];
    const place = layout.memory + plan.location;
    if (isReading) {
      const to = entry + plan.readTo;
      const source = sources[way];
      if (source === undefined) draft.copy(to, place);
      else draft.set(to, source.value, layout.values[t] + source.call * layout.widths[t]);
    }
    const decided = (further: SegmentDraft, absent: EventMask): Segment => {
      const writes = plan.writes.filter(({ event }) => (absent & (1 << event)) === 0);
      for (const { value } of writes) further.set(place, value, entry);
      further.tell((s) => {
        if (moment.record === undefined) return;
        const about = {
          ...{ thread: t, call: i, way, absent },
          writers: writes.map(({ event: e }) => e),
          written: writes.length === 0 ? undefined : s[place],
        };
        moment.record.push(noteAction(action, this.plans, s, entry, about));
      });
      const after = this.actions.after(control, i, step, action, absent, way);
      const { control: next, goesOn, local } = after;
      this.order(further, action.local, local, entry);
      if (!goesOn) return then(further, next, 0);
      const { until } = this.codes[t][control.place];
      return then(further, this.goOn(further, next, i), until);
    };
    const full = (): void => {
      moment.cramped = true;
    };
    return this.queues.step(draft, action, full, (from) => this.decide(from, plan, entry, decided));
  }

  /** Goes on by what guards say, and by which events turn out not to be executed. */
  private decide(
    draft: SegmentDraft,
    deciding: Pick<StepPlan, 'guards' | 'shows'>,
    entry: Slot,
    then: (draft: SegmentDraft, absent: EventMask) => Segment,
  ): Segment {
    return isStraight(deciding) ? then(draft, 0) : draft.split(decision(deciding, entry), then);
  }
}
