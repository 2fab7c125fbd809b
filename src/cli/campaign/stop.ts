import { AS_EXPECTED, BAD_INPUT } from '../exit.js';
import { complain } from '../print.js';
import { openQueue, readPlan, removePlan } from './queue.js';
import type { RedisPlace } from './redis.js';
import { redisProblem } from './redis.js';

/** `remora campaign stop`: takes a campaign out of Redis, with all results that are there. */
export async function stopCampaign(place: RedisPlace, name: string): Promise<number> {
  const queue = await openQueue(place, name);
  if ('problem' in queue) {
    complain([queue.problem]);
    return BAD_INPUT;
  }
  try {
    const plan = await readPlan(queue);
    if ('problem' in plan) {
      complain([plan.problem]);
      return BAD_INPUT;
    }
    await removePlan(queue);
    process.stdout.write(`campaign '${name}' is stopped, and its results are out of Redis\n`);
    return AS_EXPECTED;
  } catch (error) {
    complain([redisProblem(place, error)]);
    return BAD_INPUT;
  } finally {
    await queue.close();
  }
}
