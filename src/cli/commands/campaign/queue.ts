/** Campaigns in Redis: a queue of BullMQ for each, and beside it what the campaign is. */
import type { Queue, WorkerOptions } from 'bullmq';
import type { Redis } from 'ioredis';
import type * as packageTypes from './packages.js';
import { didYouMean } from '../../../parse/diagnostics/index.js';
import { fields, isString, optional, parseJson } from '../../results/guards.js';
import type { Signer } from './key.js';
import { KEY, isSame, signer } from './key.js';
import type { Plan } from './plan.js';
import { jobsOf, planContent, planIn } from './plan.js';
import type { Connection, RedisPlace } from './redis.js';
import { connect, redisProblem } from './redis.js';

/** What all keys in Redis begin with. */
const PREFIX = 'remora';

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

/** How to reach campaigns: where Redis is, and the shared key. */
export interface RedisAccess {
  readonly place: RedisPlace;
  readonly key: string | undefined;
}

/** The connection to Redis for a campaign, which may not exist. */
export interface CampaignQueue {
  readonly name: string;
  readonly connection: Connection;
  readonly signer: Signer;
  readonly queue: Queue;
  readonly bullmq: Packages;
  /** What workers are made with. */
  readonly options: Pick<WorkerOptions, 'connection' | 'prefix'>;
  /** The hashes of the present plan, and of the plan that was stopped last, if there are any. */
  contents(): Promise<{ readonly now?: string; readonly stopped?: string }>;
  close(): Promise<void>;
}

export type Failed = { readonly problem: string };

/**
 * Opens the queue of a campaign.
 *
 * @param refused is called if Redis later refuses this user
 */
export async function openQueue(
  { place, key }: RedisAccess,
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
  // The data that the queue would write by itself comes with the jobs, so that looking writes nothing.
  const queue = new bullmq.Queue(name, { ...options, skipMetasUpdate: true });
  // Each request says itself what is wrong.
  queue.on('error', () => {});
  return {
    ...{ name, connection, queue, bullmq, options },
    signer: signer(key, name),
    async contents() {
      const now = await client.hget(keyOf(name), 'content');
      const stopped = await client.get(stoppedKey(name));
      return { now: now ?? undefined, stopped: stopped ?? undefined };
    },
    async close() {
      connection.close();
      await queue.close();
    },
  };
}

const keyOf = (name: string): string => `${PREFIX}:${name}:campaign`;

/** Does Redis keep its data on disk, so that it survives a restart? */
export async function keepsAll({ connection }: CampaignQueue): Promise<boolean> {
  return /^aof_enabled:1/m.test(await connection.client.info('persistence'));
}

type ExecError = Error & { readonly previousErrors?: readonly Error[] };

/**
 * The key that says for a while that a campaign was stopped. Workers that still run read it, to tell a stop from a
 * loss.
 */
const stoppedKey = (name: string): string => `${PREFIX}-stopped:${name}`;

/** How many seconds this key is kept. */
const REMEMBERED = 3600;

/**
 * Writes the plan and the jobs of a campaign in one transaction: all or nothing. Existing jobs stay.
 *
 * @returns how many jobs there are, or that another campaign has this name
 * @throws the error of Redis
 */
export async function writePlan(
  { name, queue, bullmq, signer, connection: { client } }: CampaignQueue,
  plan: Plan,
): Promise<number | 'other'> {
  const content = planContent(plan);
  const text = JSON.stringify(plan);
  const key = keyOf(name);
  await client.watch(key);
  const [is, old] = await client.hmget(key, 'content', 'plan');
  const there = is !== null || old !== null;
  if (there && (is !== content || old !== text)) return 'other';
  const jobs = jobsOf(plan);
  const transaction = (await queue.backend.client).multi();
  const mark = signer.sign('plan', text);
  transaction.hset(key, { content, plan: text, ...(mark !== undefined && { mark }) });
  transaction.del(stoppedKey(name));
  for (const { id } of jobs) {
    const job = new bullmq.Job(queue, plan.unit, {}, {}, id);
    await job.addJob(transaction);
  }
  const answers = await transaction.exec().catch((error: ExecError) => {
    // Redis says first why it does not take a command, then that it takes none of them.
    throw error.previousErrors?.[0] ?? error;
  });
  const failed = answers?.find(([error]) => error !== null)?.[0];
  if (answers !== null && failed === undefined) return jobs.length;
  if (failed === undefined) return 'other';
  if (!there) await removeAll(client, name);
  throw failed;
}

/** The plan of a campaign, or a message: there is no such campaign, or it has another key. */
export async function readPlan(queue: CampaignQueue): Promise<Plan | Failed> {
  const { name, signer, connection } = queue;
  const { client, place } = connection;
  const remedy = `remora campaign stop ${name} removes it`;
  const damaged = { problem: `${place.shown}: campaign '${name}' is damaged: ${remedy}` };
  let [text, mark, content]: (string | null)[] = [];
  try {
    [text, mark, content] = await client.hmget(keyOf(name), 'plan', 'mark', 'content');
  } catch (error) {
    // Something that is no plan is under this key.
    if ((error as Error).message.startsWith('WRONGTYPE')) return damaged;
    throw error;
  }
  if (text === null) return (await keysOf(client, name)).length > 0 ? damaged : noSuch(queue);
  if (!isSame(signer.sign('plan', text), mark)) {
    return { problem: `campaign '${name}' was not started with the key of ${KEY}` };
  }
  if (!signer.keyed && mark !== null) {
    return { problem: `campaign '${name}' was started with a key: ${KEY} gives it` };
  }
  const plan = planIn(text);
  return plan === undefined || planContent(plan) !== content ? damaged : plan;
}

