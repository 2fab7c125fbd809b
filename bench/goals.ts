// What is measured for the goals alone. Each run is a process of its own, and its time counts from
// reading the model's files and the litmus text to the verdict.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FAMILIES } from './families.js';
import { measureOne } from './growth.js';
import { HERD } from './herd.js';
import type { Answered, Ended } from './growth.js';
import type { GenerateGiven } from './generate-run.js';
import type { MeasureGiven } from './measure-run.js';
import type { Spread } from './process.js';
import { range, runScript, spread, timeBareNode, timeCommand } from './process.js';

/**
 * Family, size, what is asked, the seconds in which the first answer of a process should be there, and the
 * MiB that it may need. Without seconds: to be answered at all.
 */
type Goal = readonly [
  family: string,
  k: number,
  ask: MeasureGiven['ask'],
  seconds?: number,
  mebibytes?: number,
];

const ANSWERS: readonly Goal[] = [
  ['sbring', 128, 'verdict', 3],
  ['getsputs', 64, 'verdict', 1, 250],
  ['putrace', 96, 'verdict', 1.5, 250],
  ['mix4', 60, 'verdict', 0.8, 250],
  ['ringbuffer', 32, 'verdict', 1, 250],
  ['spin', 20, 'verdict', 2.5, 250],
  ['mpchain', 1000, 'verdict', 10],
  ['sbringget', 500, 'verdict', 10],
  ['getsputs', 128, 'verdict'],
  ['putrace', 192, 'verdict'],
  ['getsputs', 5, 'states', 5],
  ['putrace', 5, 'states', 5],
  ['sbring', 16, 'states', 8],
];

/** Family, size, and the milliseconds of an answer in a process that has given some before. */
const WARM_ANSWERS: readonly (readonly [family: string, k: number, milliseconds: number])[] = [
  ['sbringget', 32, 30],
  ['sbringget', 128, 140],
  ['mpchain', 128, 40],
  ['getsputs', 16, 170],
  ['putrace', 16, 80],
];

/** From which size on Remora is compared with herd7. */
const FROM = 4;

/** Generated tests, the seconds for all of them, and how often they are measured at most. */
const GENERATED = { count: 5000, goal: 60, runs: 3 };

/** One small file from start, and how often bare Node could be started in that time. */
const SMALL_FILE = { file: 'corpus/tso/MP3bis.litmus', goal: 2 };

/** What was asked. */
type Asked = Pick<MeasureGiven, 'family' | 'k' | 'ask'>;

/** Milliseconds of first answers and of later ones, or why there are none. */
export type Cold = Asked & { readonly runs: number; readonly memory: number } & (
    | { readonly end: string }
    | (Pick<Answered, 'end' | 'verdict' | 'states' | 'warm' | 'milliseconds'> & {
        readonly end?: undefined;
      })
  );

/** Seconds and MiB for a first answer, or milliseconds for later ones. */
export type AnswerGoal = Cold & {
  readonly goal?: number;
  readonly mebibytes?: number;
  readonly warmGoal?: number;
};

/** Beside milliseconds of herd7: one answer, and a whole command that lists all final states. */
export type AgainstHerd = Cold & {
  readonly herd: { readonly one: number; readonly all: number };
  readonly outcomes: Spread;
};

export interface Start {
  readonly goal: number;
  readonly file: Spread;
  readonly node: Spread;
}

export interface Generated {
  readonly count: number;
  readonly goal: number;
  readonly runs: number;
  readonly seconds: Spread;
}

export interface Goals {
  readonly answers: readonly AnswerGoal[];
  readonly against: readonly AgainstHerd[];
  readonly start: Start;
  readonly generated: Generated;
}

export function measureGoals(runs: number): Goals {
  const cold = ANSWERS.map(([family, k, ask, goal, mebibytes]) => ({
    goal,
    mebibytes,
    ...measureCold({ family, k, ask }, runs),
  }));
  const warm = WARM_ANSWERS.map(([family, k, warmGoal]) => ({
    warmGoal,
    ...measureCold({ family, k, ask: 'verdict' }, runs, WARM),
  }));
  return {
    answers: [...cold, ...warm],
    against: measureAgainst(runs),
    start: measureStart(runs),
    generated: measureGenerated(Math.min(runs, GENERATED.runs)),
  };
}

/** Seconds after which what was run at least once is not run again. */
const ENOUGH = 40;

/** How often a process answers, to show how much longer its first answers take: their code is not compiled yet. */
const WARM = 20;

/** As `measureOne`, with a new process for each run. */
function measureCold({ family, k, ask }: Asked, runs: number, answers = 1): Cold {
  const results: (Answered | Ended)[] = [];
  let taken = 0;
  let last: Answered | Ended;
  do {
    last = measureOne({ family, k, ask, engine: 'auto', runs: answers, readModel: true });
    results.push(last);
    taken += last.process;
  } while (results.length < runs && taken < ENOUGH && last.end === undefined);
  const failed = results.find((r) => r.end !== undefined);
  const done = results.filter((r) => r.end === undefined);
  const label = `${family} ${k} ${ask}`;
  process.stderr.write(`${label}: ${failed?.end ?? done.map((r) => r.first).join(' ')}\n`);
  const memory = Math.max(...results.map((r) => r.memory));
  const all = { family, k, ask, runs: results.length, memory };
  if (failed !== undefined) return { ...all, end: failed.end };
  const [{ verdict, states }] = done;
  return {
    ...all,
    verdict,
    states,
    milliseconds: spread(done.map((r) => r.first)),
    warm: spread(done.map((r) => r.warm.median)),
  };
}

/** What herd7's times are held against: one answer, and a whole command that lists all final states. */
function measureAgainst(runs: number): readonly AgainstHerd[] {
  const folder = mkdtempSync(join(tmpdir(), 'remora-bench-'));
  try {
    return Object.entries(HERD).flatMap(([family, { one, all }]) =>
      [...one.keys()]
        .filter((k) => k >= FROM)
        .map((k) => {
          const file = join(folder, `${family}-${k}.litmus`);
          writeFileSync(file, FAMILIES[family](k));
          const outcomes = () => 1000 * timeCommand(['outcomes', file, '-m', 'rdma-tso']);
          return {
            herd: { one: one.get(k)!, all: all.get(k)! },
            ...measureCold({ family, k, ask: 'verdict' }, runs, WARM),
            outcomes: spread(range(runs).map(outcomes)),
          };
        }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A small file, and bare Node, by turns. */
function measureStart(runs: number): Start {
  const { file, goal } = SMALL_FILE;
  const pairs = range(2 * runs).map(() => ({
    file: timeCommand(['check', file]),
    node: timeBareNode(),
  }));
  return { goal, file: spread(pairs.map((p) => p.file)), node: spread(pairs.map((p) => p.node)) };
}

/** Small random tests, all in one command on two cores. */
function measureGenerated(runs: number): Generated {
  const { count, goal } = GENERATED;
  const folder = mkdtempSync(join(tmpdir(), 'remora-bench-'));
  try {
    const { end } = runScript<GenerateGiven, never>('generate-run', { folder, count });
    if (end !== undefined) throw new Error(`generated tests: ${end}`);
    const args = ['check', folder, '-m', 'rdma-tso', '--jobs', '2'];
    return { count, goal, runs, seconds: spread(range(runs).map(() => timeCommand(args))) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
