import type { Params } from 'cli-progress';
import { padded, width } from '../../report/table.js';

/** Shows on the terminal how far work is. */
export interface Progress {
  /** A task is done, in which there were so many of what is counted. */
  done(index: number, count?: number): void;
  /** An exploration has reached so many states of a machine. */
  explored(states: number): void;
  stop(): void;
}

/** With fewer tasks than this there is no bar: they are done before anybody could read it. */
const FEW = 4;

/** How many of the latest values the estimate of the time left uses. */
const RECENT = 50;

/** What is counted, if it is not the tasks. */
export interface Counted {
  readonly what: string;
  /** How many there were before this run. */
  readonly before: number;
}

/**
 * Shows how many tasks are done, how fast, how long the rest will take, and the first task that is not done. Shows
 * nothing if standard error is a file or a pipe, or there is little to do.
 */
export async function startProgress(
  total: number,
  nameOf: (index: number) => string,
  counted?: Counted,
): Promise<Progress | undefined> {
  if (process.stderr.isTTY !== true) return undefined;
  if (total < FEW) return stateCounter();
  const { Format, SingleBar } = await import('cli-progress');
  const bar = new SingleBar({
    format: (options, params, { name }: { readonly name: string }) =>
      progressLine(
        {
          ...params,
          now: Date.now(),
          name,
          ...(counted !== undefined && { counted: { ...counted, count } }),
        },
        Format.BarFormat(params.progress, {
          ...options,
          barsize: counted === undefined ? BAR : BAR / 2,
        }),
      ),
    etaBuffer: RECENT,
    stream: process.stderr,
    clearOnComplete: true,
    hideCursor: true,
  });
  const finished = new Set<number>();
  let [first, count] = [0, 0];
  bar.start(total, 0, { name: nameOf(0) });
  return {
    done(index, more = 1) {
      finished.add(index);
      count += more;
      while (finished.has(first)) first += 1;
      bar.update(finished.size, { name: first < total ? nameOf(first) : '' });
    },
    explored: () => {},
    stop: () => bar.stop(),
  };
}

/** Shows how many states an exploration has found so far. Only a long exploration gets this line. */
function stateCounter(): Progress {
  let written = false;
  const write = (text: string): void => void process.stderr.write(`\r${text}\x1b[K`);
  return {
    done: () => {},
    explored(states) {
      written = true;
      write(`${states} states`);
    },
    stop: () => {
      if (written) write('');
    },
  };
}

/** The length of the bar, if there is room for one. */
const BAR = 20;
const ROOM_FOR_BAR = 60;

/** How far work is. Times are in milliseconds, but `eta`, the time left, is in seconds. */
export interface BarState extends Pick<
  Params,
  'value' | 'total' | 'startTime' | 'eta' | 'maxWidth'
> {
  readonly now: number;
  readonly counted?: Counted & { readonly count: number };
  /** The first task that is not done. */
  readonly name: string;
}

/**
 * `====--  12/59  3.4/s  14 s left  CPU-SB`, no longer than the terminal is wide; `3573 programs` in the place of `12/59`
 * if something else than tasks is counted.
 */
export function progressLine(
  { value, total, startTime, now, eta, maxWidth, name, counted }: BarState,
  bar: string,
): string {
  const tasks = `${padded('', String(total).length - String(value).length)}${value}/${total}`;
  const own = counted === undefined ? value : counted.count - counted.before;
  const parts = [
    ...(maxWidth < ROOM_FOR_BAR ? [] : [bar]),
    counted === undefined ? tasks : `${counted.count} ${counted.what}`,
    ...(own > 0 ? [rateText((1000 * own) / Math.max(1, now - startTime))] : []),
    // Before the first estimate, it is NaN.
    ...(value > 0 && Number.isFinite(eta) ? [`${timeText(eta)} left`] : []),
  ];
  const line = parts.join('  ');
  return line + cut(`  ${name}`, maxWidth - 1 - width(line));
}

/** A rate per second, or, if it is less than one, per minute or hour. */
export function rateText(perSecond: number): string {
  const units = [
    [perSecond, 's'],
    [60 * perSecond, 'min'],
    [3600 * perSecond, 'h'],
  ] as const;
  const [rate, unit] = units.find(([r]) => r >= 1) ?? units[2];
  return `${rate.toFixed(rate < 10 ? 1 : 0)}/${unit}`;
}

/** `14 s`, `2 min 05 s`, `3 h 07 min` */
export function timeText(seconds: number): string {
  const two = (n: number): string => String(n).padStart(2, '0');
  const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3600)];
  if (hours > 0) return `${hours} h ${two(minutes % 60)} min`;
  return minutes > 0 ? `${minutes} min ${two(seconds % 60)} s` : `${seconds} s`;
}

/** A text, cut off if there is no room for all of it. */
function cut(text: string, room: number): string {
  if (width(text) <= room) return text;
  const signs = [...text];
  while (signs.length > 0 && width(signs.join('')) > room - 1) signs.pop();
  return signs.length === 0 ? '' : `${signs.join('')}…`;
}
