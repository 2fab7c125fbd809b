import { AS_EXPECTED, BAD_INPUT } from '../../command/exit.js';
import { complain } from '../../print/print.js';
import type { Access } from './queue.js';
import { openQueue, removePlan } from './queue.js';
import { redisProblem } from './redis.js';

/** `remora campaign stop`: takes a campaign out of Redis, with all results that are there, in whatever state it is. */
export async function stopCampaign(access: Access, name: string): Promise<number> {
  const queue = await openQueue(access, name);
  if ('problem' in queue) return fail(queue.problem);
  try {
    const none = await removePlan(queue);
    if (none !== undefined) return fail(none.problem);
    process.stdout.write(`campaign '${name}' is stopped, and its results are out of Redis\n`);
    return AS_EXPECTED;
  } catch (error) {
    return fail(redisProblem(access.place, error));
  } finally {
    await queue.close();
  }
}

function fail(problem: string): number {
  complain([problem]);
  return BAD_INPUT;
}
