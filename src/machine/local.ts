import { isRead, isWrite } from '../program/events/structure.js';
import { accessesOfStep, conflictsIn } from './conflicts.js';
import type { CallSite } from './calls.js';
import { receiveOf } from './calls.js';
import type { Calls, ClassAlternative, ClassId } from './classes.js';
import { alternativesOf, usesOf } from './classes.js';
import { isOpen } from './open.js';
import type { Orders } from './orders.js';
import type { EventMask, ModelRelations, Relations, StepMask } from './relations.js';

/** Index into `LocalStates.all`: what a machine knows of one call that is not finished. */
export type LocalId = number;

/** How far a call is. */
export interface Local {
  readonly id: LocalId;
  readonly class: ClassId;
  readonly site: CallSite;
  readonly alternative: ClassAlternative;
  /** Events that are executed, or may turn out to be. */
  readonly executed: EventMask;
  /** Steps that are done. Where the two steps of an event are one, both bits are set. */
  readonly done: StepMask;
  /** What the model asks of its steps alone. */
  readonly own: Relations;
  /** Its steps of which it matters whether they are taken before or after another of its own that is still to come. */
  readonly conflicts: StepMask;
  /** Events of which the first step is done. */
  readonly issued: EventMask;
  /** Steps that the call itself allows next. */
  readonly next: StepMask;
  readonly isFinished: boolean;
  /** What is needed later: what the call was given (its bits come first), what its events have read, and when its steps were taken. */
  readonly needed: number;
}

/** The calls of a program in all their states, each made when it is first reached. */
export class LocalStates {
  readonly all: Local[] = [];
  private readonly ids = new Map<string, LocalId>();
  private readonly alternatives: readonly (readonly ClassAlternative[])[];
  private readonly steps: Map<number, LocalId>[] = [];
  private readonly beginnings: (readonly Local[])[] = [];

  constructor(
    readonly classes: readonly CallSite[],
    private readonly variants: Calls['variants'],
    private readonly relations: ModelRelations,
    private readonly orders: Orders,
  ) {
    this.alternatives = classes.map(alternativesOf);
  }

  /** The states in which a use of a class may begin: one for each of its alternatives, and for each class that it may turn out to be. */
  initial(of: ClassId): readonly Local[] {
    return (this.beginnings[of] ??= this.beginningsOf(of));
  }

  private beginningsOf(of: ClassId): readonly Local[] {
    return this.variants[of].flatMap((one) => {
      const done = allSteps(receiveOf(this.classes[one])?.there ?? 0);
      return this.alternatives[one].map(({ events }) => this.at(one, maskOf(events), done));
    });
  }

  /** What the model asks of the steps of one call alone. */
  own({ site, executed }: Pick<Local, 'site' | 'executed'>): Relations {
    return this.relations.of([site], [executed]);
  }

  /**
   * The state after a step.
   *
   * @param absent events of which it shows that they are not executed
   */
  after(from: Local, step: number, absent: EventMask): Local {
    const key = step | (absent << 5);
    const known = this.steps[from.id].get(key);
    if (known !== undefined) return this.all[known];
    const { inst, taken } = this.own(from);
    const event = step >> 1;
    let done = from.done | (inst[event] ? 3 << (2 * event) : 1 << step);
    for (const [e, by] of taken.entries()) if (by === event && e !== event) done |= 3 << (2 * e);
    const made = this.at(from.class, from.executed & ~absent, done);
    this.steps[from.id].set(key, made.id);
    return made;
  }

  /** The state of a call of which it shows that some events are not executed. */
  without(from: Local, absent: EventMask): Local {
    return absent === 0 ? from : this.at(from.class, from.executed & ~absent, from.done);
  }

  /** The state of a class in which some events are executed, and all is done. */
  done(of: ClassId, events: EventMask): Local {
    return this.at(of, events, allSteps(events));
  }

  /** The same state of a call of another class, whose events are alike. */
  like({ executed, done }: Local, of: ClassId): Local {
    return this.at(of, executed, done);
  }

