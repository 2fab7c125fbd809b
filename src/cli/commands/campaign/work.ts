import { availableParallelism } from 'node:os';
import type { Job, Worker } from 'bullmq';
import { DEFAULT_TIME_LIMIT } from '../../../node/pool.js';
import type { Workers } from '../../../node/pool.js';
import { solverProblem } from '../../../node/probe.js';
import { AS_EXPECTED, BAD_INPUT, INTERRUPTED, UNDECIDED } from '../../command/exit.js';
import { complain } from '../../print/print.js';
import { refuse } from '../../run/answer.js';
import { poolFor } from '../../run/tasks.js';
import { SIGNALS } from '../../run/signals.js';
import type { Division } from './division.js';
import { withCampaign } from './existing.js';
import type { Plan } from './plan.js';
import { jobsOf, planContent } from './plan.js';
import type { RedisAccess, CampaignQueue, JobResult, JobStates } from './queue.js';
import { lostText, readJobStates, resultFor } from './queue.js';
import { isAway, redisProblem, redisRefusal } from './redis.js';
import { withDivision } from './reread.js';

/**
 * How many jobs a worker does at once: while the last programs of one are tried, threads that are free begin with the
 * next.
 */
const JOBS_AT_ONCE = 2;

/** Milliseconds for which a worker has a job. The worker renews this time until the job is done. */
const LOCK = 10_000;

/** Milliseconds between looks for jobs whose worker was lost. */
const LOOK = 5000;

/** A job is given up if so many workers were lost during it: it may be the reason. */
const MOST_LOST = 20;

/** Milliseconds between looks whether the campaign is there, and done. */
const POLL = 1000;

/** How a worker ends, and what it says. */
interface End {
  readonly code: number;
  readonly said: string;
}

/**
 * What each worker chooses for itself: the number of threads, and the command of a solver. A plan never names these.
 */
export interface Means {
  readonly jobs?: number;
  readonly solver?: string;
}

/** `remora campaign work`: does jobs of a campaign until all are done. */
export function workOn(access: RedisAccess, name: string, means: Means): Promise<number> {
  let end = (_: End): void => {};
  const ended = new Promise<End>((resolve) => (end = resolve));
  const work = async (queue: CampaignQueue, plan: Plan): Promise<number> => {
    const done = await withDivision(name, plan, async (division) => {
      const problem = await wrongMeans(name, division, means);
      return problem === undefined
        ? serveJobs(queue, plan, division, means, { end, ended })
        : { problem };
    });
    return typeof done === 'number' ? done : refuse([done.problem]);
  };
  return withCampaign(access, name, work, (said) => end({ code: BAD_INPUT, said }));
}

/** The message that a worker lacks a solver, or has one that it does not need; or undefined. */
async function wrongMeans(
  name: string,
  { native, run: { timeLimit = DEFAULT_TIME_LIMIT } }: Division,
  { solver }: Means,
): Promise<string | undefined> {
  if (solver !== undefined && native) return solverProblem(solver, timeLimit);
  if (solver !== undefined) return `campaign '${name}' asks no solver: leave --solver out`;
  if (!native) return undefined;
  return `campaign '${name}' is for the engine native: name a solver of yours by --solver <command>`;
}

