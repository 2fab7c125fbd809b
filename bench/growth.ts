// How time and memory grow with the size of a program, for each engine.
import { MEASURED, encodingOf } from './engines.js';
import { FAMILIES } from './families.js';
import type { Engine } from '../dist/rdma/engines.js';
import type { MeasureGiven, Measured } from './measure-run.js';
import type { Spread } from './process.js';
import { round, runScript, spread } from './process.js';
import { sizeOf } from './sizes.js';

const SIZES = [2, 4, 8, 16, 32];

/** The last answers of a process: by then, its code is compiled. */
const LAST = 5;

/** Seconds for one answer. */
export const TIME_LIMIT = 60;

/** What a process said of one member of a family. */
interface Facts {
  readonly candidates?: number;
  /** MiB of the process, at most. */
  readonly memory: number;
  /** Seconds of the process. */
  readonly process: number;
}

export interface Answered extends Facts {
  readonly end?: undefined;
  readonly runs: number;
  readonly verdict?: string;
  readonly upTo?: number;
  readonly states?: number;
  /** Milliseconds of the first answer, of all, and of the last ones. */
  readonly first: number;
  readonly milliseconds: Spread;
  readonly warm: Spread;
}

/** Why there is no answer. */
export interface Ended extends Facts {
  readonly end: string;
}

export type Step = (Answered | Ended) & {
  readonly k: number;
  /** With the edges of graphs. */
  readonly clauses?: number;
};

export interface EngineGrowth {
  readonly engine: Engine;
  readonly steps: readonly Step[];
}

export interface FamilyGrowth {
  readonly family: string;
  readonly engines: readonly EngineGrowth[];
}

/** Engines and families to be measured can be chosen, to look at one closely. */
export function measureGrowth(
  runs: number,
  { families = Object.keys(FAMILIES), engines = MEASURED } = {},
): readonly FamilyGrowth[] {
  return families.map((family) => ({
    family,
    engines: engines.map((engine) => measureEngine(family, engine, runs)),
  }));
}

/** The largest size that is asked of a family: threads that share a queue pair do not post more at a time. */
const MOST: Readonly<Record<string, number>> = { sharedgets: 8 };

/** One size after the other, until one takes too long or certainly would. */
function measureEngine(family: string, engine: Engine, runs: number): EngineGrowth {
  const steps: Step[] = [];
  for (const k of SIZES) {
    if (k > (MOST[family] ?? Infinity) || expectedAfter(steps) > TIME_LIMIT) break;
    const encoding = encodingOf(engine);
    const size = encoding === undefined ? undefined : sizeOf(family, k, encoding);
    const step: Step = {
      k,
      ...(size && { clauses: size.clauses + size.edges }),
      ...measureOne({ family, k, engine, ask: 'verdict', runs }),
    };
    steps.push(step);
    process.stderr.write(`${family} ${k} ${engine}: ${step.end ?? step.milliseconds.median}\n`);
    if (step.end !== undefined) break;
  }
  return { engine, steps };
}

/**
 * Seconds that the next size takes if the ratio between the last two sizes stays the same. Exponential growth
 * takes longer than that.
 */
function expectedAfter(steps: readonly Step[]): number {
  const medians = steps.flatMap((s) => (s.end === undefined ? [s.milliseconds.median] : []));
  if (medians.length < 2) return 0;
  const [before, last] = medians.slice(-2);
  return ((last / 1000) * last) / before;
}

/** What is asked; the time limit is that of all, and the model is read before. */
type What = Omit<MeasureGiven, 'timeLimit' | 'readModel'> & Partial<MeasureGiven>;

/** Medians of some runs in one process of its own, or why there are none. */
export function measureOne(what: What): Answered | Ended {
  const { objects, end, seconds } = runScript<MeasureGiven, Measured>(
    'measure-run',
    { timeLimit: TIME_LIMIT, readModel: false, ...what },
    TIME_LIMIT + 5,
  );
  const fact = <Name extends keyof Measured>(name: Name): Measured[Name] | undefined =>
    objects.findLast((o) => o[name] !== undefined)?.[name];
  const answers = objects.filter((o) => o.milliseconds !== undefined);
  const times = objects.flatMap(({ milliseconds = [] }) => milliseconds);
  const reason = answers.find((o) => o.verdict === 'unknown' || o.incomplete !== undefined);
  const failure =
    reason !== undefined
      ? (reason.reason ?? reason.incomplete)
      : answers.length === 0
        ? (end ?? 'no answer')
        : undefined;
  const facts: Facts = {
    candidates: fact('candidates'),
    memory: Math.ceil(Math.max(0, ...objects.map((o) => o.memory))),
    process: round(seconds),
  };
  if (failure !== undefined) return { ...facts, end: failure };
  return {
    ...facts,
    runs: answers.length,
    verdict: fact('verdict'),
    upTo: fact('upTo'),
    states: fact('states'),
    first: times[0],
    milliseconds: spread(times),
    warm: spread(times.slice(-LAST)),
  };
}
