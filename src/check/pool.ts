import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import type { Job, Message } from './job.js';
import type { Answer, Outcomes } from './result.js';

export interface PoolOptions {
  /** Number of worker threads; by default the number of cores. */
  readonly jobs?: number;
  /** Seconds that the queries of one test, or one list of outcomes, may take together. */
  readonly timeLimit?: number;
}

/** Worker threads with one Z3 instance each. Must be closed, or the process does not end. */
export interface Pool {
  /** Decides a job's queries; every query gets an answer, if only `unknown`. */
  decide(job: Extract<Job, { kind: 'decide' }>): Promise<readonly Answer[]>;
  enumerate(job: Extract<Job, { kind: 'enumerate' }>): Promise<Outcomes>;
  /** Ends all threads at once; whatever still runs is answered `unknown`. */
  close(): Promise<void>;
}

/** Seconds for one query where nothing else is said. */
export const DEFAULT_TIME_LIMIT = 60;

/** Jobs after which a worker is replaced: WebAssembly memory comes back only with the instance. */
const JOBS_PER_WORKER = 5000;

interface Slot {
  worker: Worker;
  jobs: number;
}

/** How a job ended on a worker: with everything said, or early, for a reason. */
type End = { readonly early?: string };

/** Starts the workers: they load Z3 while the caller still reads files. */
export function createPool({
  jobs = availableParallelism(),
  timeLimit = DEFAULT_TIME_LIMIT,
}: PoolOptions = {}): Pool {
  const limit = pLimit(jobs);
  const start = (): Slot => ({
    worker: new Worker(new URL('./worker.js', import.meta.url)),
    jobs: 0,
  });
  const idle: Slot[] = Array.from({ length: jobs }, start);
  const busy = new Map<Slot, (end: End) => void>();
  let closed = false;

  /** Runs a job on a worker of its own; a message or, at the latest, the time limit ends it. */
  const run = async (job: Job, hear: (message: Message) => void): Promise<End> => {
    if (closed) return { early: 'interrupted' };
    let slot = idle.pop() ?? start();
    if (slot.jobs >= JOBS_PER_WORKER) {
      await slot.worker.terminate();
      slot = start();
    }
    slot.jobs += 1;
    const { worker } = slot;
    const end = await listen(worker, job, hear, (stop) => busy.set(slot, stop));
    busy.delete(slot);
    if (end.early === undefined) idle.push(slot);
    else await worker.terminate();
    return end;
  };

  /** Posts a job and hears a worker until the job ends. */
  const listen = async (
    worker: Worker,
    job: Job,
    hear: (message: Message) => void,
    onStart: (stop: (end: End) => void) => void,
  ): Promise<End> => {
    let timer: NodeJS.Timeout | undefined;
    let onMessage: (message: Message) => void = () => {};
    let onError: (error: Error) => void = () => {};
    let onExit: () => void = () => {};
    try {
      return await new Promise<End>((resolve) => {
        const early = `time limit of ${timeLimit} s reached`;
        timer = setTimeout(() => resolve({ early }), timeLimit * 1000);
        onMessage = (message) => {
          if (message.kind === 'done') return resolve({});
          if (message.kind === 'failed') {
            return resolve({ early: `the solver failed: ${message.message}` });
          }
          hear(message);
        };
        onError = (error) => resolve({ early: `the solver crashed: ${error.message}` });
        onExit = () => resolve({ early: 'the solver ended unexpectedly' });
        worker.on('message', onMessage).on('error', onError).on('exit', onExit);
        onStart(resolve);
        worker.postMessage(job);
      });
    } finally {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
    }
  };

  /**
   * The answers of a job. Where one query ends it early, each is tried again alone, so that only
   * the one to blame stays without an answer.
   */
  const decideAll = async (job: Extract<Job, { kind: 'decide' }>): Promise<readonly Answer[]> => {
    const started = performance.now();
    let answers: readonly Answer[] = [];
    const end = await run(job, (message) => {
      if (message.kind === 'answers') answers = message.answers;
    });
    if (end.early === undefined) return answers;
    if (job.queries.length === 1 || closed) {
      const milliseconds = performance.now() - started;
      const rest = { verdict: 'unknown', reason: end.early, flags: [], milliseconds } as const;
      return job.queries.map((query) => ({ query, ...rest }));
    }
    const alone: Answer[] = [];
    for (const query of job.queries) alone.push(...(await decideAll({ ...job, queries: [query] })));
    return alone;
  };

  return {
    decide: (job) => limit(() => decideAll(job)),
    enumerate: (job) =>
      limit(async () => {
        const started = performance.now();
        let outcomes: Outcomes | undefined;
        const end = await run(job, (message) => {
          if (message.kind === 'outcomes') outcomes = message.outcomes;
        });
        return (
          outcomes ?? {
            states: [],
            incomplete: end.early ?? 'no answer',
            milliseconds: performance.now() - started,
          }
        );
      }),
    async close() {
      closed = true;
      const interrupted = [...busy.entries()];
      for (const [, resolve] of interrupted) resolve({ early: 'interrupted' });
      await Promise.all([...idle, ...interrupted.map(([s]) => s)].map((s) => s.worker.terminate()));
    },
  };
}
