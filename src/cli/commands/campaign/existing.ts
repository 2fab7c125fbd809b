/** A campaign that was started before. */
import { refuse } from '../../run/answer.js';
import type { Plan } from './plan.js';
import type { RedisAccess, CampaignQueue } from './queue.js';
import { openQueue, readPlan } from './queue.js';
import { redisProblem } from './redis.js';

/**
 * Runs a function on a campaign in Redis. Reports what is wrong with Redis, or that there is no such campaign.
 *
 * @param refused is called if Redis later refuses this user
 * @returns the exit code
 */
export async function withCampaign(
  access: RedisAccess,
  name: string,
  act: (queue: CampaignQueue, plan: Plan) => Promise<number>,
  refused?: (problem: string) => void,
): Promise<number> {
  const queue = await openQueue(access, name, refused);
  if ('problem' in queue) return refuse([queue.problem]);
  try {
    const plan = await readPlan(queue);
    return 'problem' in plan ? refuse([plan.problem]) : await act(queue, plan);
  } catch (error) {
    return refuse([redisProblem(access.place, error)]);
  } finally {
    await queue.close();
  }
}
