import { availableParallelism } from 'node:os';
import fc from 'fast-check';
import type { MethodLimits } from '../analyses/agree/compare.js';
import { compareMethods } from '../analyses/agree/compare.js';
import { countInstructions } from '../program/print.js';
import { reproducer } from '../analyses/agree/reproducer.js';
import type { Origin } from '../analyses/agree/shrink.js';
import { shrink } from '../analyses/agree/shrink.js';
import type { Disagreement, Survey } from '../analyses/agree/survey.js';
import { survey } from '../analyses/agree/survey.js';
import type { MethodGroup, MethodGrouping, Method } from '../analyses/agree/methods.js';
import { groupMethods } from '../analyses/agree/methods.js';
import type { Engine } from '../rdma/engines.js';
import { needsBuiltIn } from '../rdma/engines.js';
import { REMOTE_ATOMICS } from '../rdma/instructions.js';
import type { Pool } from '../analyses/workers.js';
import { renderDiagnostic } from '../parse/diagnostics/index.js';
import { parseLitmus } from '../node/tests.js';
import type { Test } from '../program/program.js';
import type { Model } from '../model/term.js';
import type { ProgramShape, Source } from '../rdma/random/programs.js';
import { inBlocks, programs } from '../rdma/random/programs.js';
import type { AgreeReport, ShrunkDisagreement } from '../report/agree.js';
import { agreeJson, agreeText } from '../report/agree.js';
import { AS_EXPECTED, BAD_INPUT, DEPARTS, INTERRUPTED, UNDECIDED } from './exit.js';
import { isFolder } from './folders.js';
import type { FormatOf, Reporters } from './formats.js';
import { chosen } from './formats.js';
import { eachOf } from './clients.js';
import { readCorpus, readModels } from './inputs.js';
import { planOutputs, wantedAs } from './output.js';
import { print } from './print.js';
import { startProgress } from './progress.js';
import { openReader } from './reader.js';
import { startRun } from './run.js';
import { keyOf } from './shard.js';
import { UsageError } from './usage.js';

export interface AgreeOptions {
  readonly model: readonly string[];
  /** Without it, all of `DEFAULT_ENGINES` that can treat the model, and `native` with a solver. */
  readonly engine?: readonly Engine[];
  /** Library files in the place of those that clients name. */
  readonly library?: readonly string[];
  readonly equivalent?: boolean;
  readonly random?: number;
  readonly seed?: number;
  readonly out?: string;
  readonly force?: boolean;
  readonly bound?: number;
  readonly limit?: number;
  readonly timeLimit?: number;
  readonly jobs?: number;
  /** The command of a solver, for the engine `native`. */
  readonly solver?: string;
  readonly reporter?: FormatOf<'agree'>;
}

/** The engines that share least. */
const DEFAULT_ENGINES: readonly Engine[] = ['smt', 'enumerate', 'operational'];

const defaultEngines = ({ solver }: AgreeOptions): readonly Engine[] =>
  solver === undefined ? DEFAULT_ENGINES : [...DEFAULT_ENGINES, 'native'];

const DEFAULT_SEED = 1;

/**
 * The default limit of candidates or states: a few seconds of work. A count gives the same results on every
 * computer, and a time would not.
 */
const DEFAULT_LIMIT = 10_000;

/** Programs that are drawn at a time. */
const BLOCK = 50;

const EVERYTHING: ProgramShape = { everything: true, instructions: 5 };
const QUEUE_PAIRS: ProgramShape = { ...EVERYTHING, queuePairs: true, loopBack: true };

const DRAWN = programs(EVERYTHING);

/** What `--random` draws, in turn. What was added later has places of its own: in the others programs stay what they were. */
const WITHOUT_ATOMICS = [DRAWN, DRAWN, DRAWN, programs(QUEUE_PAIRS)];
const WITH_ATOMICS = [
  ...[DRAWN, programs({ ...EVERYTHING, atomics: true })],
  ...[DRAWN, programs({ ...QUEUE_PAIRS, atomics: true })],
];

/** Programs with remote atomics are drawn only if all models have these. */
function drawings(models: readonly Model[]): (index: number) => typeof DRAWN {
  const knows = ({ instructions }: Model, name: string) =>
    instructions.operations.some((o) => o.name === name);
  const atomics = models.every((m) => REMOTE_ATOMICS.every((name) => knows(m, name)));
  const turns = atomics ? WITH_ATOMICS : WITHOUT_ATOMICS;
  return (index) => turns[index % turns.length];
}

