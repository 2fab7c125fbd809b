import { AS_EXPECTED } from '../exit.js';
import { withCampaign } from './known.js';
import { removePlan } from './queue.js';
import type { RedisPlace } from './redis.js';

/** `remora campaign stop`: takes a campaign out of Redis, with all results that are there. */
export function stopCampaign(place: RedisPlace, name: string): Promise<number> {
  return withCampaign(place, name, async (queue) => {
    await removePlan(queue);
    process.stdout.write(`campaign '${name}' is stopped, and its results are out of Redis\n`);
    return AS_EXPECTED;
  });
}