async function serveJobs(
  queue: CampaignQueue,
  plan: Plan,
  division: Division,
  { jobs: threads = availableParallelism(), solver }: Means,
  { end, ended }: { readonly end: (how: End) => void; readonly ended: Promise<End> },
): Promise<number> {
  const { name, connection } = queue;
  const content = planContent(plan);
  const own = new Map(jobsOf(plan).map((job) => [job.id, job]));
  const pool = poolFor({ ...division.run, jobs: threads, solver }, true);
  let ending = false;
  let [units, jobs] = [0, 0];
  const doJob = async (job: Job, token?: string): Promise<JobResult> => {
    // The plan gives the range: from Redis, only the id is taken.
    const { id = '' } = job;
    const range = own.get(id);
    if (range !== undefined) {
      const lines = await attempt(
        () => division.work(range, pool, 2 * threads),
        () => ending,
      );
      if (lines !== undefined && !ending) {
        const wrong = division.wrong(range, lines);
        if (wrong !== undefined) throw new Error(wrong);
        units += range.to - range.from;
        jobs += 1;
        return resultFor(queue, id, lines);
      }
    } else if ((await queue.contents()).now === content) {
      throw new queue.bullmq.UnrecoverableError('no job of this campaign');
    }
    await job.moveToWait(token);
    throw new queue.bullmq.WaitingError();
  };
  const worker = new queue.bullmq.Worker<object, JobResult>(name, doJob, {
    ...queue.options,
    concurrency: JOBS_AT_ONCE,
    lockDuration: LOCK,
    stalledInterval: LOOK,
    maxStalledCount: MOST_LOST,
  });
  worker.on('error', (error) => {
    const refused = redisRefusal(connection.place, error);
    if (refused !== undefined) end({ code: BAD_INPUT, said: refused });
    else if (!ending && !isAway(error)) complain([`campaign '${name}': ${problemText(error)}`]);
  });
  const interrupt = (): void =>
    end({ code: INTERRUPTED, said: `campaign '${name}': its jobs go back` });
  for (const signal of SIGNALS) process.once(signal, interrupt);
  complain([`campaign '${name}': at work, ${threads} threads`]);
  void lookAfter(queue, content, new Set(own.keys()), end, () => ending);
  const how = await ended;
  ending = true;
  for (const signal of SIGNALS) process.removeListener(signal, interrupt);
  complain([how.said]);
  await leave(worker, pool, connection.away || how.code === BAD_INPUT);
  process.stdout.write(`${units} ${plan.unit}s in ${jobs} jobs\n`);
  return how.code;
}

/** The result of some work; undefined if it failed because the worker ends. */
async function attempt<T>(work: () => Promise<T>, ending: () => boolean): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (ending()) return undefined;
    throw error;
  }
}

/** A short message for BullMQ's long one, that a job no longer belongs to this worker. */
const problemText = ({ message }: Error): string =>
  /lock|not in the active state|Missing key/.test(message)
    ? 'a job went to another worker while this one was cut off: it counts there'
    : message.split('\n')[0];

/**
 * Ends the work. Jobs that are under way go back to Redis; if it is away, other workers take them when their time is
 * over.
 */
async function leave(worker: Worker, pool: Workers, cutOff: boolean): Promise<void> {
  const closed = worker.close(cutOff);
  await pool.close();
  await closed;
}

/** Checks now and then whether the campaign is still there, and whether all of it is done. */
async function lookAfter(
  queue: CampaignQueue,
  content: string,
  ids: ReadonlySet<string>,
  end: (how: End) => void,
  ending: () => boolean,
): Promise<void> {
  const { name, connection } = queue;
  while (!ending()) {
    try {
      const { now, stopped } = await queue.contents();
      const how =
        now === content
          ? endOf(name, ids.size, await readJobStates(queue, ids))
          : goneEnd(name, now !== undefined, stopped === content);
      if (how !== undefined) end(how);
    } catch (error) {
      if (ending()) return;
      if (!isAway(error)) end({ code: BAD_INPUT, said: redisProblem(connection.place, error) });
    }
    await new Promise((resolve) => setTimeout(resolve, POLL));
  }
}

/** How a worker ends when no jobs of its campaign are left. */
function endOf(
  name: string,
  total: number,
  { completed, failed, open }: JobStates,
): End | undefined {
  const lost = total - completed.length - failed.length;
  if (lost === 0)
    return { code: AS_EXPECTED, said: `campaign '${name}': all ${total} jobs are done` };
  return open ? undefined : { code: UNDECIDED, said: lostText(name, lost) };
}

/** How a worker ends when its campaign is gone. */
function goneEnd(name: string, other: boolean, stopped: boolean): End {
  const gone = `campaign '${name}' is not there any more`;
  if (other) return { code: BAD_INPUT, said: `${gone}: another campaign has its name now` };
  if (stopped) return { code: AS_EXPECTED, said: `${gone}: it was stopped` };
  const why = 'Redis did not keep it over a stop (appendonly yes), or somebody emptied it';
  return { code: UNDECIDED, said: `${gone}: ${why}` };
}
