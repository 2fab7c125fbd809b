import { rateText, timeText } from '../progress.js';
import { AS_EXPECTED, BAD_INPUT, INTERRUPTED } from '../exit.js';
import { failure } from '../output.js';
import { complain } from '../print.js';
import { SIGNALS } from '../signals.js';
import { withCampaign } from './known.js';
import type { CampaignJob, Plan } from './plan.js';
import { jobsOf, planContent, rangeText } from './plan.js';
import type { CampaignQueue } from './queue.js';
import { failedJobs, readCounts, readResults } from './queue.js';
import type { RedisPlace } from './redis.js';
import { isAway, redisProblem } from './redis.js';
import type { Sink } from './sink.js';
import { openSink } from './sink.js';

/** Milliseconds between looks. */
const POLL = 1000;

/** Where nobody watches, so many milliseconds are between two lines. */
const SELDOM = 10_000;

/** Milliseconds that the rate is of. */
const RECENT = 30_000;

/** Failed jobs that are named. */
const NAMED = 5;

/** How watching ends: all is done, or not. */
type Ended = { readonly done: boolean; readonly code: number; readonly said: readonly string[] };

/** `remora campaign watch`: tells how far a campaign is, and gathers its results until all jobs are done. */
export function watchCampaign(
  place: RedisPlace,
  name: string,
  out: string | undefined,
): Promise<number> {
  let end = (_: Ended): void => {};
  const ended = new Promise<Ended>((resolve) => (end = resolve));
  const fail = (said: string): void => end({ done: false, code: BAD_INPUT, said: [said] });
  const watch = async (queue: CampaignQueue, plan: Plan): Promise<number> => {
    const sink = openSink(plan, out);
    if (!('error' in sink)) return gather(queue, plan, sink, { end, ended, fail });
    complain([sink.error]);
    return BAD_INPUT;
  };
  return withCampaign(place, name, watch, fail);
}

async function gather(
  queue: CampaignQueue,
  plan: Plan,
  sink: Sink,
  {
    end,
    ended,
    fail,
  }: {
    readonly end: (how: Ended) => void;
    readonly ended: Promise<Ended>;
    readonly fail: (said: string) => void;
  },
): Promise<number> {
  const { name } = queue;
  const interrupt = (): void =>
    end({ done: false, code: INTERRUPTED, said: [`campaign '${name}' goes on`] });
  for (const signal of SIGNALS) process.once(signal, interrupt);
  const jobs = new Map(jobsOf(plan).map((job) => [job.id, job]));
  const content = planContent(plan);
  const meter = createMeter(plan, name);
  let over = false;
  const look = async (): Promise<void> => {
    if ((await queue.content()) !== content) {
      return fail(`campaign '${name}' is not there any more; what was gathered stays`);
    }
    const counts = await readCounts(queue);
    for await (const { id, lines } of readResults(queue, counts, [...jobs.keys()], sink.has)) {
      if (over) return;
      add(sink, id, lines);
    }
    const have = [...jobs.values()].filter(({ id }) => sink.has(id));
    meter.show(have, counts, sink.wrong);
    if (have.length + counts.failed < jobs.size) return;
    const failed = await failedJobs(queue, NAMED);
    const said = failed.map(({ data, why }) => `${rangeText(data, plan.unit)}: not done: ${why}`);
    const more = counts.failed - failed.length;
    if (more > 0) said.push(`and ${more} more jobs`);
    end({ done: true, code: counts.failed > 0 ? BAD_INPUT : AS_EXPECTED, said });
  };
  const poll = async (): Promise<void> => {
    while (!over) {
      try {
        await look();
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

/** A file that cannot be written. */
class WriteError extends Error {}

function add(sink: Sink, id: string, lines: string): void {
  try {
    sink.add(id, lines);
  } catch (error) {
    throw new WriteError(`the results cannot be written: ${failure(error)}`);
  }
}

/** Tells how far it is. */
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
