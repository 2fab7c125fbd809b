/** What `agree` compares: programs, from files or random ones, and the ways to their final states. */
import fc from 'fast-check';
import type { MethodLimits } from '../../../analyses/agree/compare.js';
import type { Origin } from '../../../analyses/agree/shrink.js';
import type { MethodGroup, MethodGrouping } from '../../../analyses/agree/methods.js';
import { groupMethods } from '../../../analyses/agree/methods.js';
import type { Engine } from '../../../rdma/engines.js';
import { needsBuiltIn } from '../../../rdma/engines.js';
import { REMOTE_ATOMICS } from '../../../rdma/instructions.js';
import { renderDiagnostic } from '../../../parse/diagnostics/index.js';
import { defaultInstructions } from '../../../node/models.js';
import { parseLitmus } from '../../../node/tests.js';
import type { Test } from '../../../program/program.js';
import type { Model } from '../../../model/term.js';

import { declaredPrograms, themesOf } from '../../../rdma/random/declared.js';
import type { Theme } from '../../../rdma/random/layout.js';
import type { ProgramShape, Source } from '../../../rdma/random/programs.js';
import { inBlocks, programs } from '../../../rdma/random/programs.js';
import { vocabularyOf } from '../../../rdma/random/vocabulary.js';
import { eachOf } from '../../inputs/clients.js';
import type { ModelInputs } from '../../inputs/models.js';
import { readCorpus } from '../../inputs/corpus.js';
import { readModels } from '../../inputs/models.js';
import type { InputReader } from '../../inputs/reader.js';
import { openReader } from '../../inputs/reader.js';
import { shardKey } from '../../inputs/shard.js';
import { UsageError } from '../../command/usage.js';

export type AgreeFormat = 'text' | 'json';

export interface AgreeOptions {
  readonly model: readonly string[];
  /** By default, all of `DEFAULT_ENGINES` that take the model, and `native` with a solver. */
  readonly engine?: readonly Engine[];
  /** Library files that replace those that clients name. */
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
  readonly reporter?: AgreeFormat;
}

/** The engines that share least code. */
const DEFAULT_ENGINES: readonly Engine[] = ['smt', 'enumerate', 'operational'];

const defaultEngines = ({ solver }: AgreeOptions): readonly Engine[] =>
  solver === undefined ? DEFAULT_ENGINES : [...DEFAULT_ENGINES, 'native'];

const DEFAULT_SEED = 1;

/**
 * The default limit of candidates or states: a few seconds of work. Unlike a time limit, it gives the same results on
 * every computer.
 */
const DEFAULT_LIMIT = 10_000;

/** The limits of engines, so that each of them ends. */
export const methodLimits = ({ limit = DEFAULT_LIMIT, bound }: AgreeOptions): MethodLimits => ({
  limit,
  bound,
});

/** How many programs are numbered at a time: to reach program n, the random generator has to go n steps. */
const BLOCK = 2000;

const EVERYTHING: ProgramShape = { everything: true, instructions: 5 };
const QUEUE_PAIRS: ProgramShape = { ...EVERYTHING, queuePairs: true, loopBack: true };

const DRAWN = programs(EVERYTHING);

/**
 * The kinds of programs that `--random` draws in turn. Kinds that were added later have their own turns, so that the
 * same seed still draws the same programs in the other turns.
 */
const WITHOUT_ATOMICS = [DRAWN, DRAWN, DRAWN, programs(QUEUE_PAIRS)];
const WITH_ATOMICS = [
  ...[DRAWN, programs({ ...EVERYTHING, atomics: true })],
  ...[DRAWN, programs({ ...QUEUE_PAIRS, atomics: true })],
];

/** Of eight programs in a row, those that are drawn by what the models declare. */
const BY_DECLARATIONS = [2, 4, 5, 6];

/**
 * Programs with remote atomics are drawn only if all models have these. Half of the programs are of whatever else all of them
 * declare, a theme at a time.
 */
function drawings(models: readonly Model[]): (index: number) => typeof DRAWN {
  const knows = ({ instructions }: Model, name: string) =>
    instructions.operations.some((o) => o.name === name);
  const atomics = models.every((m) => REMOTE_ATOMICS.every((name) => knows(m, name)));
  const turns = atomics ? WITH_ATOMICS : WITHOUT_ATOMICS;
  const themes = models.length === 0 ? [] : declaredBy(models);
  return (index) => {
    const place = BY_DECLARATIONS.indexOf(index % 8);
    if (place < 0 || themes.length === 0) return turns[index % turns.length];
    const number = BY_DECLARATIONS.length * Math.floor(index / 8) + place;
    return themes[number % themes.length];
  };
}