  private at(of: ClassId, executed: EventMask, done: StepMask): Local {
    const key = `${of} ${executed} ${done}`;
    const known = this.ids.get(key);
    if (known !== undefined) return this.all[known];
    const site = this.classes[of];
    const steps = allSteps(executed);
    const own = this.own({ site, executed });
    const accesses = accessesOfStep({ site, executed, own });
    const made: Local = {
      own,
      conflicts: conflictsIn(own, done, accesses, accesses),
      id: this.all.length,
      class: of,
      site,
      executed,
      done: done & steps,
      alternative: this.alternatives[of].find(({ events }) => (executed & ~maskOf(events)) === 0)!,
      issued: maskOf([...site.events.keys()].filter((e) => (done & (1 << (2 * e))) !== 0)),
      next: this.nextOf(site, executed, done),
      isFinished: (steps & ~done) === 0,
      needed: neededOf(site, executed, done) | this.remembered(of, executed, done),
    };
    this.ids.set(key, made.id);
    this.all.push(made);
    this.steps.push(new Map());
    return made;
  }

  /** When its steps were taken, as far as that is remembered: these come behind its values. */
  private remembered(of: ClassId, executed: EventMask, done: StepMask): number {
    if ((allSteps(executed) & ~done) === 0) return 0;
    const first = valuesOf(this.classes[of]);
    return this.orders
      .of(of)
      .reduce(
        (mask, step, k) => ((done & (1 << step)) !== 0 ? mask | (1 << (first + k)) : mask),
        0,
      );
  }

  private nextOf(site: CallSite, executed: EventMask, done: StepMask): StepMask {
    const relations = this.own({ site, executed });
    let next = 0;
    for (let step = 0; step < 2 * site.events.length; step++) {
      const event = step >> 1;
      if ((executed & (1 << event)) === 0 || (done & (1 << step)) !== 0) continue;
      if (relations.taken[event] !== event) continue;
      const isObservation = (step & 1) === 1;
      if (isObservation && (relations.inst[event] || (done & (1 << (step - 1))) === 0)) continue;
      if (isOpen(relations, done, step)) next |= 1 << step;
    }
    return next;
  }
}

const maskOf = (events: readonly number[]): EventMask =>
  events.reduce((all, e) => all | (1 << e), 0);

const allSteps = (executed: EventMask): StepMask => {
  let steps = 0;
  for (let e = 0; executed >> e !== 0; e++) if ((executed & (1 << e)) !== 0) steps |= 3 << (2 * e);
  return steps;
};

/** The values that the writes and conditions to come are made of. */
function neededOf(site: CallSite, executed: EventMask, done: StepMask): number {
  const { events, values, given } = site;
  const open = events.filter(
    (_, e) => (executed & (1 << e)) !== 0 && (done & (2 << (2 * e))) === 0,
  );
  const ids = open.flatMap((event) => [
    ...(isWrite(event) ? [event.value!] : []),
    ...event.path.map(({ condition }) => condition),
  ]);
  if (open.length > 0 && site.result !== undefined) ids.push(site.result);
  const uses = usesOf(values, ids);
  let needed = 0;
  for (const k of uses.given) if (k < given) needed |= 1 << k;
  let place = given;
  for (const [e, event] of events.entries()) {
    if (!isRead(event)) continue;
    if (uses.reads.has(e) && (done & (1 << (2 * e))) !== 0) needed |= 1 << place;
    place++;
  }
  return needed;
}

/** How many values a call has: what it was given, and what its events read. */
export const valuesOf = ({ given, events }: CallSite): number =>
  given + events.filter(isRead).length;

/** Where what an event reads is among them. */
export const placeOfRead = ({ given, events }: CallSite, event: number): number =>
  given + events.slice(0, event).filter(isRead).length;

/** Which values of a call are still needed, and when its steps were taken: their places among its values. */
export const valueSlots = ({ needed }: Pick<Local, 'needed'>): readonly number[] =>
  [...Array(32 - Math.clz32(needed)).keys()].filter((k) => (needed & (1 << k)) !== 0);

/** Where it stands when a step of a call was taken, among its values; undefined: that is not remembered. */
export function placeOfOrder(
  orders: Orders,
  { class: of, site }: Local,
  step: number,
): number | undefined {
  const k = orders.of(of).indexOf(step);
  return k < 0 ? undefined : valuesOf(site) + k;
}
