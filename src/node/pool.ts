import { availableParallelism } from 'node:os';
import type { CallingThread } from './at-once.js';
import { callingThread } from './at-once.js';
import { solverCommand } from './command.js';
import { isNative, needsBuiltIn, solves } from '../rdma/engines.js';
import { filtered } from '../check/filter.js';
import type { AnalysisName } from '../analyses/registry.js';
import type {
  AnalysisJob,
  Analysed,
  DecideJob,
  Job,
  OutcomesJob,
  Pool,
} from '../analyses/workers.js';
import type { Message, Page, PageJob, Script, ScriptJob, ScriptText } from './job.js';
import { defaultMemory, watchMemory } from './memory.js';
import { createQueue } from './queue.js';
import type { Slot } from './slot.js';
import { isUsable, leaveSlot, post, takeSlot } from './slot.js';
import { INTERRUPTION } from '../check/result.js';
import type { Answer, Outcomes } from '../check/result.js';
import type { FinalState } from '../program/final.js';
import { compareStates } from '../program/final.js';
import { isStateQuery } from '../program/program.js';

export interface PoolOptions {
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

/** Seconds in which a worker must have loaded Z3. */
const START_LIMIT = 60;

/** Seconds beyond its time limit after which an engine that watches the time itself is ended. */
const GRACE = 5;

/** Why `native` answers nothing where no solver is named. */
const NO_SOLVER = { command: undefined, problem: 'this engine needs a solver of yours' };

const CLOSED = 'this pool is closed';

/** How a job ended on a worker: with everything said, or early, for a reason. */
type End = { readonly early?: string };

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
export function createPool({
  jobs = availableParallelism(),
  eager = 1,
  atOnce = false,
  timeLimit = DEFAULT_TIME_LIMIT,
  memory,
  solver,
  preload = solver === undefined,
  flags = [],
  explored,
}: PoolOptions = {}): Workers {
  const { command, problem } = solver === undefined ? NO_SOLVER : solverCommand(solver);
  const start = (): Slot => takeSlot({ preload, flags, memory }, command);
  const calling = atOnce ? callingThread(flags) : undefined;
  const early = Math.min(eager, atOnce ? jobs - 1 : jobs);
  const idle: Slot[] = Array.from({ length: early }, start);
  const busy = new Set<Slot>();
  const { look } = watchMemory(memory ?? defaultMemory(), () =>
    [...busy].flatMap(({ listener }) => listener ?? []),
  );
  let closed = false;

  const solving = (slots: Iterable<Slot>): boolean => [...slots].some((slot) => slot.solver);
  // One worker is enough to load Z3 for a few jobs; the others do so when nothing else is left.
  const queue = createQueue(jobs, () => solving(idle) || !solving(busy));

  /** What the calling thread finds out at once, unless it is busy and a worker is not. */
  const tryAtOnce = async <T>(
    job: (thread: CallingThread) => Promise<T | undefined>,
  ): Promise<T | undefined> => {
    while (calling?.busy !== undefined && idle.length === 0) await calling.busy;
    return calling === undefined || calling.busy !== undefined || closed ? undefined : job(calling);
  };

  /** Takes an idle worker that is not broken, or starts one. Prefers one with Z3 for a job that needs it, and one without for others. */
  const acquire = async (solver: boolean): Promise<Slot> => {
    while (idle.length > 0) {
      // If none is better, the index is -1, which takes the last.
      const better = idle.findLastIndex((slot) => slot.solver === solver);
      const [slot] = idle.splice(better, 1);
      if (isUsable(slot)) return slot;
      await slot.end();
    }
    return start();
  };

  /** Runs a job on a worker of its own; the time limit counts from when the worker begins. */
  const run = async (
    job: Job | PageJob | ScriptJob,
    hear: (message: Message) => void,
  ): Promise<End> => {
    if (closed) return { early: INTERRUPTION };
    if (problem !== undefined && isNative(job.engine)) return { early: problem };
    const solver = needsBuiltIn(job.engine);
    const slot = await acquire(solver);
    if (closed) {
      await slot.end();
      return { early: INTERRUPTION };
    }
    slot.jobs += 1;
    slot.solver ||= solver;
    const watched =
      job.kind === 'analysis' || job.kind === 'page' || !solves(job.engine) || asksOfRuns(job);
    const runs = job.kind === 'analysis' || job.kind === 'page' ? 1 : job.models.length;
    const allowed = watched ? timeLimit * runs + GRACE : timeLimit;
    busy.add(slot);
    let timer: NodeJS.Timeout | undefined;
    const end = await new Promise<End>((resolve) => {
      const within = (seconds: number, early: string): void => {
        clearTimeout(timer);
        // Timers cannot be longer than this; they would fire at once.
        timer = setTimeout(() => resolve({ early }), Math.min(seconds * 1000, 2 ** 31 - 1));
      };
      slot.listener = {
        hear(message) {
          if (message.kind === 'started') {
            within(allowed, `time limit of ${timeLimit} s reached`);
          } else if (message.kind === 'done') {
            slot.solver = message.solver;
            resolve({});
          } else if (message.kind === 'failed') {
            const what = job.kind === 'script' ? 'the script' : `the ${job.engine} engine`;
            resolve({ early: `${what} failed: ${message.message}` });
          } else if (message.kind === 'explored') explored?.(message.states);
          else hear(message);
        },
        end: (early) => resolve({ early }),
      };
      within(START_LIMIT, `the worker did not start within ${START_LIMIT} s`);
      if (slot.broken === undefined) post(slot, job, { timeLimit, memory });
      else resolve({ early: slot.broken });
      look();
    });
    clearTimeout(timer);
    busy.delete(slot);
    slot.listener = undefined;
    if (end.early === undefined && !closed) idle.push(slot);
    else await slot.end();
    return end;
  };

  /**
   * The answers of a job, by model. Where something ends it early, every query is tried again
   * alone, so that only the one to blame stays without an answer.
   */
  const decideAll = async (job: DecideJob): Promise<readonly (readonly Answer[])[]> => {
    const started = performance.now();
    let answers: readonly (readonly Answer[])[] = [];
    const end = await run(job, (message) => {
      if (message.kind === 'answers') answers = message.answers;
    });
    if (end.early === undefined) return answers;
    if (closed || (job.models.length === 1 && (job.queries.length <= 1 || !solves(job.engine)))) {
      const milliseconds = performance.now() - started;
      const rest = { verdict: 'unknown', reason: end.early, flags: [], milliseconds } as const;
      return job.models.map(() => job.queries.map((query) => ({ query, ...rest })));
    }
    const alone: Answer[][] = [];
    for (const [i, model] of job.models.entries()) {
      const ofModel: Answer[] = [];
      // Engines that go through executions answer all queries at once.
      const groups = solves(job.engine) ? job.queries.map((q) => [q]) : [job.queries];
      for (const queries of groups) {
        const one = { ...job, models: [model], tests: [job.tests[i]], queries };
        ofModel.push(...(await decideAll(one)).flat());
      }
      alone.push(ofModel);
    }
    return alone;
  };

  /** All outcomes of a job, or those found until it ended early. */
  const allOutcomes = async (job: OutcomesJob): Promise<Outcomes> => {
    const started = performance.now();
    // Several stages may report the same state.
    const told = new Map<string, FinalState>();
    let outcomes: Outcomes | undefined;
    const end = await run(job, (message) => {
      if (message.kind === 'states') {
        for (const state of message.states) told.set(JSON.stringify(state), state);
      }
      if (message.kind === 'outcomes') outcomes = message.outcomes;
    });
    const milliseconds = performance.now() - started;
    const states = [...told.values()].sort(compareStates);
    const found = { states, flags: [], incomplete: end.early ?? 'no answer', milliseconds };
    return outcomes ?? filtered(job.test, job.subjects, found);
  };

  /** The output of an analysis, unless something ended it early. */
  const analyse = async <Name extends AnalysisName>(
    job: AnalysisJob<Name>,
  ): Promise<Analysed<Name>> => {
    let output: Analysed<Name> | undefined;
    const end = await run(job, (message) => {
      if (message.kind === 'analysed') output = { output: message.output };
    });
    return output ?? { unfinished: end.early ?? 'no answer' };
  };

  const drawn = async (page: Page): Promise<string | undefined> => {
    let text: string | undefined;
    const { early } = await run(
      { kind: 'page', engine: 'auto', models: [], ...page },
      (message) => {
        if (message.kind === 'page') ({ text } = message);
      },
    );
    if (text === undefined && !closed)
      throw new Error(`${page.findings.page} is not drawn: ${early}`);
    return text;
  };

  const written = async (script: Script): Promise<ScriptEnd> => {
    let made: ScriptText | undefined;
    const { early } = await run({ kind: 'script', engine: 'auto', ...script }, (message) => {
      if (message.kind === 'script') made = message.script;
    });
    return made ?? { unfinished: early ?? 'no answer' };
  };

  return {
    script: (script) => queue.add(false, () => written(script)),
    decide: (job) =>
      queue.add(
        needsBuiltIn(job.engine),
        async () => (await tryAtOnce((thread) => thread.decide(job))) ?? decideAll(job),
      ),
    outcomes: (job) =>
      queue.add(
        needsBuiltIn(job.engine),
        async () => (await tryAtOnce((thread) => thread.outcomes(job))) ?? allOutcomes(job),
      ),
    page: (page) => queue.add(false, () => drawn(page)),
    analyse: (job) => queue.add(needsBuiltIn(job.engine), () => analyse(job)),
    async close() {
      closed = true;
      for (const slot of busy) slot.listener?.end(INTERRUPTION);
      await Promise.all([...[...busy].map((slot) => slot.end()), ...idle.splice(0).map(leaveSlot)]);
    },
    get problem() {
      return closed ? CLOSED : undefined;
    },
  };
}

/** Does it ask about runs, so that a machine is explored? Then the time is watched there. */
const asksOfRuns = (job: Job | ScriptJob): boolean =>
  job.kind === 'decide' &&
  job.queries.some((query) => job.tests.some((t) => !isStateQuery(t.queries[query])));
