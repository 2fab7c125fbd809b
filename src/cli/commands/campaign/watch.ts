import { rateText, timeText } from '../../print/progress.js';
import { AS_EXPECTED, BAD_INPUT, INTERRUPTED, UNDECIDED } from '../../command/exit.js';
import { failure } from '../../outputs/plan.js';
import { complain } from '../../print/print.js';
import { refuse } from '../../run/answer.js';
import { SIGNALS } from '../../run/signals.js';
import type { Division } from './division.js';
import { withCampaign } from './existing.js';
import type { CampaignJob } from '../../results/records.js';
import type { Plan } from './plan.js';
import { jobsOf, planContent, rangeText } from './plan.js';
import type { RedisAccess, CampaignQueue } from './queue.js';
import { lostText, readJobStates, readResults, reasonsOf } from './queue.js';
import { isAway, redisProblem } from './redis.js';
import { withDivision } from './reread.js';
import type { Sink } from './sink.js';
import { openSink } from './sink.js';

/** Milliseconds between looks. */
const POLL = 1000;

/** Milliseconds between two lines, if standard error is no terminal. */
const SELDOM = 10_000;

/** Milliseconds over which the rate is measured. */
const RECENT = 30_000;

/** How many failed jobs are named. */
const NAMED = 5;

/** How watching ends: whether all jobs are done, the exit code, and messages. */
type Ended = { readonly done: boolean; readonly code: number; readonly said: readonly string[] };

/** `remora campaign watch`: shows how far a campaign is, and gathers its results until all jobs are done. */
export function watchCampaign(
  access: RedisAccess,
  name: string,
  out: string | undefined,
): Promise<number> {
  let end = (_: Ended): void => {};
  const ended = new Promise<Ended>((resolve) => (end = resolve));
  const fail = (said: string): void => end({ done: false, code: BAD_INPUT, said: [said] });
  const watch = async (queue: CampaignQueue, plan: Plan): Promise<number> => {
    const division = await withDivision(name, plan, (made) => Promise.resolve(made));
    if ('problem' in division) return refuse([division.problem]);
    const jobs = new Map(jobsOf(plan).map((job) => [job.id, job]));
    const sink = openSink(plan, jobs, division, out);
    if ('error' in sink) return refuse([sink.error]);
    const watched = { queue, plan, jobs, division, sink, meter: createMeter(plan, name) };
    return gather(watched, end, ended);
  };
  return withCampaign(access, name, watch, fail);
}

/** A campaign that is watched. */
interface WatchedCampaign {
  readonly queue: CampaignQueue;
  readonly plan: Plan;
  readonly jobs: ReadonlyMap<string, CampaignJob>;
  readonly division: Division;
  readonly sink: Sink;
  readonly meter: Meter;
}

async function gather(
  watched: WatchedCampaign,
  end: (how: Ended) => void,
  ended: Promise<Ended>,
): Promise<number> {
  const { queue, sink, meter } = watched;
  const fail = (said: string): void => end({ done: false, code: BAD_INPUT, said: [said] });
  const interrupt = (): void =>
    end({ done: false, code: INTERRUPTED, said: [`campaign '${queue.name}' goes on`] });
  for (const signal of SIGNALS) process.once(signal, interrupt);
  let over = false;
  const look = looking(watched, () => over);
  const poll = async (): Promise<void> => {
    while (!over) {
      try {
        const how = await look();
        if (how !== undefined) end(how);
      } catch (error) {
        if (over) return;
        if (error instanceof WriteError) fail(error.message);
        else if (!isAway(error)) fail(redisProblem(queue.connection.place, error));
      }
      if (!over) await new Promise((resolve) => setTimeout(resolve, POLL));
    }
  };
  void poll();
  const { done, code, said } = await ended;
  over = true;
  for (const signal of SIGNALS) process.removeListener(signal, interrupt);
  meter.stop();
  complain(said);
  const own = await sink.close(done);
  if (done && own === undefined) process.stdout.write(`${meter.line()}\n`);
  return code === AS_EXPECTED ? (own ?? AS_EXPECTED) : code;
}

