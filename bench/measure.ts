// A process that measures one member of a family with one engine, several times: from the text to an answer that
// is checked. The time to start the process is not included, nor that to load Z3 for engines that always need it.
import { writeSync } from 'node:fs';
import { prepare } from '../dist/rdma/prepare.js';
import { enumerateCandidates } from '../dist/check/enumerate/candidates.js';
import { unroll } from '../dist/program/events/unroll.js';
import { parseLitmus } from '../dist/index.js';
import { loadModelNamed } from '../dist/node/models.js';
import { observedSubjects } from '../dist/program/subjects.js';
import { holds } from '../dist/check/witness/witness.js';
import { startEngine } from './engines.js';
import { FAMILIES } from './families.js';
import { round } from './process.js';

/**
 * `ask`: 'verdict' or 'states'; `runs`: how often, where that takes no time; `timeLimit`: of an engine
 * that watches the time; `readModel`: whether the time is to include reading the model's files.
 */
const { family, k, engine, ask, runs, timeLimit, readModel } = JSON.parse(process.argv[2]);

/** An answer that takes so many milliseconds is not asked for again, or only twice. */
const LONG = 6000;
const SLOW = 2000;
/** How many answers are asked for in any case, and the milliseconds for more of them. */
const FEW = 5;
const ENOUGH = 4000;

/** Printed at once, because what comes next may not end. */
const say = (object) =>
  writeSync(1, `${JSON.stringify({ ...object, memory: process.resourceUsage().maxRSS / 1024 })}\n`);

const text = FAMILIES[family](k);
const known = loadModelNamed('rdma-tso').model.value;
const { answer, outcomes } = await startEngine(engine, timeLimit);

const read = (model) => {
  const test = parseLitmus(text, `${family}.litmus`).value;
  return { ...test, program: prepare(test.program, model, engine).value.program };
};

// The time counts from here on. If there is no answer, at least this much memory was needed.
say({});
let left = runs;
let done = 0;
let taken = 0;
while (done < left && (done < FEW || taken < ENOUGH)) {
  const started = performance.now();
  const model = readModel ? loadModelNamed('rdma-tso').model.value : known;
  const test = read(model);
  const result =
    ask === 'states'
      ? await outcomes(test, model, observedSubjects(test))
      : await answer(test, model);
  const milliseconds = performance.now() - started;
  done += 1;
  taken += milliseconds;
  if (milliseconds > SLOW) left = Math.min(left, milliseconds > LONG ? 1 : 3);
  say({
    milliseconds: round(milliseconds),
    ...(ask === 'states'
      ? { states: result.states.length, incomplete: result.incomplete }
      : { verdict: result.verdict, reason: result.reason, upTo: result.upTo }),
  });
}
if (engine === 'enumerate' && ask === 'verdict') say({ candidates: candidates() });

/** How many candidates the search judges until it has the answer. */
function candidates() {
  const { program, queries } = read(known);
  const [{ condition }] = queries;
  const visit = ({ run }) => holds(condition, run.final);
  const states = observedSubjects({ program, queries });
  const limits = { limit: Infinity, deadline: performance.now() + timeLimit * 1000, states };
  return enumerateCandidates(unroll(program), known, visit, limits).judged;
}
