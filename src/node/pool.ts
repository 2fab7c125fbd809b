import { availableParallelism } from 'node:os';
import type { CallingThread } from './at-once.js';
import { callingThread } from './at-once.js';
import { solverCommand } from './command.js';
import { needsBuiltIn, solves } from '../rdma/engines.js';
import { filtered } from '../check/filter.js';
import type { AnalysisName } from '../analyses/registry.js';
import type { AnalysisJob, Analysed, DecideJob, OutcomesJob, Pool } from '../analyses/workers.js';
import type { Page, PageJob, Script, ScriptJob, ScriptText } from './job.js';
import { JobRunner } from './job-runner.js';
import { createQueue } from './queue.js';
import { takeSlot } from './slot.js';
import type { Answer, Outcomes } from '../check/result.js';
import type { FinalState } from '../program/final.js';
import { compareStates } from '../program/final.js';

export interface WorkersOptions {
  /** Number of worker threads; by default the number of cores. */
  readonly jobs?: number;
  /** How many workers to start before there is work for them; by default one. */
  readonly eager?: number;
  /** Whether the calling thread does jobs that take less time than to start a worker. It counts as one of the workers. */
  readonly atOnce?: boolean;
  /** Seconds that one job may take; a job that decides several queries is then tried query by query. */
  readonly timeLimit?: number;
  /** MiB that this process may take while it decides; by default most of what the container, or the machine, has. */
  readonly memory?: number;
  /** Whether workers load Z3 before they are asked something that needs it. Default: unless there is
   * another solver. */
  readonly preload?: boolean;
  /** The command of an SMT-LIB 2 solver, for the engine `native`. */
  readonly solver?: string;
  /** Hears, now and then, how many states of a machine a job has reached. */
  readonly explored?: (states: number) => void;
  /** Flags of V8, which are then those of the whole process. */
  readonly flags?: readonly string[];
}

/** Seconds for one job where nothing else is said. */
export const DEFAULT_TIME_LIMIT = 60;

/** Why `native` answers nothing where no solver is named. */
const NO_SOLVER = { command: undefined, problem: 'this engine needs a solver of yours' };

const CLOSED = 'this pool is closed';

/** Of a worker that is done with its job and has said nothing of it: a bug. */
const NO_ANSWER = 'no answer';

/** How making a script ended. */
export type ScriptEnd = ScriptText | { readonly unfinished: string };

/** A pool of worker threads, which also draw pages and make scripts. */
export interface Workers extends Pool {
  /**
   * The text of a page of a report; undefined if the pool is closed before.
   *
   * @throws Error if a worker could not draw it: a bug
   */
  page(page: Page): Promise<string | undefined>;
  /** The text of a script, why there is none, or what ended it early. */
  script(script: Script): Promise<ScriptEnd>;
}

/**
 * Makes a pool. Some workers are started at once, so that they load Z3 while the caller still
 * reads files; the others are started when there is work for them.
 */
export function createWorkers({
  jobs = availableParallelism(),
  eager = 1,
  atOnce = false,
  timeLimit = DEFAULT_TIME_LIMIT,
  memory,
  solver,
  preload = solver === undefined,
  flags = [],
  explored,
}: WorkersOptions = {}): Workers {
  const { command, problem } = solver === undefined ? NO_SOLVER : solverCommand(solver);
  const runner = new JobRunner({
    start: () => takeSlot({ preload, flags, memory }, command),
    eager: Math.min(eager, atOnce ? jobs - 1 : jobs),
    timeLimit,
    memory,
    problem,
    explored,
  });
  const calling = atOnce ? callingThread(flags) : undefined;
  const queue = createQueue(jobs, () => runner.prefersSolving);

  /** What the calling thread finds out at once, unless it is busy and a worker is not. */
  const tryAtOnce = async <T>(
    job: (thread: CallingThread) => Promise<T | undefined>,
  ): Promise<T | undefined> => {
    while (calling?.busy !== undefined && !runner.hasIdle) await calling.busy;
    if (calling === undefined || calling.busy !== undefined || runner.closed) return undefined;
    return job(calling);
  };

  return {
    script: (script) => queue.add(false, () => scriptBy(runner, script)),
    decide: (job) =>
      queue.add(
        needsBuiltIn(job.engine),
        async () => (await tryAtOnce((thread) => thread.decide(job))) ?? answersBy(runner, job),
      ),
    outcomes: (job) =>
      queue.add(
        needsBuiltIn(job.engine),
        async () => (await tryAtOnce((thread) => thread.outcomes(job))) ?? outcomesBy(runner, job),
      ),
    page: (page) => queue.add(false, () => pageBy(runner, page)),
    analyse: (job) => queue.add(needsBuiltIn(job.engine), () => analysisBy(runner, job)),
    close: () => runner.close(),
    get problem() {
      return runner.closed ? CLOSED : undefined;
    },
  };
}

