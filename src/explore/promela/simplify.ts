import type { Slot } from '../../machine/compute.js';
import type { ControlId } from '../../machine/control.js';
import type { ExpressionOver } from '../../program/expression.js';
import { int, nameExpression, namesOf, substitute } from '../../program/expression.js';
import { isFalse } from '../../program/formula.js';
import type { SlotAction, GuardedStep, ThreadSteps } from './steps.js';
import { mapSteps } from './steps.js';

/** The same threads with a number for each slot that nobody ever sets, and without steps that can never be taken. */
export function withConstants(
  threads: readonly ThreadSteps[],
  start: (slot: Slot) => number,
): readonly ThreadSteps[] {
  const all = threads.flatMap(({ steps }) => [...steps.values()].flat());
  const actions = all.flatMap((step) => step.actions);
  const set = new Set(actions.flatMap((action) => (action.kind === 'set' ? [action.slot] : [])));
  const folded = (e: ExpressionOver<Slot>): ExpressionOver<Slot> =>
    substitute<Slot, Slot>(e, (slot) => (set.has(slot) ? nameExpression(slot) : int(start(slot))));
  return threads.map((thread) =>
    mapSteps(thread, (steps) =>
      steps.flatMap((step): readonly GuardedStep[] => {
        const guard = folded(step.guard);
        if (isFalse(guard)) return [];
        const own = step.actions.map((action) => ({ ...action, value: folded(action.value) }));
        return [{ ...step, guard, actions: own }];
      }),
    ),
  );
}

/**
 * The same threads with no more in their states than what can still be read: slots that nobody reads are not set; those that only one thread uses are 0 where
 * it does not need them. That is worked out from the steps alone, and not taken from the machine.
 *
 * @param asked slots that questions read in any state
 */
export function withoutDead(
  threads: readonly ThreadSteps[],
  asked: ReadonlySet<Slot>,
): readonly ThreadSteps[] {
  const uses = threads.map(usedBy);
  const isOwn = (slot: Slot): boolean =>
    !asked.has(slot) && uses.filter(({ used }) => used.has(slot)).length === 1;
  const isRead = (slot: Slot): boolean =>
    asked.has(slot) || uses.some(({ read }) => read.has(slot));
  return threads.map((thread) => new LiveSlots(thread, isOwn, isRead).trimmed());
}

function usedBy({ steps }: ThreadSteps): {
  readonly read: ReadonlySet<Slot>;
  readonly used: ReadonlySet<Slot>;
} {
  const [read, used] = [new Set<Slot>(), new Set<Slot>()];
  for (const { guard, actions } of [...steps.values()].flat()) {
    for (const slot of [guard, ...actions.map(({ value }) => value)].flatMap(namesOf)) {
      read.add(slot);
      used.add(slot);
    }
    for (const action of actions) if (action.kind === 'set') used.add(action.slot);
  }
  return { read, used };
}

class LiveSlots {
  /** By control: the slots of the thread alone that it may still read. */
  private readonly live = new Map<ControlId, ReadonlySet<Slot>>();

  constructor(
    private readonly thread: ThreadSteps,
    private readonly isOwn: (slot: Slot) => boolean,
    private readonly isRead: (slot: Slot) => boolean,
  ) {
    const { steps } = thread;
    for (let grows = true; grows;) {
      grows = false;
      for (const [{ id }, all] of [...steps].reverse()) {
        const live = new Set(all.flatMap((step) => [...this.before(step).live]));
        grows ||= live.size > this.liveIn(id).size;
        this.live.set(id, live);
      }
    }
  }

  trimmed(): ThreadSteps {
    return mapSteps(this.thread, (steps, { id }) => steps.map((step) => this.trim(step, id)));
  }

  private trim(step: GuardedStep, from: ControlId): GuardedStep {
    const { kept } = this.before(step);
    const after = this.liveIn(step.to);
    const left = [...this.liveIn(from), ...kept.flatMap((a) => (a.kind === 'set' ? [a.slot] : []))];
    const dead = new Set(left.filter((slot) => this.isOwn(slot) && !after.has(slot)));
    const clears = [...dead]
      .sort((a, b) => a - b)
      .map((slot): SlotAction => ({ kind: 'set', slot, value: int(0) }));
    return { ...step, actions: step.to === undefined ? [] : [...kept, ...clears] };
  }

  private liveIn(control: ControlId | undefined): ReadonlySet<Slot> {
    return (control === undefined ? undefined : this.live.get(control)) ?? NONE;
  }

  /** What is read from before a step on, and the actions of it that matter. */
  private before({ guard, actions, to }: GuardedStep): {
    readonly live: ReadonlySet<Slot>;
    readonly kept: readonly SlotAction[];
  } {
    const live = new Set(this.liveIn(to));
    const kept: SlotAction[] = [];
    const read = (slots: readonly Slot[]): void => {
      for (const slot of slots) if (this.isOwn(slot)) live.add(slot);
    };
    for (const action of [...actions].reverse()) {
      if (action.kind === 'set') {
        const { slot } = action;
        if (this.isOwn(slot) ? !live.delete(slot) : !this.isRead(slot)) continue;
      }
      kept.unshift(action);
      read(namesOf(action.value));
    }
    read(namesOf(guard));
    return { live, kept };
  }
}

const NONE: ReadonlySet<Slot> = new Set();
