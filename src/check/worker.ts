/** A worker thread: one Z3 instance that works off jobs, one at a time. */
import { parentPort } from 'node:worker_threads';
import { loadZ3 } from '../solve/z3.js';
import { decide, enumerate } from './decide.js';
import type { Model } from '../model/term.js';
import type { Program } from '../program/program.js';
import type { Execution } from '../relation/concrete.js';
import type { SolverFactory } from '../solve/solver.js';
import type { DecideJob, EnumerateJob, Job, Message, Posted } from './job.js';
import type { Answer, FinalState } from './result.js';

/** Milliseconds after which states are reported while the search goes on. */
const REPORT_AFTER = 500;

if (parentPort === null) throw new Error('this module is run as a worker thread');
const port = parentPort;
const say = (message: Message): void => port.postMessage(message);
const solvers = loadZ3();

/** The models posted so far, by number. */
const known: Model[] = [];

port.on('message', ({ job, numbers, unseen }: Posted) => {
  known.push(...unseen);
  const models = numbers.map((n) => known[n]);
  void run({ ...job, models } as Job);
});

async function run(job: Job): Promise<void> {
  try {
    const newSolver = await solvers;
    say({ kind: 'started' });
    if (job.kind === 'decide') say({ kind: 'answers', answers: decideAll(job, newSolver) });
    else say({ kind: 'outcomes', outcomes: enumerateAll(job, newSolver) });
    say({ kind: 'done' });
  } catch (error) {
    // Out of memory or a bug; either way this instance of Z3 is not to be trusted any more.
    say({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
}

function decideAll(job: DecideJob, newSolver: SolverFactory): Answer[][] {
  // Executions of one program, found under one model, say something under the others too.
  const executions = new Map<Program, Execution[]>();
  return job.tests.map((test, i) => {
    const found = executions.get(test.program) ?? [];
    executions.set(test.program, found);
    const answers: Answer[] = [];
    decide(test, job.models[i], newSolver, { ...job, executions: found }, (a) => answers.push(a));
    return answers;
  });
}

function enumerateAll({ test, models, subjects, bound }: EnumerateJob, newSolver: SolverFactory) {
  let states: FinalState[] = [];
  let said = performance.now();
  return enumerate(test, models[0], newSolver, subjects, bound, (state) => {
    states.push(state);
    if (performance.now() - said < REPORT_AFTER) return;
    say({ kind: 'states', states });
    states = [];
    said = performance.now();
  });
}
