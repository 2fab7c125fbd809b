// Large locks under RDMA^TSO, each in a process of its own, and what they may take.
import { table } from './markdown.js';
import type { LocksFound, LocksGiven } from './locks-run.js';
import type { Spread } from './process.js';
import { range, runScript, spread } from './process.js';

const SAFETY = ['exclusive', 'assertions'];
const LIVENESS = ['progress', 'deadlock'];

/** What is asked of which file, and the seconds and MiB that it may take; none: it is measured only. */
type Question = readonly [
  what: string,
  file: string,
  kinds: readonly string[],
  seconds: number | undefined,
  mebibytes: number | undefined,
];

const ROWS: readonly Question[] = [
  ['2 + 2, two are never in at once', 'alock-2-2', SAFETY, 30, 2048],
  ['2 + 2, everybody gets in; no deadlock', 'alock-2-2', LIVENESS, 90, undefined],
  [
    '2 + 2 by exchange, everybody gets in; no deadlock',
    'alock-2-2-exchange',
    LIVENESS,
    90,
    undefined,
  ],
  ['2 + 2, data read back', 'alock-2-2-data-flushed', SAFETY, 180, undefined],
  ['3 + 2, symmetric, two are never in at once', 'alock-3-2', SAFETY, undefined, undefined],
];

export interface LargeLock {
  readonly what: string;
  readonly states: number;
  readonly symmetry?: number;
  readonly verdicts: readonly string[];
  readonly seconds: Spread;
  readonly mebibytes: Spread;
  readonly allowed: Allowed;
}

interface Allowed {
  readonly seconds?: number;
  readonly mebibytes?: number;
}

export const measureLocks = (runs: number): readonly LargeLock[] =>
  ROWS.map(([what, file, kinds, seconds, mebibytes]) => {
    const found = range(runs).map(
      () =>
        runScript<LocksGiven, LocksFound>('locks-run', {
          path: `bench/locks/${file}.litmus`,
          kinds,
        }).objects[0],
    );
    return {
      ...{ what, states: found[0].states, symmetry: found[0].symmetry },
      verdicts: found[0].verdicts,
      seconds: spread(found.map((f) => f.seconds)),
      mebibytes: spread(found.map((f) => f.mebibytes)),
      allowed: { seconds, mebibytes },
    };
  });

export function locksLines(rows: readonly LargeLock[]): readonly string[] {
  const goalOf = ({ seconds, mebibytes }: Allowed): string =>
    [seconds && `< ${seconds} s`, mebibytes && `< ${mebibytes} MiB`].filter(Boolean).join(', ');
  const isMet = ({ seconds, mebibytes, allowed }: LargeLock): boolean =>
    seconds.median < (allowed.seconds ?? Infinity) &&
    mebibytes.median < (allowed.mebibytes ?? Infinity);
  return [
    'ALock by Algorithm 2 with local + remote threads, under RDMA^TSO, any number of rounds. MiB are those of the process, Node included.',
    '',
    ...table(
      ['ALock', 'verdict', 'states', 's', 'MiB', 'goal', 'met'],
      rows.map((row) => [
        ...[row.what, row.verdicts.join(', ')],
        row.states.toLocaleString('en') + (row.symmetry === undefined ? '' : ' up to symmetry'),
        ...[row.seconds.median.toFixed(1), String(row.mebibytes.median)],
        ...[goalOf(row.allowed), goalOf(row.allowed) === '' ? '' : isMet(row) ? 'yes' : 'no'],
      ]),
    ),
  ];
}
