/** A worker thread: works off jobs, one at a time, with a solver of its own. */
import { setFlagsFromString } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import type { Acyclicity } from '../encode/acyclicity/choice.js';
import { nativeSolvers } from '../solve/native.js';
import { loadZ3 } from '../solve/z3.js';
import { decideByCandidates, outcomesByCandidates } from '../check/by-candidates.js';
import { decideByMachine, outcomesByMachine } from '../check/by-machine.js';
import { decide, enumerate } from '../check/decide.js';
import { machineOf, solvingOf } from '../check/engine.js';
import { decideIfTiny, outcomesIfTiny } from '../check/tiny.js';
import type { Model } from '../model/term.js';
import type { Program } from '../program/program.js';
import type { Execution } from '../relation/concrete.js';
import type { SolverFactory } from '../solve/solver.js';
import { ANALYSES } from './analyses.js';
import type { Analyses, AnalysisName } from './analyses.js';
import type {
  AnalysisJob,
  DecideJob,
  Job,
  Message,
  OutcomesJob,
  Posted,
  WorkerData,
} from './job.js';
import type { Answer, Outcomes } from '../check/result.js';
import type { Engine, SearchLimits } from '../check/engine.js';
import type { FinalState } from '../program/final.js';

/** Milliseconds after which states are reported while the search goes on. */
const REPORT_AFTER = 500;

/** What Z3 says where its memory cannot grow. */
const NO_MEMORY = /Cannot enlarge memory|out of memory/i;

if (parentPort === null) throw new Error('this module is run as a worker thread');
const port = parentPort;
const say = (message: Message): void => port.postMessage(message);
const given = workerData as WorkerData;
// Not earlier: Node's own modules were compiled with the flags that it has by default, and would be compiled
// again, which takes as long as all else that a worker does to start.
given.flags.forEach((flag) => setFlagsFromString(flag));
const native = given.bridge && nativeSolvers(given.bridge);
let builtIn: Promise<SolverFactory> | undefined;
if (given.preload) builtIn = loadZ3();

/** The models posted so far, by number. */
const known: Model[] = [];

port.on('message', ({ job, numbers, unseen, timeLimit }: Posted) => {
  known.push(...unseen);
  const models = numbers.map((n) => known[n]);
  void run({ ...job, models } as Job, timeLimit);
});

async function run(job: Job, timeLimit: number): Promise<void> {
  try {
    if (job.kind === 'decide') {
      const tiny = job.tests.map((test, i) =>
        job.engine === 'auto'
          ? decideIfTiny(test, job.models[i], job.queries, job.bound)
          : undefined,
      );
      const open = tiny.flatMap((answers, i) => (answers === undefined ? [i] : []));
      const tests = open.map((i) => job.tests[i]);
      const models = open.map((i) => job.models[i]);
      const rest = await answersOf({ ...job, tests, models }, timeLimit);
      say({ kind: 'answers', answers: tiny.map((a, i) => a ?? rest[open.indexOf(i)]) });
    } else if (job.kind === 'analysis') {
      say({ kind: 'analysed', output: await analyse(job, timeLimit) });
    } else {
      const { engine, test, models, subjects, bound } = job;
      const tiny = engine === 'auto' ? outcomesIfTiny(test, models[0], subjects, bound) : undefined;
      say({ kind: 'outcomes', outcomes: tiny ?? (await outcomesOf(job, timeLimit)) });
    }
    say({ kind: 'done', solver: builtIn !== undefined });
  } catch (error) {
    // Out of memory or a bug; either way this worker is not to be trusted any more.
    const message = error instanceof Error ? error.message : String(error);
    say({ kind: 'failed', message: NO_MEMORY.test(message) ? 'it ran out of memory' : message });
  }
}

async function answersOf(job: DecideJob, limit: number): Promise<readonly (readonly Answer[])[]> {
  const solver = job.tests.length > 0 ? await solverFor(job.engine) : undefined;
  say({ kind: 'started' });
  return solver === undefined ? search(job, limit) : solve(job, solver);
}

async function outcomesOf(job: OutcomesJob, limit: number): Promise<Outcomes> {
  const solver = await solverFor(job.engine);
  say({ kind: 'started' });
  return solver === undefined ? searchOutcomes(job, limit) : solveOutcomes(job, solver);
}

async function analyse<Name extends AnalysisName>(
  { analysis, engine, models, input, bound }: AnalysisJob<Name>,
  timeLimit: number,
): Promise<Analyses[Name]['output']> {
  const perform = await ANALYSES[analysis]();
  const asked = await solverFor(engine);
  if (asked === undefined) throw new Error(`${analysis} needs an engine with a solver`);
  say({ kind: 'started' });
  const deadline = performance.now() + timeLimit * 1000;
  return perform(input, { models, deadline, ...asked, ...(bound !== undefined && { bound }) });
}

/** A solver, and how it is asked. */
interface Asked {
  readonly newSolver: SolverFactory;
  readonly acyclicity: Acyclicity;
}

/** What an engine needs to solve, loaded when first needed; undefined for engines without a solver. */
async function solverFor(engine: Engine): Promise<Asked | undefined> {
  const solving = solvingOf(engine);
  if (solving === undefined) return undefined;
  const { acyclicity, backend } = solving;
  const newSolver = backend === 'native' ? native : await (builtIn ??= loadZ3());
  if (newSolver === undefined) throw new Error('there is no solver of the user');
  return { newSolver, acyclicity };
}

function solve(job: DecideJob, { newSolver, acyclicity }: Asked): Answer[][] {
  // Executions of one program, found under one model, say something under the others too.
  const executions = new Map<Program, Execution[]>();
  return job.tests.map((test, i) => {
    const found = executions.get(test.program) ?? [];
    executions.set(test.program, found);
    const answers: Answer[] = [];
    const options = { ...job, acyclicity, executions: found };
    decide(test, job.models[i], newSolver, options, (answer) => answers.push(answer));
    return answers;
  });
}

function solveOutcomes(
  { test, models, subjects, bound }: OutcomesJob,
  { newSolver, acyclicity }: Asked,
): Outcomes {
  let states: FinalState[] = [];
  let said = performance.now();
  const onState = (state: FinalState): void => {
    states.push(state);
    if (performance.now() - said < REPORT_AFTER) return;
    say({ kind: 'states', states });
    states = [];
    said = performance.now();
  };
  return enumerate(test, models[0], newSolver, subjects, bound, { acyclicity, onState });
}

/** Answers of the engines that go through executions, or states of a machine, one by one. */
function search(job: DecideJob, timeLimit: number): readonly (readonly Answer[])[] {
  return job.tests.map((test, i) => {
    const limits = limitsOf(job, timeLimit);
    const machine = machineOf(job.engine, job.models[i]);
    return machine === undefined
      ? decideByCandidates(test, job.models[i], job.queries, true, limits)
      : decideByMachine(test, machine, job.queries, limits);
  });
}

function searchOutcomes(job: OutcomesJob, timeLimit: number): Outcomes {
  const limits = limitsOf(job, timeLimit);
  const machine = machineOf(job.engine, job.models[0]);
  return machine === undefined
    ? outcomesByCandidates(job.test, job.models[0], job.subjects, job.counted, limits)
    : outcomesByMachine(job.test, machine, job.subjects, limits);
}

function limitsOf({ bound, limit }: DecideJob | OutcomesJob, timeLimit: number): SearchLimits {
  return {
    deadline: performance.now() + timeLimit * 1000,
    ...(bound !== undefined && { bound }),
    ...(limit !== undefined && { limit }),
  };
}
