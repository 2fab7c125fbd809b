import { AS_EXPECTED } from '../../command/exit.js';
import { complain } from '../../print/print.js';
import { refuse } from '../../run/answer.js';
import { ownBuild } from './build.js';
import { VERSION } from '../../package.js';
import { divide } from './divide.js';
import { carriedFiles } from './folder.js';
import type { Plan } from './plan.js';
import { MOST_JOBS } from './plan.js';
import type { RedisAccess, Failed } from './queue.js';
import { keepsAll, openQueue, writePlan } from './queue.js';
import { redisProblem } from './redis.js';

/** `remora campaign start`: writes the jobs of a command line into Redis. @throws UsageError */
export async function startCampaign(
  access: RedisAccess,
  name: string,
  words: readonly string[],
): Promise<number> {
  const plan = await planOf(words);
  if ('errors' in plan) return refuse(plan.errors);
  const written = await writeJobs(access, name, plan);
  if (typeof written !== 'number') return refuse([written.problem]);
  const { count, unit } = plan;
  process.stdout.write(
    `campaign '${name}': ${count} ${unit}s in ${written} jobs; remora campaign work ${name} does them\n`,
  );
  return AS_EXPECTED;
}

async function planOf(
  words: readonly string[],
): Promise<Plan | { readonly errors: readonly string[] }> {
  const division = await divide(words);
  if ('errors' in division) return division;
  const { header, unit, count, size, paths, warnings } = division;
  if (count / size > MOST_JOBS) {
    return { errors: [`a campaign has ${MOST_JOBS * size} ${unit}s at most: begin several`] };
  }
  const carried = carriedFiles(division.files);
  if ('errors' in carried) return carried;
  complain(warnings);
  const { files } = carried;
  // As JSON gives it back.
  const plain = JSON.parse(JSON.stringify(header)) as Plan['header'];
  const build = ownBuild();
  return { remora: VERSION, build, words, paths, files, header: plain, unit, count, size };
}

async function writeJobs(access: RedisAccess, name: string, plan: Plan): Promise<number | Failed> {
  const queue = await openQueue(access, name);
  if ('problem' in queue) return queue;
  try {
    if (!(await keepsAll(queue))) {
      complain([
        `${access.place.shown}: Redis forgets the campaign when it stops: appendonly yes makes it keep it`,
      ]);
    }
    const jobs = await writePlan(queue, plan);
    if (jobs !== 'other') return jobs;
    const hint = `take another name, or end that one: remora campaign stop ${name}`;
    return { problem: `there is another campaign '${name}': ${hint}` };
  } catch (error) {
    return { problem: redisProblem(access.place, error) };
  } finally {
    await queue.close();
  }
}