/** Makes a function that looks at a campaign: it takes new results, and says how watching ends, once it does. */
function looking(
  { queue, plan, jobs, division, sink, meter }: WatchedCampaign,
  over: () => boolean,
): () => Promise<Ended | undefined> {
  const { name } = queue;
  const content = planContent(plan);
  const ids = new Set(jobs.keys());
  /** Why results were refused, by the id of the job. */
  const refused = new Map<string, string>();
  const take = async (fresh: readonly string[]): Promise<void> => {
    for await (const { id, lines } of readResults(queue, fresh)) {
      if (over()) return;
      const wrong =
        lines === undefined
          ? 'they are not there, or have no mark'
          : division.wrong(jobs.get(id)!, lines);
      if (wrong === undefined) add(sink, id, lines!);
      else refused.set(id, wrong);
    }
  };
  return async () => {
    if ((await queue.contents()).now !== content) {
      const said = [`campaign '${name}' is not there any more; what was gathered stays`];
      return { done: false, code: BAD_INPUT, said };
    }
    const progress = await readJobStates(queue, ids);
    await take(progress.completed.filter((id) => !sink.has(id) && !refused.has(id)));
    if (over()) return undefined;
    const have = [...jobs.values()].filter(({ id }) => sink.has(id));
    const failed = progress.failed.filter((id) => !sink.has(id));
    meter.show(have, { active: progress.active, failed: failed.length + refused.size }, sink.wrong);
    const lost = jobs.size - have.length - failed.length - refused.size;
    if (lost > 0 && progress.open) return undefined;
    const reasons = await reasonsOf(queue, failed.slice(0, NAMED));
    const said = [
      ...reasons.map((why, i) => `${rangeText(jobs.get(failed[i])!, plan.unit)}: not done: ${why}`),
      ...[...refused]
        .slice(0, NAMED)
        .map(
          ([id, why]) =>
            `${rangeText(jobs.get(id)!, plan.unit)}: its results cannot be believed: ${why}`,
        ),
    ];
    const more = failed.length + refused.size - said.length;
    if (more > 0) said.push(`and ${more} more jobs`);
    if (lost > 0) said.push(lostText(name, lost));
    const code = failed.length + refused.size > 0 ? BAD_INPUT : lost > 0 ? UNDECIDED : AS_EXPECTED;
    return { done: true, code, said };
  };
}

/** A file that cannot be written. */
class WriteError extends Error {}

function add(sink: Sink, id: string, lines: string): void {
  try {
    sink.add(id, lines);
  } catch (error) {
    throw new WriteError(`the results cannot be written: ${failure(error)}`);
  }
}

/** Shows progress. */
interface Meter {
  show(
    have: readonly CampaignJob[],
    counts: { readonly active: number; readonly failed: number },
    wrong: number,
  ): void;
  line(): string;
  stop(): void;
}

function createMeter({ unit, count }: Plan, name: string): Meter {
  const isTerminal = process.stderr.isTTY === true;
  const samples: { readonly at: number; readonly done: number }[] = [];
  let [line, written, said] = ['', '', -Infinity];
  return {
    show(have, { active, failed }, wrong) {
      const now = performance.now();
      const done = have.reduce((total, { from, to }) => total + to - from, 0);
      samples.push({ at: now, done });
      while (samples.length > 2 && now - samples[0].at > RECENT) samples.shift();
      const [first] = samples;
      const rate = now > first.at ? (1000 * (done - first.done)) / (now - first.at) : 0;
      const parts = [
        `${done} of ${count} ${unit}s`,
        ...(rate > 0 ? [rateText(rate)] : []),
        ...(active > 0 ? [`${active} jobs under way`] : []),
        ...(wrong > 0 ? [`${wrong} with a disagreement or failure`] : []),
        ...(failed > 0 ? [`${failed} jobs not done`] : []),
        ...(rate > 0 && done < count
          ? [`${timeText(Math.round((count - done) / rate))} left`]
          : []),
      ];
      line = `campaign '${name}': ${parts.join(', ')}`;
      if (isTerminal) process.stderr.write(`\r${line}\x1b[K`);
      else if (now - said >= SELDOM && line !== written) {
        complain([line]);
        [written, said] = [line, now];
      }
    },
    line: () => line,
    stop() {
      if (isTerminal) process.stderr.write('\r\x1b[K');
    },
  };
}
