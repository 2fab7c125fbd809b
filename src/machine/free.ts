import type { Control } from './control.js';
import { isRead, isWrite } from '../program/events/structure.js';
import type { LocationId } from '../program/program.js';
import type { CallSite } from './calls.js';
import type { Calls, ClassId } from './classes.js';
import type { CodeStep } from './code.js';
import type { Asked } from './layout.js';
import type { Later } from './later.js';
import type { Local, LocalStates } from './local.js';
import type { Pairs } from './masks.js';
import { closureOf } from './open.js';
import type { Plans } from './plan.js';
import type { Queues } from './queues.js';
import type { Ranks } from './ranks.js';
import type { StepMask } from './relations.js';
import type { Threads } from './threads.js';

/** Which threads read, and which write a location, by the text of the program: one bit for each. */
interface Sharing {
  readonly readers: number;
  readonly writers: number;
  /** Is its value asked for at the end? */
  readonly isFinal: boolean;
}

/**
 * Steps that can be taken as soon as they are possible, before all others: each is enabled until it is taken, and commutes with every step that might come before it. So
 * nothing is lost if it comes first, and it is not seen by questions about states.
 *
 * Which they are depends on three things: on other threads, by the text of the program; on calls that are not finished; and on what the thread may still begin, unless it waits
 * for the step.
 */
export class FreeSteps {
  private readonly sharing: readonly Sharing[];
  private readonly amongThreads: (boolean | undefined)[][] = [];
  private readonly untilEnd = new Map<number, boolean>();
  private readonly awaited: Map<number, StepMask>[] = [];

  constructor(
    private readonly calls: Calls,
    private readonly locals: LocalStates,
    private readonly pairs: Pairs,
    private readonly plans: Plans,
    private readonly threads: Threads,
    private readonly later: Later,
    private readonly ranks: Ranks,
    private readonly queues: Queues,
    private readonly codes: readonly (readonly CodeStep[])[],
    locations: readonly unknown[],
    asked: Asked,
  ) {
    this.sharing = sharingOf(calls.classes, locations, asked);
  }

  /**
   * By call of a control: its steps that are free as far as the thread itself is concerned, and other threads by their text. Guesses between threads may still
   * be decided by them.
   */
  in(control: Control): readonly StepMask[] {
    return (control.known.free ??= control.calls.map((_, i) => {
      let free = 0;
      for (let step = 0; control.open[i] >> step !== 0; step++) {
        const bit = 1 << step;
        if ((control.open[i] & bit) !== 0 && this.isFree(control, i, step)) free |= bit;
      }
      return free;
    }));
  }

  private isFree(control: Control, i: number, step: number): boolean {
    const { thread, place, calls } = control;
    const { local } = calls[i];
    return (
      !this.endsMoment(control, i, step) &&
      this.amongOthers(local, step) &&
      this.amongCalls(control, i, local, step) &&
      (this.untilTheEnd(local, step, thread, place) || this.isAwaited(control, i, step))
    );
  }

  /** Does a thread go on with it in a moment that is a step of its own? */
  private endsMoment({ thread, place, calls, waits }: Control, i: number, step: number): boolean {
    if (!waits || i !== calls.length - 1) return false;
    const barrier = this.threads.barriersOf(calls[i].local.class) & (1 << (step >> 1));
    return barrier !== 0 && (step & 1) === 0 && this.codes[thread][place].isStop;
  }

  /** Is a step of a call free of the other calls of its thread that are not finished? */
  amongCalls({ calls }: Pick<Control, 'calls'>, i: number, local: Local, step: number): boolean {
    const bit = 1 << step;
    const isUnread = this.isUnread(local, step);
    if (!isUnread && (local.conflicts & bit) !== 0) return false;
    return calls.every(({ local: other }, j) => {
      if (j === i) return true;
      const pair = j < i ? this.pairs.inOrder(other, local) : this.pairs.inOrder(local, other);
      const side = j < i ? 1 : 0;
      const { decides, conflicts } = pair;
      return ((decides[side] | (isUnread ? 0 : conflicts[side])) & bit) === 0;
    });
  }

  /** Does the thread wait for a step before it begins anything else? */
  isAwaited(control: Control, i: number, step: number): boolean {
    const { thread, place, calls } = control;
    const next = this.codes[thread][place];
    if (next === undefined) return true;
    if (next.kind !== 'use') return false;
    const of = this.calls.classAt[thread][place];
    const partners = this.ranks.nextPartnerBy(control, i, of);
    return (this.awaitedBy(calls[i].local, of, partners) & (1 << step)) !== 0;
  }

