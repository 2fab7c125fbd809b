import type { Local } from './local.js';
import type { Queues } from './queues.js';
import type { Threads } from './threads.js';

/** Whose steps are promised to come (fairness): a number for each. */
export type Actor = number;

/**
 * Who takes steps. A thread goes on; and of the calls of a thread in one lane, each label has its issue and its observation, so that no kind of event is put off for
 * ever by others.
 */
export class Actors {
  /** Who need not take a step, ever: a thread before an iteration that it may leave out. */
  readonly idle: Actor;
  private readonly numbers = new Map<string, Actor>();
  private readonly contested: boolean[] = [];
  private readonly threadOf: number[] = [];
  private readonly names: string[] = [];

  constructor(
    private readonly threads: Threads,
    private readonly queues: Queues,
    private readonly lanes: readonly string[],
    threadCount: number,
  ) {
    for (let t = 0; t < threadCount; t++) {
      this.threadOf.push(t);
      this.names.push(`thread ${t}`);
    }
    this.idle = threadCount;
    this.threadOf.push(-1);
    this.names.push('idle');
  }

  get count(): number {
    return this.threadOf.length;
  }

  thread(t: number): Actor {
    return t;
  }

  /** Who takes a step of a call. */
  step({ class: of, site }: Local, step: number): Actor {
    const { label } = site.events[step >> 1];
    const key = `${this.lanes[of]} ${label} ${step & 1}`;
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    const made = this.threadOf.push(site.thread) - 1;
    this.numbers.set(key, made);
    this.names.push(key);
    const takes = this.queues.of(of, step >> 1).some(({ puts }) => !puts);
    this.contested[made] = takes || this.threads.isLinked(of);
    return made;
  }

  /** May steps of other threads take away from it what it could do, as guesses between threads are decided, or queues are shared? */
  isContested(actor: Actor): boolean {
    return this.contested[actor] ?? false;
  }

  /** The same in each program with the same threads and queue pairs. */
  name(actor: Actor): string {
    return this.names[actor];
  }

  /** Whose thread it is; -1 of `idle`. */
  owner(actor: Actor): number {
    return this.threadOf[actor];
  }
}
