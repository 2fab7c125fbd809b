/** A worker thread: one Z3 instance that works off jobs, one at a time. */
import { parentPort } from 'node:worker_threads';
import { loadZ3 } from '../solve/z3.js';
import { decide, enumerate } from './decide.js';
import type { Job, Message } from './job.js';
import type { Answer, FinalState } from './result.js';

/** Milliseconds after which states are reported while the search goes on. */
const REPORT_AFTER = 500;

if (parentPort === null) throw new Error('this module is run as a worker thread');
const port = parentPort;
const say = (message: Message): void => port.postMessage(message);
const solvers = loadZ3();

port.on('message', (job: Job) => {
  void run(job);
});

async function run(job: Job): Promise<void> {
  try {
    const newSolver = await solvers;
    say({ kind: 'started' });
    if (job.kind === 'decide') {
      const answers: Answer[] = [];
      decide(job.test, job.model, newSolver, job, (answer) => answers.push(answer));
      say({ kind: 'answers', answers });
    } else {
      const { test, model, subjects, bound } = job;
      let states: FinalState[] = [];
      let said = performance.now();
      const outcomes = enumerate(test, model, newSolver, subjects, bound, (state) => {
        states.push(state);
        if (performance.now() - said < REPORT_AFTER) return;
        say({ kind: 'states', states });
        states = [];
        said = performance.now();
      });
      say({ kind: 'outcomes', outcomes });
    }
    say({ kind: 'done' });
  } catch (error) {
    // Out of memory or a bug; either way this instance of Z3 is not to be trusted any more.
    say({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
}
