/** Worker threads of pools. */
import { Worker } from 'node:worker_threads';
import type { Job } from '../analyses/workers.js';
import type { Model } from '../model/term.js';
import { openBridge } from './bridge.js';
import type { SolverCommand } from './command.js';
import { beforeFlags } from './flags.js';
import type { Message, PageJob, Posted, ScriptJob, WorkerData } from './job.js';

/** Jobs after which a worker is replaced: WebAssembly memory comes back only with the instance. */
const JOBS_PER_WORKER = 5000;

/** Models after which a worker is replaced: it keeps all that it was sent. */
const MODELS_PER_WORKER = 200;

/** MiB that V8 may use for young objects. Encodings and explanations make many: with V8's default, a tenth of the time goes to collecting them. */
const YOUNG = 96;

/** What Node says where the objects of a worker take more than they may. */
const HEAP_FULL = 'ERR_WORKER_OUT_OF_MEMORY';

const FULL = 'it ran out of memory: --memory gives it more';

/** A worker and what it is doing. */
export interface WorkerSlot {
  readonly worker: Worker;
  /** Ends the worker, and the solvers' processes that belong to it. */
  readonly end: () => Promise<unknown>;
  jobs: number;
  /** Whether it has loaded Z3, or will do so for its job. */
  solver: boolean;
  /** The models that it has been sent. */
  readonly models: Model[];
  /** Hears the messages and the end of the job that runs, if one does. */
  listener: { hear(message: Message): void; end(early: string): void } | undefined;
  /** Why the worker is of no use any more. */
  broken?: string;
  /** Whether another pool may have it. */
  readonly isForAll: boolean;
}

/** Workers that no pool has; undefined where workers end with their pool. */
let kept: WorkerSlot[] | undefined;

/** From now on, workers outlive their pools: for a process that runs one command after the other. */
export function keepSlots(): void {
  kept ??= [];
}

interface SlotOptions extends Pick<WorkerData, 'preload' | 'flags'> {
  /** MiB that its objects may take; by default as V8 thinks fit. */
  readonly memory?: number | undefined;
}

/** A worker that another pool has left, or a new one. */
export function takeSlot(options: SlotOptions, command: SolverCommand | undefined): WorkerSlot {
  if (kept === undefined || command !== undefined || options.memory !== undefined) {
    return startSlot(options, command);
  }
  kept = kept.filter((slot) => slot.broken === undefined);
  // If none is better, the index is -1, which takes the last.
  const better = kept.findLastIndex((slot) => slot.solver === options.preload);
  return kept.splice(better, 1)[0] ?? startSlot(options, command);
}

/** Ends a worker that does nothing, or keeps it for another pool. */
export async function leaveSlot(slot: WorkerSlot): Promise<void> {
  if (kept === undefined || !slot.isForAll || !isUsable(slot)) await slot.end();
  else kept.push(slot);
}

export const isUsable = ({ broken, jobs, models }: WorkerSlot): boolean =>
  broken === undefined && jobs < JOBS_PER_WORKER && models.length < MODELS_PER_WORKER;

/** Posts a job, and along with it the models that this worker has not seen yet. */
export function post(
  { worker, models: seen }: WorkerSlot,
  { models, ...job }: Job | PageJob | ScriptJob,
  limits: Pick<Posted, 'timeLimit' | 'memory'>,
): void {
  const unseen = models.filter((model) => !seen.includes(model));
  seen.push(...unseen);
  const posted: Posted = {
    job,
    numbers: models.map((model) => seen.indexOf(model)),
    unseen,
    ...limits,
  };
  worker.postMessage(posted);
}

/** Starts a worker. If something ends it, the job that it runs hears the reason, or else its next job does. */
function startSlot(
  { memory, ...options }: SlotOptions,
  command: SolverCommand | undefined,
): WorkerSlot {
  // Workers set them.
  beforeFlags();
  const bridge = command && openBridge(command);
  const data: WorkerData = { ...options, bridge: bridge?.end };
  // The worker must not inherit options of this process, such as a script given on the command line.
  const worker = new Worker(new URL('../node/worker.js', import.meta.url), {
    execArgv: [],
    workerData: data,
    resourceLimits: {
      maxYoungGenerationSizeMb: YOUNG,
      ...(memory !== undefined && { maxOldGenerationSizeMb: memory }),
    },
    transferList: bridge === undefined ? [] : [bridge.end.port],
  });
  const end = (): Promise<unknown> => {
    bridge?.close();
    return worker.terminate();
  };
  const slot: WorkerSlot = {
    worker,
    end,
    jobs: 0,
    solver: options.preload,
    models: [],
    listener: undefined,
    isForAll: command === undefined && memory === undefined,
  };
  const breaks = (reason: string): void => {
    slot.broken ??= reason;
    slot.listener?.end(reason);
  };
  worker.on('message', (message: Message) => slot.listener?.hear(message));
  worker.on('error', (error: NodeJS.ErrnoException) =>
    breaks(error.code === HEAP_FULL ? FULL : `the solver crashed: ${error.message}`),
  );
  worker.on('exit', () => breaks('the solver ended unexpectedly'));
  return slot;
}
