import { AS_EXPECTED } from '../../command/exit.js';
import { refuse } from '../../run/answer.js';
import type { RedisAccess } from './queue.js';
import { openQueue, removePlan } from './queue.js';
import { redisProblem } from './redis.js';

/** `remora campaign stop`: removes a campaign and its results from Redis, in whatever state it is. */
export async function stopCampaign(access: RedisAccess, name: string): Promise<number> {
  const queue = await openQueue(access, name);
  if ('problem' in queue) return refuse([queue.problem]);
  try {
    const none = await removePlan(queue);
    if (none !== undefined) return refuse([none.problem]);
    process.stdout.write(`campaign '${name}' is stopped, and its results are out of Redis\n`);
    return AS_EXPECTED;
  } catch (error) {
    return refuse([redisProblem(access.place, error)]);
  } finally {
    await queue.close();
  }
}