/** For each theme, its programs. Every second one is about operations besides the usual ones, if there are any. */
function declaredBy(models: readonly Model[]): readonly (typeof DRAWN)[] {
  const vocabulary = vocabularyOf(models, defaultInstructions());
  const themes = themesOf(vocabulary);
  const order = themes.includes('new')
    ? themes.flatMap((theme): readonly Theme[] => (theme === 'new' ? [] : ['new', theme]))
    : themes;
  const drawn = new Map(themes.map((theme) => [theme, declaredPrograms(vocabulary, theme)]));
  return order.map((theme) => drawn.get(theme)!);
}

/** The programs to compare ways on. */
export interface Programs {
  /** All groups of ways, and those that a program is about. */
  readonly grouping: MethodGrouping;
  groupsFor(index: number): readonly MethodGroup[];
  readonly count: number;
  /** The program with this number, from 0. */
  at(index: number): Test;
  /** A description by which people can find the program again. */
  describe(index: number): string;
  /** The name of the litmus file of a disagreement. */
  name(index: number): string;
  origin(index: number): Origin | undefined;
}

/** The programs to compare, and what went wrong in reading them. */
export interface AgreePlan {
  readonly all: Programs;
  readonly models: ModelInputs;
  /** The engines that are compared. */
  readonly engines: readonly Engine[];
  /** The engine that workers are started with. */
  readonly engine: Engine;
  readonly reader: InputReader;
  readonly warnings: readonly string[];
  /** Why some models or files cannot be compared, ready to print. */
  readonly errors: readonly string[];
}

/** Reads models and files, or prepares to draw. @throws UsageError */
export async function planAgree(
  paths: readonly string[],
  options: AgreeOptions,
): Promise<AgreePlan> {
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
      ? filePrograms(eachOf(corpus), models.items, grouped)
      : randomPrograms(options, models.items, grouped(models.items));
  const { grouping } = all;
  const errors = [...models.errors, ...corpus.errors];
  errors.push(...grouping.refused.map((d) => renderDiagnostic(d, new Map())));
  if (errors.length === 0) errors.push(...lonely(grouping.groups, equivalent));
  const engine = engines.find(needsBuiltIn) ?? engines[0];
  return { all, models, engines, engine, reader, warnings: corpus.warnings, errors };
}

/** The programs of litmus files. Clients of the same libraries are in one group, whatever the models are. */
function filePrograms(
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
    const own = shardKey({ content: '', libraries: source.libraries });
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

/** An arbitrary whose values are drawn only when they are asked for, since most numbers are skipped. */
class Later<T> extends fc.Arbitrary<() => T> {
  constructor(private readonly drawn: fc.Arbitrary<T>) {
    super();
  }

  generate(random: fc.Random, bias: number | undefined): fc.Value<() => T> {
    const own = random.clone();
    return new fc.Value(() => this.drawn.generate(own.clone(), bias).value, undefined);
  }

  canShrinkWithoutContext(_: unknown): _ is () => T {
    return false;
  }

  shrink(): fc.Stream<fc.Value<() => T>> {
    return fc.Stream.nil();
  }
}

/** Random programs. Number `index` is the same program each time. It is fastest to ask for them in order. */
export function randomPrograms(
  { random: count = 0, seed = DEFAULT_SEED }: AgreeOptions,
  models: readonly Model[],
  grouping: MethodGrouping,
): Programs {
  const drawnAt = drawings(models);
  type Block = { readonly start: number; readonly sources: readonly (() => Source)[] };
  const blocks = new Map<typeof DRAWN, Block>();
  const sourceAt = (index: number): Source => {
    const start = index - (index % BLOCK);
    const drawn = drawnAt(index);
    let block = blocks.get(drawn);
    if (block?.start !== start) {
      const place = { seed, path: String(start), numRuns: BLOCK };
      block = { start, sources: fc.sample(new Later(drawn), place) };
      blocks.set(drawn, block);
    }
    return block.sources[index - start]();
  };
  return {
    grouping,
    groupsFor: () => grouping.groups,
    count,
    at(index) {
      const parsed = parseLitmus(inBlocks(sourceAt(index)), this.describe(index), models);
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
