import type { Action, After, Control, Pending, Source } from './control.js';
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

  after(control: Control, i: number, step: number, action: Action, absent: EventMask): After {
    if (absent === 0 && action.next !== undefined) return action.next;
    const known = action.others.get(absent);
    if (known !== undefined) return known;
    const { partners, local } = action;
    const next = this.locals.after(local, step, absent);
    const calls = control.calls.map((one, j): Pending => ({
      local: j === i ? next : one.local,
      partners: partners?.[j] ?? one.partners,
    }));
    const made = {
      control: this.controls.at(control.thread, control.place, calls),
      local: next,
      goesOn: this.controls.holds(local) && !this.controls.holds(next),
    };
    if (absent === 0) action.next = made;
    else action.others.set(absent, made);
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

const NONE: readonly Source[] = [];

/** More steps than a call has. */
const STEPS = 32;