async function noSuch({ name, connection }: CampaignQueue): Promise<Failed> {
  const { client, place } = connection;
  const keys = await scan(client, keyOf('*'));
  const names = keys.map((key) => key.slice(PREFIX.length + 1, -':campaign'.length));
  const hint =
    didYouMean(name, names) ??
    (names.length > 0 ? `there is ${names.sort().join(', ')}` : 'campaign start begins one');
  return { problem: `${place.shown}: there is no campaign '${name}': ${hint}` };
}

async function scan(client: Redis, pattern: string): Promise<readonly string[]> {
  const found = new Set<string>();
  for (let cursor = '0'; ;) {
    const [next, keys] = await client.scan(cursor, 'MATCH', pattern, 'COUNT', 1000);
    keys.forEach((key) => found.add(key));
    cursor = next;
    if (cursor === '0') return [...found];
  }
}

/** All keys of a campaign in Redis. Names of campaigns have no characters that are special in patterns. */
const keysOf = (client: Redis, name: string): Promise<readonly string[]> =>
  scan(client, `${PREFIX}:${name}:*`);

/** Keys that are removed by one request. */
const REMOVED = 1000;

/** Removes all keys of a campaign, whatever they hold. Was there any? */
async function removeAll(client: Redis, name: string): Promise<boolean> {
  // The plan goes first, so that nobody takes the rest for a campaign.
  let removed = await client.del(keyOf(name));
  const keys = await keysOf(client, name);
  for (let at = 0; at < keys.length; at += REMOVED) {
    removed += await client.del(...keys.slice(at, at + REMOVED));
  }
  return removed > 0;
}

/**
 * Removes a campaign with its jobs and results, in whatever state it is; workers notice. Gives a message if there is
 * none.
 */
export async function removePlan(queue: CampaignQueue): Promise<Failed | undefined> {
  const { name, connection } = queue;
  const { client } = connection;
  const content = await client.hget(keyOf(name), 'content').catch(() => null);
  if (!(await removeAll(client, name))) return noSuch(queue);
  // If Redis is full, workers only see that the campaign is gone.
  await client.set(stoppedKey(name), content ?? '', 'EX', REMEMBERED).catch(() => {});
  return undefined;
}

/** The jobs of a plan in Redis, by their states. Jobs of other plans do not count. */
export interface JobStates {
  /** The ids of these jobs. */
  readonly completed: readonly string[];
  /** The ids of jobs that were given up. */
  readonly failed: readonly string[];
  /** How many jobs are under way. */
  readonly active: number;
  /** Does any job wait or run? If not, jobs that are neither completed nor failed are lost. */
  readonly open: boolean;
}

export async function readJobStates(
  { queue, connection: { client } }: CampaignQueue,
  ids: ReadonlySet<string>,
): Promise<JobStates> {
  const key = (state: string): string => queue.toKey(state);
  // In one transaction, since jobs move from one state to another.
  const answers = await client
    .multi()
    .zrange(key('completed'), '0', '-1')
    .zrange(key('failed'), '0', '-1')
    .lrange(key('wait'), 0, -1)
    .lrange(key('active'), 0, -1)
    .lrange(key('paused'), 0, -1)
    .exec();
  const [completed, failed, wait, active, paused] = (answers ?? []).map(([error, all]) => {
    if (error !== null) throw error;
    return (all as readonly string[]).filter((id) => ids.has(id));
  });
  const open = wait.length + active.length + paused.length > 0;
  return { completed, failed, active: active.length, open };
}

/** The message that jobs are lost: they are neither done nor waiting. */
export const lostText = (name: string, lost: number): string =>
  `campaign '${name}': Redis lost ${lost} ${lost === 1 ? 'job' : 'jobs'}: end it by remora campaign stop ${name}, and begin it again`;

/** Results that are read at a time. */
const PAGE = 50;

/** The return value of a job: its results, and with a key their signature. */
export interface JobResult {
  readonly lines: string;
  readonly mark?: string;
}

/** The results of a job, as a worker gives them back. */
export function resultFor({ signer }: CampaignQueue, id: string, lines: string): JobResult {
  return { lines, mark: signer.sign('result', id, lines) };
}

/**
 * The results of jobs, by id and not by time, since clocks of workers differ. One without `lines` is missing, or was
 * not signed with the key.
 */
export async function* readResults(
  { queue, signer, connection: { client } }: CampaignQueue,
  ids: readonly string[],
): AsyncGenerator<{ readonly id: string; readonly lines?: string }> {
  for (let at = 0; at < ids.length; at += PAGE) {
    const page = ids.slice(at, at + PAGE);
    const values = await Promise.all(page.map((id) => client.hget(queue.toKey(id), 'returnvalue')));
    for (const [i, id] of page.entries()) {
      const value = parseJson(values[i] ?? '');
      const { lines, mark } = isJobResult(value) ? value : {};
      const own = lines !== undefined && isSame(signer.sign('result', id, lines), mark);
      yield own ? { id, lines } : { id };
    }
  }
}

const isJobResult = fields<JobResult>({ lines: isString, mark: optional(isString) });

/** Why jobs failed. */
export async function reasonsOf(
  { queue, connection: { client } }: CampaignQueue,
  ids: readonly string[],
): Promise<readonly string[]> {
  const read = (id: string) => client.hget(queue.toKey(id), 'failedReason');
  const reasons = await Promise.all(ids.map(read));
  return reasons.map((reason) => (reason ?? 'nobody knows why').split('\n')[0]);
}
