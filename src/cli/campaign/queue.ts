/** Campaigns in Redis: a queue of BullMQ for each, and beside it what the campaign is. */
import type { Queue, WorkerOptions } from 'bullmq';
import type * as packageTypes from './packages.js';
import { didYouMean } from '../../parse/diagnostics/index.js';
import type { CampaignJob, Plan } from './plan.js';
import { jobsOf, planContent } from './plan.js';
import type { Connection, RedisPlace } from './redis.js';
import { connect, redisProblem } from './redis.js';

/** What all keys in Redis begin with. */
const PREFIX = 'remora';

/** So many jobs are added by one request. */
const AT_ONCE = 500;

type Packages = typeof packageTypes;

/** BullMQ and its client of Redis, if they are there. */
async function packages(): Promise<Packages | undefined> {
  try {
    return await import('./packages.js');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'MODULE_NOT_FOUND' && code !== 'ERR_MODULE_NOT_FOUND') throw error;
    return undefined;
  }
}

const MISSING = 'a campaign needs two packages that are optional: npm install bullmq ioredis';

/** A campaign that may be there, and the connection that it was looked for by. */
export interface CampaignQueue {
  readonly name: string;
  readonly connection: Connection;
  readonly queue: Queue;
  readonly bullmq: Packages;
  /** What workers are made with. */
  readonly options: Pick<WorkerOptions, 'connection' | 'prefix'>;
  /** The hash of the plan that is there now, if there is one. */
  content(): Promise<string | undefined>;
  close(): Promise<void>;
}

export type Failed = { readonly problem: string };

/**
 * Opens the queue of a campaign.
 *
 * @param refused hears, later, that Redis takes nothing from this user any more
 */
export async function openQueue(
  place: RedisPlace,
  name: string,
  refused?: (problem: string) => void,
): Promise<CampaignQueue | Failed> {
  const bullmq = await packages();
  if (bullmq === undefined) return { problem: MISSING };
  const connection = await connect(place, bullmq.Redis, refused);
  if ('problem' in connection) return connection;
  const { client } = connection;
  const end = (problem: string): Failed => {
    connection.close();
    return { problem };
  };
  try {
    const policy = /^maxmemory_policy:(.*?)\r?$/m.exec(await client.info('memory'))?.[1];
    if (policy !== undefined && policy !== 'noeviction') {
      const needed = 'a campaign needs maxmemory-policy noeviction';
      return end(
        `${place.shown}: Redis throws entries away when it is full (${policy}): ${needed}`,
      );
    }
  } catch (error) {
    return end(redisProblem(place, error));
  }
  const options = { connection: client, prefix: PREFIX };
  const queue = new bullmq.Queue(name, options);
  // Each request says itself what is wrong.
  queue.on('error', () => {});
  return {
    ...{ name, connection, queue, bullmq, options },
    content: async () => (await client.hget(keyOf(name), 'content')) ?? undefined,
    async close() {
      connection.close();
      await queue.close();
    },
  };
}

const keyOf = (name: string): string => `${PREFIX}:${name}:campaign`;

/** Does Redis write down what it is given, so that it has it when it is started again? */
export async function keepsAll({ connection }: CampaignQueue): Promise<boolean> {
  return /^aof_enabled:1/m.test(await connection.client.info('persistence'));
}

/**
 * Writes the plan of a campaign and its jobs. What is there already stays: who was interrupted can do it again.
 *
 * @returns how many jobs there are, or that another campaign has this name
 */
export async function writePlan(
  { name, queue, connection: { client } }: CampaignQueue,
  plan: Plan,
): Promise<number | 'other'> {
  const content = planContent(plan);
  const key = keyOf(name);
  const first = await client.hsetnx(key, 'content', content);
  if (first === 0 && (await client.hget(key, 'content')) !== content) return 'other';
  await client.hset(key, 'plan', JSON.stringify(plan));
  const jobs = jobsOf(plan);
  for (let at = 0; at < jobs.length; at += AT_ONCE) {
    await queue.addBulk(
      jobs.slice(at, at + AT_ONCE).map((job) => ({
        name: plan.unit,
        data: { ...job, content },
        opts: { jobId: job.id },
      })),
    );
  }
  return jobs.length;
}

/** What a job of BullMQ holds. */
export interface JobData extends CampaignJob {
  /** The hash of the plan that it is of. */
  readonly content: string;
}

/** The plan of a campaign, or a message that there is no such campaign. */
export async function readPlan({ name, connection }: CampaignQueue): Promise<Plan | Failed> {
  const { client, place } = connection;
  const text = await client.hget(keyOf(name), 'plan');
  if (text !== null) return JSON.parse(text) as Plan;
  const names: string[] = [];
  for (let cursor = '0'; ;) {
    const [next, keys] = await client.scan(cursor, 'MATCH', keyOf('*'), 'COUNT', 1000);
    names.push(...keys.map((key) => key.slice(PREFIX.length + 1, -':campaign'.length)));
    cursor = next;
    if (cursor === '0') break;
  }
  const hint =
    didYouMean(name, names) ??
    (names.length > 0 ? `there is ${names.sort().join(', ')}` : 'campaign start begins one');
  return { problem: `${place.shown}: there is no campaign '${name}': ${hint}` };
}

/** Removes a campaign with its jobs and results. Workers notice. */
export async function removePlan({ name, queue, connection }: CampaignQueue): Promise<void> {
  await connection.client.del(keyOf(name));
  await queue.obliterate({ force: true });
}

/** How many jobs there are of each kind. */
export async function readCounts({ queue }: CampaignQueue) {
  const { completed, failed, active } = await queue.getJobCounts('completed', 'failed', 'active');
  return { completed, failed, active };
}

/** Results that are read at a time. */
const PAGE = 50;

/**
 * The results of jobs that are done and not there yet. Jobs are known by their ids and not by when they were
 * done: clocks of workers differ.
 */
export async function* readResults(
  { queue, connection: { client } }: CampaignQueue,
  { completed }: { readonly completed: number },
  ids: readonly string[],
  has: (id: string) => boolean,
): AsyncGenerator<{ readonly id: string; readonly lines: string }> {
  const lacking = new Set(ids.filter((id) => !has(id)));
  if (completed <= ids.length - lacking.size) return;
  const done = await client.zrange(queue.toKey('completed'), '0', '-1');
  const fresh = done.filter((id) => lacking.has(id));
  for (let at = 0; at < fresh.length; at += PAGE) {
    const page = fresh.slice(at, at + PAGE);
    const values = await Promise.all(page.map((id) => client.hget(queue.toKey(id), 'returnvalue')));
    for (const [i, id] of page.entries()) {
      const value = values[i];
      if (value !== null) yield { id, lines: JSON.parse(value) as string };
    }
  }
}

/** The first jobs that failed, and why. */
export async function failedJobs({ queue }: CampaignQueue, most: number) {
  const jobs = await queue.getFailed(0, most - 1);
  return jobs.map(({ data, failedReason }) => ({
    data: data as JobData,
    why: failedReason.split('\n')[0],
  }));
}
