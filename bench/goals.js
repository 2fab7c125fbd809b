// What is measured for the goals alone. Each run is a process of its own, and its time counts from
// reading the model's files and the litmus text to the verdict.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureOne } from './growth.js';
import { HERD } from './herd.js';
import { range, runScript, spread, timeCommand } from './process.js';

/** Family, size, what is asked, and the seconds in which it should be answered. */
const ANSWERS = [
  ['sbring', 32, 'verdict', 0.5],
  ['sbringget', 32, 'verdict', 0.5],
  ['mpchain', 32, 'verdict', 0.5],
  ['sbring', 128, 'verdict', 3],
  ['sbringget', 128, 'verdict', 3],
  ['mpchain', 128, 'verdict', 3],
  ['getsputs', 16, 'verdict', 5],
  ['putrace', 16, 'verdict', 5],
  ['getsputs', 5, 'states', 5],
  ['putrace', 5, 'states', 5],
];

/** Where Remora is to be ahead of herd7. */
const FROM = 4;

/** Generated tests, the seconds for all of them, and how often they are measured at most. */
const GENERATED = { count: 5000, goal: 60, runs: 3 };

export function measureGoals(runs) {
  const answers = ANSWERS.map(([family, k, ask, goal]) => ({
    goal,
    ...measureCold({ family, k, ask, engine: 'auto' }, runs),
  }));
  const against = Object.entries(HERD).flatMap(([family, { one, all }]) =>
    [...one.keys()]
      .filter((k) => k >= FROM)
      .flatMap((k) => [
        {
          herd: one.get(k),
          ...measureCold({ family, k, ask: 'verdict', engine: 'auto' }, runs, WARM),
        },
        {
          herd: all.get(k),
          ...measureCold({ family, k, ask: 'states', engine: 'auto' }, runs, WARM),
        },
      ]),
  );
  return { answers, against, generated: measureGenerated(Math.min(runs, GENERATED.runs)) };
}

/** Seconds after which what was run at least once is not run again. */
const ENOUGH = 40;

/** How often a process answers, to show how much longer its first answers take: their code is not compiled yet. */
const WARM = 20;

/** As `measureOne`, with a new process for each run; what counts is its first answer. */
function measureCold({ family, k, ask, engine }, runs, answers = 1) {
  const results = [];
  let taken = 0;
  do {
    results.push(measureOne({ family, k, ask, engine, runs: answers, readModel: true }));
    taken += results.at(-1).process;
  } while (results.length < runs && taken < ENOUGH && results.at(-1).end === undefined);
  const failed = results.find((r) => r.end !== undefined);
  const { verdict, states } = results[0];
  const memory = Math.max(...results.map((r) => r.memory));
  const inAll = spread(results.map((r) => r.process));
  const label = `${family} ${k} ${ask}`;
  process.stderr.write(`${label}: ${failed?.end ?? results.map((r) => r.first).join(' ')}\n`);
  return {
    family,
    k,
    ask,
    runs: results.length,
    memory,
    inAll,
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
