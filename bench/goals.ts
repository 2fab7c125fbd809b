// What is measured for the goals alone. Each run is a process of its own, and its time counts from
// reading the model's files and the litmus text to the verdict.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FAMILIES } from './families.js';
import { measureOne } from './growth.js';
import { HERD } from './herd.js';
import { range, runScript, spread, timeBareNode, timeCommand } from './process.js';

/**
 * Family, size, what is asked, the seconds in which the first answer of a process should be there, and the
 * MiB that it may need. Without seconds: to be answered at all.
 */
const ANSWERS = [
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
const WARM_ANSWERS = [
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

export function measureGoals(runs) {
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
function measureCold({ family, k, ask }, runs, answers = 1) {
  const results = [];
  let taken = 0;
  do {
    results.push(measureOne({ family, k, ask, engine: 'auto', runs: answers, readModel: true }));
    taken += results.at(-1).process;
  } while (results.length < runs && taken < ENOUGH && results.at(-1).end === undefined);
  const failed = results.find((r) => r.end !== undefined);
  const { verdict, states } = results[0];
  const label = `${family} ${k} ${ask}`;
  process.stderr.write(`${label}: ${failed?.end ?? results.map((r) => r.first).join(' ')}\n`);
  return {
    family,
    k,
    ask,
    runs: results.length,
    memory: Math.max(...results.map((r) => r.memory)),
    ...(failed !== undefined
      ? { end: failed.end }
      : {
          verdict,
          states,
          milliseconds: spread(results.map((r) => r.first)),
          warm: spread(results.map((r) => r.warm.median)),
        }),
  };
}

/** What herd7's times are held against: one answer, and a whole command that lists all final states. */
function measureAgainst(runs) {
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
            herd: { one: one.get(k), all: all.get(k) },
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
function measureStart(runs) {
  const { file, goal } = SMALL_FILE;
  const pairs = range(2 * runs).map(() => ({
    file: timeCommand(['check', file]),
    node: timeBareNode(),
  }));
  return { goal, file: spread(pairs.map((p) => p.file)), node: spread(pairs.map((p) => p.node)) };
}

/** Small random tests, all in one command on two cores. */
function measureGenerated(runs) {
  const { count, goal } = GENERATED;
  const folder = mkdtempSync(join(tmpdir(), 'remora-bench-'));
  try {
    const { end } = runScript('generate.js', { folder, count });
    if (end !== undefined) throw new Error(`generated tests: ${end}`);
    const args = ['check', folder, '-m', 'rdma-tso', '--jobs', '2'];
    return { count, goal, runs, seconds: spread(range(runs).map(() => timeCommand(args))) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