/**
 * The answers of a job, by model. Where something ends it early, every query is tried again
 * alone, so that only the one to blame stays without an answer.
 */
async function answersBy(
  runner: JobRunner,
  job: DecideJob,
): Promise<readonly (readonly Answer[])[]> {
  const started = performance.now();
  let answers: readonly (readonly Answer[])[] = [];
  const { early } = await runner.run(job, (message) => {
    if (message.kind === 'answers') answers = message.answers;
  });
  if (early === undefined) return answers;
  const isOne = job.models.length === 1 && (job.queries.length <= 1 || !solves(job.engine));
  if (runner.closed || isOne) {
    const milliseconds = performance.now() - started;
    const rest = { verdict: 'unknown', reason: early, flags: [], milliseconds } as const;
    return job.models.map(() => job.queries.map((query) => ({ query, ...rest })));
  }
  const alone: Answer[][] = [];
  for (const [i, model] of job.models.entries()) {
    const ofModel: Answer[] = [];
    // Engines that go through executions answer all queries at once.
    const groups = solves(job.engine) ? job.queries.map((q) => [q]) : [job.queries];
    for (const queries of groups) {
      const one = { ...job, models: [model], tests: [job.tests[i]], queries };
      ofModel.push(...(await answersBy(runner, one)).flat());
    }
    alone.push(ofModel);
  }
  return alone;
}

/** All outcomes of a job, or those found until it ended early. */
async function outcomesBy(runner: JobRunner, job: OutcomesJob): Promise<Outcomes> {
  const started = performance.now();
  // Several stages may report the same state.
  const found = new Map<string, FinalState>();
  let outcomes: Outcomes | undefined;
  const { early } = await runner.run(job, (message) => {
    if (message.kind === 'states') {
      for (const state of message.states) found.set(JSON.stringify(state), state);
    }
    if (message.kind === 'outcomes') outcomes = message.outcomes;
  });
  if (outcomes !== undefined) return outcomes;
  const milliseconds = performance.now() - started;
  const states = [...found.values()].sort(compareStates);
  const incomplete = early ?? NO_ANSWER;
  return filtered(job.test, job.subjects, { states, flags: [], incomplete, milliseconds });
}

/** The output of an analysis, unless something ended it early. */
async function analysisBy<Name extends AnalysisName>(
  runner: JobRunner,
  job: AnalysisJob<Name>,
): Promise<Analysed<Name>> {
  let output: Analysed<Name> | undefined;
  const { early } = await runner.run(job, (message) => {
    if (message.kind === 'analysed') output = { output: message.output };
  });
  return output ?? { unfinished: early ?? NO_ANSWER };
}

async function pageBy(runner: JobRunner, page: Page): Promise<string | undefined> {
  let text: string | undefined;
  const job: PageJob = { kind: 'page', engine: 'auto', models: [], ...page };
  const { early } = await runner.run(job, (message) => {
    if (message.kind === 'page') ({ text } = message);
  });
  if (text === undefined && !runner.closed)
    throw new Error(`${page.findings.page} is not drawn: ${early}`);
  return text;
}

async function scriptBy(runner: JobRunner, script: Script): Promise<ScriptEnd> {
  let made: ScriptText | undefined;
  const job: ScriptJob = { kind: 'script', engine: 'auto', ...script };
  const { early } = await runner.run(job, (message) => {
    if (message.kind === 'script') made = message.script;
  });
  return made ?? { unfinished: early ?? NO_ANSWER };
}
