import type { Action, After, Control, Pending, Promised, ReadSource } from './control.js';
import { NO_PROMISES } from './control.js';
import type { Actors } from './actors.js';
import type { Controls } from './controls.js';
import type { LocalStates } from './local.js';
import type { Plans } from './plan.js';
import type { Ranks } from './ranks.js';
import type { Reads } from './reads.js';
import type { EventMask } from './relations.js';

/** The actions in the controls of threads, each worked out once. */
export class Actions {
  constructor(
    private readonly controls: Controls,
    private readonly locals: LocalStates,
    private readonly reads: Reads,
    private readonly plans: Plans,
    private readonly ranks: Ranks,
    private readonly actors: Actors,
  ) {}

  of(control: Control, i: number, step: number): Action {
    return (control.known.actions[i * STEPS + step] ??= this.make(control, i, step));
  }

  /** @param way which of its sources it reads from */
  after(
    control: Control,
    i: number,
    step: number,
    action: Action,
    absent: EventMask,
    way: number,
  ): After {
    const { partners, local, sources } = action;
    const promised = sources[way]?.promises ?? NO_PROMISES;
    const isUsual = absent === 0 && promised.length === 0;
    if (isUsual && action.next !== undefined) return action.next;
    const key = absent * WAYS + way;
    const known = action.others.get(key);
    if (known !== undefined) return known;
    const next = this.locals.after(local, step, absent);
    const from = sources[way]?.call;
    const calls = control.calls.map((one, j): Pending => ({
      local: j === i ? next : one.local,
      partners: partners?.[j] ?? one.partners,
      promises: promisesOf(one, { call: i, step }, j === from ? promised : NO_PROMISES),
    }));
    const made = {
      control: this.controls.at(control.thread, control.place, calls),
      local: next,
      goesOn: this.controls.holds(local) && !this.controls.holds(next),
    };
    if (isUsual) action.next = made;
    else action.others.set(key, made);
    return made;
  }

  private make(control: Control, i: number, step: number): Action {
    const { local } = control.calls[i];
    const plan = this.plans.of(local, step);
    const event = local.site.events[plan.event];
    const before = control.calls.map((call) => call.partners);
    const partners = plan.isIssue ? this.ranks.take(control, i, plan.event) : before;
    const partner = partners?.findIndex((bits, j) => bits !== before[j]) ?? -1;
    return {
      plan,
      local,
      event,
      partners,
      partner: partner < 0 ? undefined : partner,
      isWhole: local.own.inst[plan.event],
      actor: this.actors.step(local, step),
      sources: plan.readTo < 0 ? NONE : this.reads.sourcesOf(control, i, plan.event),
      isSure: plan.guards.length === 0,
      next: undefined,
      others: new Map(),
    };
  }
}

const NONE: readonly ReadSource[] = [];

/** More steps than a call has. */
const STEPS = 32;
/** More sources than a read has, however much room there is. */
const WAYS = 2 ** 16;

/** What the events of a call have to wait for, when a step was taken and more was promised. */
function promisesOf(
  { promises }: Pending,
  { call, step }: { readonly call: number; readonly step: number },
  more: readonly Promised[],
): readonly Promised[] {
  if (promises.length + more.length === 0) return NO_PROMISES;
  const isKept = ({ of, other }: Promised): boolean => of !== call || step !== 2 * other + 1;
  const left = promises.filter(isKept);
  const isNew = (one: Promised): boolean => left.every((known) => !isSame(known, one));
  return [...left, ...more.filter(isNew)].sort(byPlace);
}

const isSame = (a: Promised, b: Promised): boolean => byPlace(a, b) === 0;
const byPlace = (a: Promised, b: Promised): number =>
  a.event - b.event || a.of - b.of || a.other - b.other;
