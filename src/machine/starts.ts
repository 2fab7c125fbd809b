import type { Control, CallStart } from './control.js';
import type { Actions } from './actions.js';
import type { Calls } from './classes.js';
import type { CodeStep } from './code.js';
import type { Controls } from './controls.js';
import type { FreeSteps } from './free.js';
import type { Local, LocalStates } from './local.js';
import type { Pairs } from './masks.js';
import type { Plans } from './plan.js';
import type { Queues } from './queues.js';
import type { Threads } from './threads.js';

/** The starts of calls in the controls of threads, each worked out once. */
export class Starts {
  constructor(
    private readonly calls: Calls,
    private readonly codes: readonly (readonly CodeStep[])[],
    private readonly controls: Controls,
    private readonly locals: LocalStates,
    private readonly pairs: Pairs,
    private readonly plans: Plans,
    private readonly threads: Threads,
    private readonly queues: Queues,
    private readonly free: FreeSteps,
    private readonly actions: Actions,
  ) {}

  /** One for each alternative; none if the thread waits, or its next step begins no call. */
  of(control: Control): readonly CallStart[] {
    return (control.known.starts ??= this.make(control));
  }

  private make(control: Control): readonly CallStart[] {
    const { thread, place, waits } = control;
    const step = this.codes[thread][place];
    if (step?.kind !== 'use' || waits) return [];
    const initial = this.locals.initial(this.calls.classAt[thread][place]);
    return initial.map((local) => this.start(control, local, step.isStop || initial.length > 1));
  }

  private start(control: Control, local: Local, isStop: boolean): CallStart {
    const head = this.threads.headOf(local);
    const { shows, guards } = this.plans.atBegin(local);
    const { calls } = control;
    const isFree =
      !isStop &&
      head.every(
        (event) =>
          this.free.amongOthers(local, 2 * event) &&
          this.free.amongCalls({ calls }, calls.length, local, 2 * event),
      );
    const isKnown = shows.length === 0 && guards.length === 0;
    const isLinked = this.threads.isLinked(local.class);
    return {
      local,
      head,
      isFree,
      isLinked,
      puts: local.alternative.events.flatMap((event) =>
        this.queues.of(local.class, event).filter(({ puts }) => puts),
      ),
      ...(isKnown ? this.steps(control, local, head) : UNKNOWN),
      ...((local.own.isForbidden || this.isRuledOut(control, local)) && { isBlocked: true }),
    };
  }

  /** Does an axiom rule a call out behind those of its thread, or has it to be behind another one? */
  private isRuledOut({ calls }: Control, local: Local): boolean {
    const pairs = calls.map((call) => this.pairs.inOrder(call.local, local));
    const isExcluded = pairs.some(({ relations, shift }) =>
      relations.excluded.some(
        ({ from, to, guesses }) => guesses === undefined && 2 * from < shift && 2 * to >= shift,
      ),
    );
    if (isExcluded) return true;
    return local.own.lacking.some(
      (needy, k) =>
        pairs.reduce(
          (left, { relations, shift }) => left & (relations.lacking[k] >>> (shift / 2)),
          needy,
        ) !== 0,
    );
  }

  /** What comes of the steps that are taken at once. */
  private steps(
    from: Control,
    local: Local,
    head: readonly number[],
  ): Pick<CallStart, 'isBlocked' | 'isSure' | 'isSplit'> {
    const i = from.calls.length;
    let control = this.controls.begin(from, local);
    let isSplit = false;
    for (const event of head) {
      if ((control.open[i] & (1 << (2 * event))) === 0) return { ...UNKNOWN, isBlocked: true };
      const action = this.actions.of(control, i, 2 * event);
      if (action.partners === undefined) return { ...UNKNOWN, isBlocked: true };
      if (!action.isSure || action.plan.shows.length > 0) return UNKNOWN;
      isSplit ||= action.plan.readTo >= 0 && action.sources.length !== 1;
      const after = this.actions.after(control, i, 2 * event, action, 0, 0);
      control = after.control;
    }
    return { isBlocked: false, isSure: !this.threads.isLinked(local.class), isSplit };
  }
}

const UNKNOWN = { isBlocked: false, isSure: false, isSplit: true } as const;
