// How time and memory grow with the size of a program, for each engine.
import { MEASURED, encodingOf } from './engines.js';
import { FAMILIES } from './families.js';
import { round, runScript, spread } from './process.js';
import { sizeOf } from './sizes.js';

const SIZES = [2, 4, 8, 16, 32];

/** The last answers of a process: by then, its code is compiled. */
const LAST = 5;

/** Seconds for one answer. */
export const TIME_LIMIT = 60;

/** Engines and families to be measured can be chosen, to look at one closely. */
export function measureGrowth(runs, { families = Object.keys(FAMILIES), engines = MEASURED } = {}) {
  return families.map((family) => ({
    family,
    engines: engines.map((engine) => measureEngine(family, engine, runs)),
  }));
}

/** One size after the other, until one takes too long or certainly would. */
function measureEngine(family, engine, runs) {
  const steps = [];
  for (const k of SIZES) {
    if (expectedAfter(steps) > TIME_LIMIT) break;
    const encoding = encodingOf(engine);
    const size = encoding === undefined ? undefined : sizeOf(family, k, encoding);
    const step = {
      k,
      ...(size && { clauses: size.clauses + size.edges }),
      ...measureOne({ family, k, engine, ask: 'verdict', runs }),
    };
    steps.push(step);
    process.stderr.write(`${family} ${k} ${engine}: ${step.milliseconds?.median ?? step.end}\n`);
    if (step.end !== undefined) break;
  }
  return { engine, steps };
}

/**
 * Seconds that the next size takes if the ratio between the last two sizes stays the same. Exponential growth
 * takes longer than that.
 */
function expectedAfter(steps) {
  if (steps.length < 2) return 0;
  const [before, last] = steps.slice(-2).map((s) => s.milliseconds.median);
  return ((last / 1000) * last) / before;
}

/** Medians of some runs in one process of its own, or why there are none. */
export function measureOne(what) {
  const { objects, end, seconds } = runScript(
    'measure.js',
    { timeLimit: TIME_LIMIT, readModel: false, ...what },
    TIME_LIMIT + 5,
  );
  const fact = (name) => objects.findLast((o) => o[name] !== undefined)?.[name];
  const answers = objects.filter((o) => o.milliseconds !== undefined);
  const reason = answers.find((o) => o.verdict === 'unknown' || o.incomplete !== undefined);
  const failure =
    reason !== undefined ? (reason.reason ?? reason.incomplete) : answers.length === 0 && end;
  return {
    candidates: fact('candidates'),
    memory: Math.ceil(Math.max(0, ...objects.map((o) => o.memory))),
    process: round(seconds),
    ...(failure
      ? { end: failure }
      : {
          runs: answers.length,
          verdict: fact('verdict'),
          upTo: fact('upTo'),
          states: fact('states'),
          first: answers[0].milliseconds,
          milliseconds: spread(answers.map((o) => o.milliseconds)),
          warm: spread(answers.slice(-LAST).map((o) => o.milliseconds)),
        }),
  };
}
