import type { Message, PageJob, ScriptJob } from './job.js';
import { defaultMemory, watchMemory } from './memory.js';
import type { WorkerSlot } from './slot.js';
import { isUsable, leaveSlot, post } from './slot.js';
import type { Job } from '../analyses/workers.js';
import { INTERRUPTION } from '../check/result.js';
import { isStateQuery } from '../program/program.js';
import { isNative, needsBuiltIn, solves } from '../rdma/engines.js';

/** Seconds in which a worker must have loaded Z3. */
const START_LIMIT = 60;

/** Seconds beyond its time limit after which an engine that watches the time itself is ended. */
const GRACE = 5;

/** The longest delay of a timer, in milliseconds. A longer one would fire at once. */
const LONGEST_DELAY = 2 ** 31 - 1;

/** How a job ended on a worker: with everything said, or early, for a reason. */
export interface JobEnd {
  readonly early?: string;
}

type AnyJob = Job | PageJob | ScriptJob;

export interface JobRunnerOptions {
  /** Takes or starts a worker. */
  readonly start: () => WorkerSlot;
  /** How many workers to start before there is work for them. */
  readonly eager: number;
  /** Seconds that one job may take. */
  readonly timeLimit: number;
  /** MiB that this process may take while it decides; by default most of what the container, or the machine, has. */
  readonly memory: number | undefined;
  /** Why there is no solver of the user's, if there is none. */
  readonly problem: string | undefined;
  /** Hears, now and then, how many states of a machine a job has reached. */
  readonly explored: ((states: number) => void) | undefined;
}

/** Runs each job on a worker of its own, within its limits of time and memory. */
export class JobRunner {
  /** Once true, no job begins any more, and none has an answer. */
  closed = false;
  private readonly idle: WorkerSlot[];
  private readonly busy = new Set<WorkerSlot>();
  /** Has a look at the memory that is taken, and goes on to do so. */
  private readonly look: () => void;

  constructor(private readonly options: JobRunnerOptions) {
    const { start, eager, memory } = options;
    this.idle = Array.from({ length: eager }, start);
    ({ look: this.look } = watchMemory(memory ?? defaultMemory(), () =>
      [...this.busy].flatMap(({ listener }) => listener ?? []),
    ));
  }

  /** Is a worker started that has nothing to do? */
  get hasIdle(): boolean {
    return this.idle.length > 0;
  }

  /**
   * Is the worker that is free now better for a job that needs Z3 than for others? One worker is enough to load Z3 for a few jobs;
   * the others do so when nothing else is left.
   */
  get prefersSolving(): boolean {
    const hasSolver = (slots: Iterable<WorkerSlot>): boolean =>
      [...slots].some((slot) => slot.solver);
    return hasSolver(this.idle) || !hasSolver(this.busy);
  }

  /** @param hear what hears the messages of the worker about the job itself */
  async run(job: AnyJob, hear: (message: Message) => void): Promise<JobEnd> {
    const { problem } = this.options;
    if (this.closed) return { early: INTERRUPTION };
    if (problem !== undefined && isNative(job.engine)) return { early: problem };
    const solver = needsBuiltIn(job.engine);
    const slot = await this.acquire(solver);
    if (this.closed) {
      await slot.end();
      return { early: INTERRUPTION };
    }
    slot.jobs += 1;
    slot.solver ||= solver;
    this.busy.add(slot);
    const end = await this.endOf(slot, job, hear);
    this.busy.delete(slot);
    slot.listener = undefined;
    if (end.early === undefined && !this.closed) this.idle.push(slot);
    else await slot.end();
    return end;
  }

  /** Ends all jobs at once, and their workers. */
  async close(): Promise<void> {
    this.closed = true;
    for (const slot of this.busy) slot.listener?.end(INTERRUPTION);
    await Promise.all([
      ...[...this.busy].map((slot) => slot.end()),
      ...this.idle.splice(0).map(leaveSlot),
    ]);
  }

  /** Takes an idle worker that is not broken, or starts one. Prefers one with Z3 for a job that needs it, and one without for others. */
  private async acquire(solver: boolean): Promise<WorkerSlot> {
    const { idle } = this;
    while (idle.length > 0) {
      // If none is better, the index is -1, which takes the last.
      const better = idle.findLastIndex((slot) => slot.solver === solver);
      const [slot] = idle.splice(better, 1);
      if (isUsable(slot)) return slot;
      await slot.end();
    }
    return this.options.start();
  }

  /** Posts a job to a worker; the time limit counts from when the worker begins. */
  private async endOf(
    slot: WorkerSlot,
    job: AnyJob,
    hear: (message: Message) => void,
  ): Promise<JobEnd> {
    const { timeLimit, memory } = this.options;
    let timer: NodeJS.Timeout | undefined;
    const end = await new Promise<JobEnd>((resolve) => {
      const within = (seconds: number, early: string): void => {
        clearTimeout(timer);
        timer = setTimeout(() => resolve({ early }), Math.min(seconds * 1000, LONGEST_DELAY));
      };
      slot.listener = {
        hear: (message) => {
          if (message.kind === 'started') {
            within(secondsFor(job, timeLimit), `time limit of ${timeLimit} s reached`);
          } else if (message.kind === 'done') {
            slot.solver = message.solver;
            resolve({});
          } else if (message.kind === 'failed') {
            const what = job.kind === 'script' ? 'the script' : `the ${job.engine} engine`;
            resolve({ early: `${what} failed: ${message.message}` });
          } else if (message.kind === 'explored') this.options.explored?.(message.states);
          else hear(message);
        },
        end: (early) => resolve({ early }),
      };
      within(START_LIMIT, `the worker did not start within ${START_LIMIT} s`);
      if (slot.broken === undefined) post(slot, job, { timeLimit, memory });
      else resolve({ early: slot.broken });
      this.look();
    });
    clearTimeout(timer);
    return end;
  }
}

/** Seconds after which a worker is ended. What watches the time itself has longer, for each of its models. */
function secondsFor(job: AnyJob, timeLimit: number): number {
  const isWhole = job.kind === 'analysis' || job.kind === 'page';
  if (!isWhole && solves(job.engine) && !asksOfRuns(job)) return timeLimit;
  return timeLimit * (isWhole ? 1 : job.models.length) + GRACE;
}

/** Does it ask about runs, so that a machine is explored? Then the time is watched there. */
const asksOfRuns = (job: Job | ScriptJob): boolean =>
  job.kind === 'decide' &&
  job.queries.some((query) => job.tests.some((t) => !isStateQuery(t.queries[query])));
