import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { Job, Worker } from 'bullmq';
import type { Workers } from '../../node/pool.js';
import { AS_EXPECTED, BAD_INPUT, INTERRUPTED } from '../exit.js';
import { complain } from '../print.js';
import { poolFor } from '../run.js';
import { ownBuild } from '../build.js';
import { SIGNALS } from '../signals.js';
import { VERSION } from '../version.js';
import type { Division } from './division.js';
import { divide } from './divide.js';
import { unpack } from './folder.js';
import { withCampaign } from './known.js';
import type { Plan } from './plan.js';
import { jobsOf, planContent } from './plan.js';
import type { CampaignQueue, Failed, JobData } from './queue.js';
import type { RedisPlace } from './redis.js';
import { isAway, redisProblem, refusal } from './redis.js';

/** Jobs that are under way at once: while the last programs of one are tried, others are of the next. */
const AT_ONCE = 2;

/** Milliseconds for which a worker has a job. It renews that, until it is done or the process is no more. */
const LOCK = 10_000;

/** Milliseconds between looks for jobs that nobody has any more. */
const LOOK = 5000;

/** A job that so many workers were lost with may be the reason: it is given up. */
const MOST_LOST = 20;

/** Milliseconds between looks whether the campaign is there, and done. */
const POLL = 1000;

/** How a worker ends, and what it says. */
interface End {
  readonly code: number;
  readonly said: string;
}

/** `remora campaign work`: does jobs of a campaign until all are done. */
export function workOn(
  place: RedisPlace,
  name: string,
  jobs = availableParallelism(),
): Promise<number> {
  let end = (_: End): void => {};
  const ended = new Promise<End>((resolve) => (end = resolve));
  const work = async (queue: CampaignQueue, plan: Plan): Promise<number> => {
    const problem = stranger(name, plan);
    if (problem !== undefined) {
      complain([problem]);
      return BAD_INPUT;
    }
    const { root, folder } = unpack(plan.files);
    const home = process.cwd();
    process.chdir(folder);
    try {
      const division = await sameDivision(name, plan);
      if (!('problem' in division)) {
        return await serveJobs(queue, plan, division, jobs, { end, ended });
      }
      complain([division.problem]);
      return BAD_INPUT;
    } finally {
      process.chdir(home);
      rmSync(root, { recursive: true });
    }
  };
  return withCampaign(place, name, work, (said) => end({ code: BAD_INPUT, said }));
}

/** That a campaign needs another Remora than this. */
function stranger(name: string, { remora, build }: Plan): string | undefined {
  if (remora !== VERSION)
    return `campaign '${name}' needs Remora ${remora}, and this is ${VERSION}`;
  if (build === ownBuild()) return undefined;
  return `campaign '${name}' needs another build of Remora ${VERSION}: that which campaign start was run with`;
}

/** The work of a plan, read from the files that came with it. */
async function sameDivision(name: string, plan: Plan): Promise<Division | Failed> {
  const division = await divide(plan.words, plan.paths);
  if ('errors' in division) return { problem: division.errors.join('\n') };
  const { header, count } = division;
  const same = JSON.stringify(header) === JSON.stringify(plan.header) && count === plan.count;
  if (same) return division;
  return { problem: `campaign '${name}' was begun with other models or libraries than are here` };
}

async function serveJobs(
  queue: CampaignQueue,
  plan: Plan,
  division: Division,
  threads: number,
  { end, ended }: { readonly end: (how: End) => void; readonly ended: Promise<End> },
): Promise<number> {
  const { name, connection } = queue;
  const content = planContent(plan);
  const pool = poolFor({ ...division.run, jobs: threads }, true);
  let ending = false;
  let [units, jobs] = [0, 0];
  const doJob = async (job: Job<JobData>, token?: string): Promise<string> => {
    if (job.data.content === content) {
      const lines = await attempt(
        () => division.work(job.data, pool, 2 * threads),
        () => ending,
      );
      if (lines !== undefined && !ending) {
        units += job.data.to - job.data.from;
        jobs += 1;
        return lines;
      }
    }
    await job.moveToWait(token);
    throw new queue.bullmq.WaitingError();
  };
  const worker = new queue.bullmq.Worker<JobData, string>(name, doJob, {
    ...queue.options,
    concurrency: AT_ONCE,
    lockDuration: LOCK,
    stalledInterval: LOOK,
    maxStalledCount: MOST_LOST,
  });
  worker.on('error', (error) => {
    const refused = refusal(connection.place, error);
    if (refused !== undefined) end({ code: BAD_INPUT, said: refused });
    else if (!ending && !isAway(error)) complain([`campaign '${name}': ${lostText(error)}`]);
  });
  const interrupt = (): void =>
    end({ code: INTERRUPTED, said: `campaign '${name}': its jobs go back` });
  for (const signal of SIGNALS) process.once(signal, interrupt);
  complain([`campaign '${name}': at work, ${threads} threads`]);
  void lookAfter(queue, plan, content, end, () => ending);
  const how = await ended;
  ending = true;
  for (const signal of SIGNALS) process.removeListener(signal, interrupt);
  complain([how.said]);
  await leave(worker, pool, connection.away || how.code === BAD_INPUT);
  process.stdout.write(`${units} ${plan.unit}s in ${jobs} jobs\n`);
  return how.code;
}

/** What comes of some work; undefined where it fails because it is ended. */
async function attempt<T>(work: () => Promise<T>, ending: () => boolean): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (ending()) return undefined;
    throw error;
  }
}

/** BullMQ says in many words that a job is no longer this worker's. */
const lostText = ({ message }: Error): string =>
  /lock|not in the active state|Missing key/.test(message)
    ? 'a job went to another worker while this one was cut off: it counts there'
    : message.split('\n')[0];

/** Ends the work: jobs that are under way go back, if Redis is there to take them; if not, others take them when their time is over. */
async function leave(worker: Worker, pool: Workers, cutOff: boolean): Promise<void> {
  const closed = worker.close(cutOff);
  await pool.close();
  await closed;
}

/** Looks now and then whether the campaign is still there, and whether all of it is done. */
async function lookAfter(
  queue: CampaignQueue,
  plan: Plan,
  content: string,
  end: (how: End) => void,
  ending: () => boolean,
): Promise<void> {
  const { name, connection } = queue;
  const total = jobsOf(plan).length;
  while (!ending()) {
    try {
      const is = await queue.content();
      const { completed, failed } = await queue.queue.getJobCounts('completed', 'failed');
      if (is !== content) {
        const why = 'campaign stop was run, or Redis did not keep it over a stop (appendonly yes)';
        const other = 'another campaign has its name now';
        const said = `campaign '${name}' is not there any more: ${is === undefined ? why : other}`;
        end({ code: is === undefined ? AS_EXPECTED : BAD_INPUT, said });
      } else if (completed + failed >= total) {
        end({ code: AS_EXPECTED, said: `campaign '${name}': all ${total} jobs are done` });
      }
    } catch (error) {
      if (ending()) return;
      if (!isAway(error)) end({ code: BAD_INPUT, said: redisProblem(connection.place, error) });
    }
    await new Promise((resolve) => setTimeout(resolve, POLL));
  }
}
