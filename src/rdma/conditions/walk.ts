import type { PathGraph, EventPoint } from './paths.js';
import type { GuaranteedOrder, Reached } from './guaranteed.js';
import { ALL, next, ordersPoll, startAt } from './guaranteed.js';

/**
 * For each point of a thread: the accesses that come after it on some path, and that are not guaranteed to come
 * after it. Undefined: there are too many situations to look at.
 *
 * The k-th poll of a queue pair polls its k-th operation, so a walk counts the operations that are not polled yet.
 * In loops this number has no bound. From some number on it is just "many", and after a poll it is one less, or
 * still many. So some walks are no paths, but every path is a walk. A path counts even if it can only go on
 * with a poll that has nothing to poll.
 */
export function unordered(
  flow: PathGraph,
  order: GuaranteedOrder,
): readonly ReadonlySet<number>[] | undefined {
  const queues = queuesOf(flow);
  const before = arrivals(flow, queues);
  if (before === undefined) return undefined;
  const found: ReadonlySet<number>[] = [];
  for (const [point, situations] of before.entries()) {
    const after = unorderedFrom(flow, queues, order, point, situations);
    if (after === undefined) return undefined;
    found.push(after);
  }
  return found;
}

/** The search from one point gives up after so many situations. */
const SITUATIONS = 20_000;

/** In programs with loops, "many" begins so far above the number of operations in the text. */
const BEYOND = 4;

interface Queues {
  readonly count: number;
  /** For each point, the number of its queue pair; -1: it has none. */
  readonly of: readonly number[];
  /** For each queue pair, the number that means "many". */
  readonly many: readonly number[];
}

function queuesOf({ points, loops }: PathGraph): Queues {
  const pairs = [...new Set(points.flatMap((p) => p.queuePair ?? []))];
  const operations = pairs.map(
    (pair) => points.filter((p) => p.queuePair === pair && isWrite(p)).length,
  );
  return {
    count: pairs.length,
    of: points.map((p) => (p.queuePair === undefined ? -1 : pairs.indexOf(p.queuePair))),
    many: operations.map((n) => n + (loops ? BEYOND : 1)),
  };
}

const isWrite = ({ label }: EventPoint): boolean => label === 'nrW' || label === 'nlW';

/** For each queue pair, how many operations are not polled yet. */
type OpenCounts = readonly number[];

const withCount = (counts: OpenCounts, pair: number, n: number): OpenCounts =>
  counts.map((old, i) => (i === pair ? n : old));

/** How many operations may be left after a poll. Empty: there is nothing to poll. */
function polled(n: number, many: number): readonly number[] {
  if (n === 0) return [];
  return n === many ? [n - 1, n] : [n - 1];
}

/** The counts after an event. Empty: the path ends there. */
function count(
  { of, many }: Queues,
  flow: PathGraph,
  at: number,
  counts: OpenCounts,
): readonly OpenCounts[] {
  const point = flow.points[at];
  const pair = of[at];
  if (isWrite(point)) {
    return [withCount(counts, pair, Math.min(counts[pair] + 1, many[pair]))];
  }
  if (point.label !== 'P') return [counts];
  return polled(counts[pair], many[pair]).map((n) => withCount(counts, pair, n));
}

/** For each point, the counts with which a path can come to it. */
function arrivals(flow: PathGraph, queues: Queues): readonly (readonly OpenCounts[])[] | undefined {
  const arriving = flow.points.map(() => new Map<string, OpenCounts>());
  const start: OpenCounts = Array.from({ length: queues.count }, () => 0);
  const complete = explore([{ state: 0, counts: start }], keyOf, ({ state, counts }) =>
    flow.ways[state].flatMap(({ point, to }) => {
      if (point === undefined) return [{ state: to, counts }];
      arriving[point].set(counts.join(), counts);
      return count(queues, flow, point, counts).map((c) => ({ state: to, counts: c }));
    }),
  );
  return complete ? arriving.map((map) => [...map.values()]) : undefined;
}

const keyOf = (s: { readonly state: number; readonly counts: OpenCounts }): string =>
  `${s.state} ${s.counts.join()}`;

/**
 * Where a walk is after a first event, as long as not everything is reached. Once a queue pair has an operation
 * whose poll will be reached (`ordersPoll`), its number counts something else: the polls up to the one of the
 * oldest such operation. Younger operations do not matter then.
 */
interface Situation {
  readonly state: number;
  readonly counts: OpenCounts;
  /** For each queue pair: does its number count the polls until one is reached? */
  readonly awaited: readonly boolean[];
  readonly reached: Reached;
}

function unorderedFrom(
  flow: PathGraph,
  queues: Queues,
  order: GuaranteedOrder,
  first: number,
  arriving: readonly OpenCounts[],
): ReadonlySet<number> | undefined {
  const { points, ways } = flow;
  const found = new Set<number>();
  const pair = queues.of[first];
  const begun = startAt(points[first], pair, queues.count, order);
  if (begun === ALL) return found;
  const none = Array.from({ length: queues.count }, () => false);

  /** The situations after an event that is performed; what it reaches is known. */
  const perform = (
    { counts, awaited }: Omit<Situation, 'reached' | 'state'>,
    reached: Reached,
    at: number,
    to: number,
  ): readonly Situation[] => {
    const here = queues.of[at];
    if (points[at].label === 'P' && awaited[here]) {
      // The last of these polls is reached, and so is everything after it: the walk can end.
      const left = polled(counts[here], queues.many[here]).filter((n) => n > 0);
      return left.map((n) => ({ state: to, counts: withCount(counts, here, n), awaited, reached }));
    }
    // The polls of younger operations come later, and are not counted.
    if (isWrite(points[at]) && awaited[here]) return [{ state: to, counts, awaited, reached }];
    const awaits = isWrite(points[at]) && ordersPoll(points[at], here, reached);
    const now = awaits ? awaited.map((old, i) => old || i === here) : awaited;
    return count(queues, flow, at, counts).map((c) => ({
      state: to,
      counts: c,
      awaited: now,
      reached,
    }));
  };

  const starts = ways.flatMap((list) =>
    list.flatMap(({ point, to }) =>
      point === first
        ? arriving.flatMap((counts) => perform({ counts, awaited: none }, begun, first, to))
        : [],
    ),
  );
  const key = (s: Situation): string =>
    [s.state, s.counts.join(), s.awaited.map(Number).join(), s.reached.write, s.reached.pairs].join(
      ' ',
    );
  const complete = explore(starts, key, (s) =>
    ways[s.state].flatMap(({ point, to }): readonly Situation[] => {
      if (point === undefined) return [{ ...s, state: to }];
      const { is, reached } = next(s.reached, points[point], queues.of[point], order);
      if (!is && points[point].location !== undefined) found.add(point);
      return reached === ALL ? [] : perform(s, reached, point, to);
    }),
  );
  return complete ? found : undefined;
}

/** Visits all situations that can be reached from some. False: there are too many. */
function explore<S>(
  starts: readonly S[],
  key: (s: S) => string,
  successors: (s: S) => readonly S[],
): boolean {
  const seen = new Set<string>();
  const work: S[] = [];
  const add = (s: S): void => {
    const k = key(s);
    if (!seen.has(k)) work.push((seen.add(k), s));
  };
  starts.forEach(add);
  for (let s = work.pop(); s !== undefined; s = work.pop()) {
    if (seen.size > SITUATIONS) return false;
    for (const other of successors(s)) add(other);
  }
  return true;
}
