/** A worker thread: works off jobs, one at a time, with a solver of its own. */
import { parentPort, workerData } from 'node:worker_threads';
import { setFlags } from './flags.js';
import { nativeSolvers } from './native.js';
import { loadZ3 } from './z3.js';
import type { Backend, StageMeans } from '../check/stages.js';
import { outcomesInStages, withSolver } from '../check/stages.js';
import type { Model } from '../model/term.js';
import type { FinalState } from '../program/final.js';
import { decideAll } from '../rdma/answers.js';
import { stagesOf } from '../rdma/engines.js';
import type { SolverFactory } from '../solve/solver.js';
import { ANALYSES } from '../analyses/registry.js';
import type { Analyses, AnalysisName } from '../analyses/registry.js';
import type { AnalysisJob, Job } from '../analyses/workers.js';
import type { Message, PageJob, Posted, ScriptJob, ScriptText, WorkerData } from './job.js';
import { runsInPromela } from '../explore/promela/promela.js';
import { promelaScript } from '../rdma/loops/index.js';
import { smtlibScript } from '../report/script.js';
import { testPage } from '../report/site/test-page.js';
import { once } from '../parse/once.js';
import { packed } from './pack.js';

/** Milliseconds after which states are reported while the search goes on. */
const REPORT_AFTER = 500;

/** What Z3 says where its memory cannot grow, and V8 of texts and arrays that cannot. */
const NO_MEMORY =
  /Cannot enlarge memory|out of memory|allocation failed|Invalid (string|array) length/i;

if (parentPort === null) throw new Error('this module is run as a worker thread');
const port = parentPort;
const say = (message: Message): void => port.postMessage(message);
const given = workerData as WorkerData;
// Not earlier: Node's own modules were compiled with the flags that it has by default, and would be compiled
// again, which takes as long as all else that a worker does to start.
setFlags(given.flags);
const native = given.bridge && nativeSolvers(given.bridge);
let builtIn: Promise<SolverFactory> | undefined;
if (given.preload) builtIn = loadZ3();

/** The models posted so far, by number. */
const known: Model[] = [];

port.on('message', ({ job, numbers, unseen, timeLimit, memory }: Posted) => {
  known.push(...unseen);
  const models = numbers.map((n) => known[n]);
  void run({ ...job, models } as Job | PageJob | ScriptJob, {
    timeLimit: timeLimit * 1000,
    memory: memory && memory * 2 ** 20,
  });
});

async function run(
  job: Job | PageJob | ScriptJob,
  limits: Pick<StageMeans, 'timeLimit' | 'memory'>,
): Promise<void> {
  try {
    const started = once(() => say({ kind: 'started' }));
    const means: StageMeans = { solver, started, explored: counter(), ...limits };
    if (job.kind === 'decide') {
      const answers = await decideAll(job.engine, job, means);
      say({ kind: 'answers', answers });
    } else if (job.kind === 'page') {
      say({ kind: 'started' });
      say({ kind: 'page', text: testPage(job.site, job.findings, packed) });
    } else if (job.kind === 'script') {
      say({ kind: 'started' });
      say({ kind: 'script', script: scriptOf(job, limits.memory) });
    } else if (job.kind === 'analysis') {
      say({ kind: 'analysed', output: await analyse(job, means) });
    } else {
      const listing = { ...job, model: job.models[0] };
      const outcomes = await outcomesInStages(stagesOf(job.engine), listing, means, teller());
      say({ kind: 'outcomes', outcomes });
    }
    say({ kind: 'done', solver: builtIn !== undefined });
  } catch (error) {
    // Out of memory or a bug; either way this worker is not to be trusted any more.
    const message = error instanceof Error ? error.message : String(error);
    say({ kind: 'failed', message: NO_MEMORY.test(message) ? 'it ran out of memory' : message });
  }
}

function scriptOf(job: ScriptJob, memory: number | undefined): ScriptText {
  switch (job.format) {
    case 'smtlib':
      return smtlibScript(job.test, job.models[0], job.index, job.options);
    case 'promela':
      return promelaScript(job.test, job.source, job.options);
    case 'runs': {
      const limits = { ...job.options, deadline: Infinity, memory };
      return runsInPromela(job.test, job.models[0], job.queries, job.source, limits);
    }
  }
}

async function analyse<Name extends AnalysisName>(
  { analysis, engine, models, input, bound }: AnalysisJob<Name>,
  means: StageMeans,
): Promise<Analyses[Name]['output']> {
  const perform = await ANALYSES[analysis]();
  // The time counts from the first stage's beginning: what comes after a search has what is left of it.
  const deadline = once(() => performance.now() + means.timeLimit);
  return withSolver(stagesOf(engine), means, (newSolver, acyclicity) => {
    means.started();
    return perform(input, { models, deadline: deadline(), newSolver, acyclicity, bound });
  });
}

/** A solver, loaded when it is first needed. */
async function solver(backend: Backend): Promise<SolverFactory> {
  const newSolver = backend === 'native' ? native : await (builtIn ??= loadZ3());
  if (newSolver === undefined) throw new Error('there is no solver of the user');
  return newSolver;
}

/** Tells how many states of a machine were reached. */
function counter(): (states: number) => void {
  let said = performance.now();
  return (states) => {
    if (performance.now() - said < REPORT_AFTER) return;
    say({ kind: 'explored', states });
    said = performance.now();
  };
}

/** Tells of final states, many at a time. */
function teller(): (state: FinalState) => void {
  let states: FinalState[] = [];
  let said = performance.now();
  return (state) => {
    states.push(state);
    if (performance.now() - said < REPORT_AFTER) return;
    say({ kind: 'states', states });
    states = [];
    said = performance.now();
  };
}
