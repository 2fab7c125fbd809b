import type { Control, KeptCalls, Pending } from './control.js';
import { NO_PROMISES } from './control.js';
import type { Local, LocalStates } from './local.js';
import { valueSlots } from './local.js';
import type { Pairs } from './masks.js';
import type { StepMask } from './relations.js';
import type { Threads } from './threads.js';

/** The control states of the threads of a program, each made when it is first reached. */
export class Controls {
  /** By thread. */
  readonly all: readonly Control[][];
  private readonly ids: readonly Map<string, Control>[];
  private readonly finished = new Map<string, Local>();

  /**
   * @param widths how many numbers a call of a thread has for its values
   */
  constructor(
    private readonly locals: LocalStates,
    private readonly pairs: Pairs,
    private readonly threads: Threads,
    private readonly widths: readonly number[],
  ) {
    this.all = widths.map(() => []);
    this.ids = widths.map(() => new Map());
  }

  at(thread: number, place: number, calls: readonly Pending[]): Control {
    let key = `${place}`;
    for (const { local, partners, promises } of calls) {
      key += ` ${local.id}.${partners}`;
      for (const { event, of, other } of promises) key += `-${event}.${of}.${other}`;
    }
    const ids = this.ids[thread];
    const known = ids.get(key);
    if (known !== undefined) return known;
    const made = this.make(thread, place, calls);
    ids.set(key, made);
    this.all[thread].push(made);
    return made;
  }

  /** With the thread at another place. */
  goTo({ thread, calls, known: { places } }: Control, place: number): Control {
    return (places[place] ??= this.at(thread, place, calls));
  }

  /** With another call behind those that it has. */
  begin({ thread, place, calls, known: { begun } }: Control, local: Local): Control {
    return (begun[local.id] ??= this.at(thread, place, [
      ...calls,
      { local, partners: 0, promises: NO_PROMISES },
    ]));
  }

  /** Without the calls that are finished and can be the partner of none. */
  forget(control: Control): KeptCalls {
    return (control.known.kept ??= this.keptOf(control));
  }

  private keptOf(control: Control): KeptCalls {
    const { thread, place, calls } = control;
    const from = [...calls.keys()].filter((i) => {
      const { local, partners } = calls[i];
      const { class: of, executed } = local;
      const gives = (this.threads.givesOf(of) & ~partners) !== 0;
      return !local.isFinished || gives || (this.threads.decidingIn(of) & executed) !== 0;
    });
    const left = from.map((i) => moved(this.remembered(calls[i]), from));
    const isSame = left.length === calls.length && left.every((one, i) => one === calls[i]);
    if (isSame) return { control, from };
    return { control: this.at(thread, place, left), from };
  }

  /** Of a call that is finished, only what may be a partner matters, and only as such: calls that are alike in that are one. */
  remembered(call: Pending): Pending {
    const { local, partners } = call;
    if (!local.isFinished) return call;
    const { site, executed, class: of } = local;
    const left = executed & (this.threads.partnersIn(of) | this.threads.decidingIn(of));
    const events = site.events.filter((_, e) => (left & (1 << e)) !== 0);
    const key = JSON.stringify([
      ...[site.thread, left],
      events.map(({ label, node, queuePair, work, tags }) => [label, node, queuePair, work, tags]),
    ]);
    const known = this.finished.get(key) ?? this.locals.done(of, left);
    this.finished.set(key, known);
    return known === local ? call : { local: known, partners, promises: NO_PROMISES };
  }

  private make(thread: number, place: number, calls: readonly Pending[]): Control {
    const last = calls.at(-1);
    // Made often: V8 makes objects slower where their literal begins with a spread.
    return {
      id: this.all[thread].length,
      thread,
      place,
      calls,
      open: calls.map((_, i) => this.openIn(calls, i)),
      linked: [...calls.keys()].filter((i) => this.isLinked(calls[i].local)),
      waits: last !== undefined && this.holds(last.local),
      values: calls.flatMap(({ local }, i) =>
        valueSlots(local).map((k) => i * this.widths[thread] + k),
      ),
      isIdle: calls.every(({ local }) => local.isFinished),
      known: {
        kept: undefined,
        places: [],
        begun: [],
        free: undefined,
        starts: undefined,
        actions: [],
        moves: undefined,
      },
    };
  }

  /** Does its thread wait for a step of this call? */
  holds(local: Local): boolean {
    return (this.threads.barriersOf(local.class) & local.executed & ~local.issued) !== 0;
  }

  /** Are there guesses between it and calls of other threads? */
  private isLinked({ class: of, isFinished }: Local): boolean {
    return !isFinished && this.threads.isLinked(of);
  }

  private openIn(calls: readonly Pending[], i: number): StepMask {
    const { local } = calls[i];
    let open = local.next;
    for (const { event } of calls[i].promises) open &= ~(2 << (2 * event));
    for (const [j, { local: other }] of calls.entries()) {
      if (j < i) open &= this.pairs.inOrder(other, local).open[1];
      else if (j > i) open &= this.pairs.inOrder(local, other).open[0];
    }
    return open;
  }
}

/** A call among those that are left. What others wait for is left, too. */
function moved(call: Pending, left: readonly number[]): Pending {
  const { local, partners, promises } = call;
  if (promises.every(({ of }) => left[of] === of)) return call;
  return {
    local,
    partners,
    promises: promises.map((promise) => ({ ...promise, of: left.indexOf(promise.of) })),
  };
}
