// A process that measures one member of a family with one engine, several times: from the text to an answer that
// is checked. The time to start the process is not included, nor that to load Z3 for engines that always need it.
import { writeSync } from 'node:fs';
import { prepare } from '../dist/rdma/prepare.js';
import { enumerateCandidates } from '../dist/check/enumerate/candidates.js';
import { unroll } from '../dist/program/events/unroll.js';
import { parseLitmus } from '../dist/index.js';
import type { Model } from '../dist/model/term.js';
import type { Test } from '../dist/program/program.js';
import type { Engine } from '../dist/rdma/engines.js';
import { observedSubjects } from '../dist/program/subjects.js';
import type { Answer, Outcomes } from '../dist/check/result.js';
import type { Verified } from '../dist/check/witness/verify.js';
import { holds } from '../dist/check/witness/witness.js';
import { startEngine } from './engines.js';
import { FAMILIES } from './families.js';
import { firstQuery, modelNamed, valueOf } from './inputs.js';
import { given, round } from './process.js';

export interface MeasureGiven {
  readonly family: string;
  readonly k: number;
  readonly engine: Engine;
  readonly ask: 'verdict' | 'states';
  /** How often, where that takes no time. */
  readonly runs: number;
  /** Seconds, of an engine that watches the time. */
  readonly timeLimit: number;
  /** Whether the time is to include reading the model's files. */
  readonly readModel: boolean;
}

/** What it says, now and then; each time, how many MiB the process has taken at most. */
export interface Measured {
  readonly memory: number;
  readonly milliseconds?: number;
  readonly verdict?: string;
  readonly reason?: string;
  readonly upTo?: number;
  /** How many final states there are. */
  readonly states?: number;
  readonly incomplete?: string;
  readonly candidates?: number;
}

const { family, k, engine, ask, runs, timeLimit, readModel } = given<MeasureGiven>();

/** An answer that takes so many milliseconds is not asked for again, or only twice. */
const LONG = 6000;
const SLOW = 2000;
/** How many answers are asked for in any case, and the milliseconds for more of them. */
const FEW = 5;
const ENOUGH = 4000;

/** Printed at once, because what comes next may not end. */
const say = (object: Omit<Measured, 'memory'>) =>
  writeSync(1, `${JSON.stringify({ ...object, memory: process.resourceUsage().maxRSS / 1024 })}\n`);

const text = FAMILIES[family](k);
const known = modelNamed('rdma-tso');
const { answer, outcomes } = await startEngine(engine, timeLimit);

const read = (model: Model): Test => {
  const test = valueOf(parseLitmus(text, `${family}.litmus`));
  return { ...test, program: valueOf(prepare(test.program, model, engine)).program };
};

// The time counts from here on. If there is no answer, at least this much memory was needed.
say({});
let left = runs;
let done = 0;
let taken = 0;
while (done < left && (done < FEW || taken < ENOUGH)) {
  const started = performance.now();
  const model = readModel ? modelNamed('rdma-tso') : known;
  const test = read(model);
  const found =
    ask === 'states'
      ? counted(await outcomes(test, model, observedSubjects(test)))
      : decided(await answer(test, model));
  const milliseconds = performance.now() - started;
  done += 1;
  taken += milliseconds;
  if (milliseconds > SLOW) left = Math.min(left, milliseconds > LONG ? 1 : 3);
  say({ milliseconds: round(milliseconds), ...found });
}
if (engine === 'enumerate' && ask === 'verdict') say({ candidates: candidates() });

function counted({ states, incomplete }: Outcomes) {
  return { states: states.length, incomplete };
}

function decided({ verdict, reason, upTo }: Answer) {
  return { verdict, reason, upTo };
}

/** How many candidates the search judges until it has the answer. */
function candidates(): number {
  const { program, queries } = read(known);
  const { condition } = firstQuery({ queries });
  const visit = ({ run }: Verified) => holds(condition, run.final);
  const states = observedSubjects({ program, queries });
  const limits = { limit: Infinity, deadline: performance.now() + timeLimit * 1000, states };
  return enumerateCandidates(unroll(program), known, visit, limits).judged;
}