/** The programs to compare ways on. */
interface Programs {
  /** All groups of ways, and those that a program is about. */
  readonly grouping: MethodGrouping;
  groupsFor(index: number): readonly MethodGroup[];
  readonly count: number;
  at(index: number): Test;
  /** How people find a program again. */
  describe(index: number): string;
  /** What the litmus file of a disagreement is called. */
  name(index: number): string;
  origin(index: number): Origin | undefined;
}

/** `remora agree`: do engines, and models, come to the same final states? */
export async function agree(paths: readonly string[], options: AgreeOptions): Promise<number> {
  const started = performance.now();
  const misused = misuse(paths, options);
  if (misused !== undefined) throw new UsageError(misused);
  const { equivalent = false } = options;
  const engines = options.engine ?? defaultEngines(options);
  const reader = await openReader([...options.model, ...paths]);
  const models = readModels(options.model, 'smt', reader);
  const corpus = readCorpus(paths, models, reader, options);
  const named = options.engine !== undefined;
  const grouped = (all: readonly Model[]): MethodGrouping =>
    groupMethods({ engines, named, models: all, equivalent: equivalent && all === models.items });
  const all =
    options.random === undefined
      ? files(eachOf(corpus), models.items, grouped)
      : random(options, models.items, grouped(models.items));
  const { grouping } = all;
  const errors = [...models.errors, ...corpus.errors];
  errors.push(...grouping.refused.map((d) => renderDiagnostic(d, new Map())));
  if (errors.length === 0) errors.push(...lonely(grouping.groups, equivalent));
  const { out, force } = options;
  const plan = planOutputs(wantedAs('litmus', out), { inputs: reader.files, force });
  errors.push(...plan.errors);
  for (const said of [...corpus.warnings, ...errors]) process.stderr.write(`${said}\n`);
  if (errors.length > 0) return BAD_INPUT;

  const many = options.random !== undefined || paths.some(isFolder);
  const engine = engines.find(needsBuiltIn) ?? engines[0];
  const run = startRun({ ...options, engine }, many);
  const { results, interrupted } = await run.all([
    { name: 'agree', do: (pool) => inspect(all, options, pool) },
  ]);
  const [{ surveyed, found }] = results;
  const report: AgreeReport = {
    survey: surveyed,
    leftOut: grouping.leftOut,
    named: options.random === undefined,
    milliseconds: performance.now() - started,
    found,
  };
  const format = chosen('agree', options.reporter);
  print(format, REPORTERS[format](report));
  const problem = found && plan.outputs[0]?.write(found.litmus);
  if (problem !== undefined) {
    process.stderr.write(`${problem}\n`);
    return BAD_INPUT;
  }
  return interrupted ? INTERRUPTED : exitCode(surveyed, options.random === undefined);
}

const REPORTERS: Reporters<'agree', AgreeReport> = {
  text: agreeText,
  json: (report) => `${agreeJson(report)}\n`,
};

/** Compares all programs and shrinks the first one that the ways disagree on. */
async function inspect(
  all: Programs,
  options: AgreeOptions,
  pool: Pool,
): Promise<{ readonly surveyed: Survey; readonly found?: ShrunkDisagreement }> {
  const { jobs = availableParallelism(), limit = DEFAULT_LIMIT, bound } = options;
  const limits: MethodLimits = { limit, bound };
  const bar = await startProgress(all.count, (i) => all.describe(i));
  const surveyed = await survey({
    count: all.count,
    program: (i) => all.at(i),
    groups: all.grouping.groups,
    groupsFor: (i) => all.groupsFor(i),
    limits,
    pool,
    lanes: 2 * jobs,
    progress: (i) => bar?.done(i),
  });
  bar?.stop();
  const { disagreement } = surveyed;
  if (disagreement === undefined) return { surveyed };
  return { surveyed, found: await reproduce(disagreement, all, options, limits, pool) };
}

async function reproduce(
  { index, test, finding }: Disagreement,
  all: Programs,
  options: AgreeOptions,
  limits: MethodLimits,
  pool: Pool,
): Promise<ShrunkDisagreement> {
  const ways: readonly Method[] = finding.kind === 'states' ? finding.ways : [finding.way];
  const group: MethodGroup = { models: ways.map((w) => w.model), ways };
  let interrupted = false;
  const findingOf = async (smaller: Test) => {
    const compared = await compareMethods(smaller, [group], limits, pool);
    interrupted ||= compared.interrupted;
    return compared.comparisons[0].finding;
  };
  const bounded = options.bound === undefined ? {} : { bound: options.bound };
  const whole = { ...test, program: { ...test.program, ...bounded } };
  const shrunk = await shrink(whole, all.origin(index), findingOf);
  const { test: smallest, finding: rest } = shrunk ?? { test: whole, finding };
  const origin = `Shrunk from ${all.describe(index)}.`;
  return {
    program: all.describe(index),
    instructions: [countInstructions(test.program), countInstructions(smallest.program)],
    shrunk: shrunk ?? { test: whole, finding, tries: 0 },
    interrupted,
    litmus: reproducer(smallest, rest, { name: all.name(index), origin }),
  };
}