  /** Does nobody read a location, and is it not asked for? Then its value does not matter. */
  isIgnored(location: LocationId): boolean {
    const { readers, isFinal } = this.sharing[location];
    return readers === 0 && !isFinal;
  }

  /** Does nobody write a location? */
  isConstant(location: LocationId): boolean {
    return this.sharing[location].writers === 0;
  }

  /** Do steps of other threads neither see a step, nor change what it does? */
  amongOthers(local: Local, step: number): boolean {
    const row = (this.amongThreads[local.id] ??= []);
    return (row[step] ??= this.isAmongOthers(local, step));
  }

  private isAmongOthers(local: Local, step: number): boolean {
    if (this.queues.isShared(local.class, step >> 1)) return false;
    const { location, readTo, writes } = this.plans.of(local, step);
    const others = ~(1 << local.site.thread);
    if (location >= 0) {
      const { readers, writers } = this.sharing[location];
      if (readTo >= 0 && (writers & others) !== 0) return false;
      const isSeen = writes.length > 0 && !this.isIgnored(location);
      if (isSeen && ((readers | writers) & others) !== 0) return false;
    }
    return this.calls.classes.every(
      (other, of) =>
        other.thread === local.site.thread ||
        !this.threads.areLinked(of, local.class) ||
        this.locals
          .initial(of)
          .every((one) => (this.pairs.between(one, local).undecided[1] & (1 << step)) === 0),
    );
  }

  /** Is a step free of what the thread may begin from a place on? */
  untilTheEnd(local: Local, step: number, thread: number, place: number): boolean {
    const key = ((place * 64 + thread) * 32 + step) * 65536 + local.id;
    const known = this.untilEnd.get(key);
    if (known !== undefined) return known;
    const made = this.later.classes[thread][place].every((of) =>
      this.locals.initial(of).every((one) => {
        const { undecided, conflicts } = this.pairs.inOrder(local, one);
        const isIgnored = this.isUnread(local, step);
        return ((undecided[0] | (isIgnored ? 0 : conflicts[0])) & (1 << step)) === 0;
      }),
    );
    this.untilEnd.set(key, made);
    return made;
  }

  /** Does a step only write what nobody reads? */
  isUnread(local: Local, step: number): boolean {
    const { location, readTo, writes } = this.plans.of(local, step);
    return location >= 0 && readTo < 0 && writes.length > 0 && this.isIgnored(location);
  }

  /**
   * The steps of a call that a thread waits for before it begins a call of a class.
   *
   * @param partners the guesses by which the first call is the partner of the second, as bits
   */
  awaitedBy(local: Local, of: ClassId, partners: number): StepMask {
    const row = (this.awaited[local.id] ??= new Map());
    const key = of * 64 + partners;
    const known = row.get(key);
    if (known !== undefined) return known;
    const masks = this.locals.initial(of).map((one) => this.awaitedIn(local, one, partners));
    const made = masks.reduce((all, mask) => all & mask);
    row.set(key, made);
    return made;
  }

  private awaitedIn(local: Local, next: Local, partners: number): StepMask {
    const head = this.threads.headOf(next);
    const { relations, shift } = this.pairs.inOrder(local, next);
    let mask = 0;
    for (const event of head) {
      const step = shift + 2 * event;
      mask |= closureOf(relations.needs, step);
      for (const { guess, to, needs } of relations.partners) {
        const isPartner = (partners & (1 << this.ranks.guesses.indexOf(guess))) !== 0;
        if (!isPartner || to !== shift / 2 + event) continue;
        const wanted = needs[step];
        for (let at = 0; wanted >> at !== 0; at++) {
          if ((wanted & (1 << at)) !== 0) mask |= closureOf(local.own.needs, at);
        }
      }
    }
    return mask & ((1 << shift) - 1);
  }
}

function sharingOf(
  classes: readonly CallSite[],
  locations: readonly unknown[],
  asked: Asked,
): readonly Sharing[] {
  const found = locations.map((_, l) => ({
    isFinal: asked.isFinal(l),
    // Who asks is a reader that is no thread.
    readers: asked.locations.has(l) ? 1 << 30 : 0,
    writers: 0,
  }));
  for (const { thread, events } of classes) {
    for (const event of events) {
      if (event.location === undefined) continue;
      if (isRead(event)) found[event.location].readers |= 1 << thread;
      if (isWrite(event)) found[event.location].writers |= 1 << thread;
    }
  }
  return found;
}