/** Litmus files. Clients of the same libraries are of one group, whatever the models are. */
function files(
  tests: ReturnType<typeof eachOf>,
  models: readonly Model[],
  grouped: (models: readonly Model[]) => MethodGrouping,
): Programs {
  const known = new Map<string, MethodGrouping>();
  const ofAll = (key: string, those: readonly Model[]): MethodGrouping => {
    const found = known.get(key) ?? grouped(those);
    known.set(key, found);
    return found;
  };
  const groupings = tests.map(({ test, source }) => {
    const own = keyOf({ content: '', libraries: source.libraries });
    return test.models === undefined
      ? [ofAll('', models)]
      : test.models.map((model) => ofAll(`${model.name} ${own}`, [model]));
  });
  const all = [...known.values()];
  return {
    grouping: {
      groups: all.flatMap(({ groups }) => groups),
      leftOut: all.flatMap(({ leftOut }) => leftOut),
      refused: all.flatMap(({ refused }) => refused),
    },
    groupsFor: (i) => groupings[i].flatMap(({ groups }) => groups),
    count: tests.length,
    at: (i) => tests[i].test,
    describe: (i) => tests[i].test.file,
    name: (i) => `${tests[i].test.name}-shrunk`,
    origin: () => undefined,
  };
}

function random(
  { random: count = 0, seed = DEFAULT_SEED }: AgreeOptions,
  models: readonly Model[],
  grouping: MethodGrouping,
): Programs {
  const drawnAt = drawings(models);
  type Block = { readonly start: number; readonly sources: readonly Source[] };
  const blocks = new Map<typeof DRAWN, Block>();
  const sourceAt = (index: number): Source => {
    const start = index - (index % BLOCK);
    const drawn = drawnAt(index);
    let block = blocks.get(drawn);
    if (block?.start !== start) {
      const place = { seed, path: String(start), numRuns: BLOCK };
      block = { start, sources: fc.sample(drawn, place) };
      blocks.set(drawn, block);
    }
    return block.sources[index - start];
  };
  return {
    grouping,
    groupsFor: () => grouping.groups,
    count,
    at(index) {
      const parsed = parseLitmus(inBlocks(sourceAt(index)), this.describe(index));
      if (!parsed.ok) throw new Error(`a random program is not valid: ${parsed.errors[0].message}`);
      return { ...parsed.value, name: this.name(index) };
    },
    describe: (index) => `random program ${index + 1} of seed ${seed}`,
    name: (index) => `random-${seed}-${index + 1}`,
    origin: (index) => ({ arbitrary: drawnAt(index), seed, index }),
  };
}

/** Options that do not go together. */
function misuse(paths: readonly string[], { random, seed }: AgreeOptions): string | undefined {
  if (paths.length > 0 && random !== undefined) return 'give litmus files or --random, not both';
  if (paths.length === 0 && random === undefined) return 'give litmus files, or --random <n>';
  return seed !== undefined && random === undefined ? '--seed goes with --random' : undefined;
}

/** Groups in which there is nothing to compare. */
function lonely(groups: readonly MethodGroup[], equivalent: boolean): readonly string[] {
  return groups.flatMap(({ models, ways }) => {
    if (ways.length > 1) return [];
    const names = models.map((m) => m.name).join(', ');
    const remedy = equivalent
      ? 'name two models or engines'
      : 'name two engines, or two models and --equivalent';
    return [`${names}: there is only one way to its final states, nothing to compare: ${remedy}`];
  });
}

/** The exit code. A random program may go beyond a limit. A file that somebody names has to be compared. */
function exitCode({ tallies, disagreement }: Survey, isFiles: boolean): number {
  if (disagreement !== undefined) return DEPARTS;
  const undecided = tallies.some((t) => t.agreed === 0 || (isFiles && t.undecided.length > 0));
  return undecided ? UNDECIDED : AS_EXPECTED;
}
