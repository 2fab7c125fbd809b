import { availableParallelism } from 'node:os';
import { Argument, Option } from 'commander';
import type { Wanted } from '../../analyses/distinguish/part.js';
import { areEnough, firstOf } from '../../analyses/distinguish/part.js';
import type { Group } from '../../analyses/distinguish/distinguish.js';
import { compareGroup, groupsUpTo } from '../../analyses/distinguish/distinguish.js';
import type { Distinction } from '../../analyses/distinguish/distinction.js';
import { distinctionOf } from '../../analyses/distinguish/distinction.js';
import { instructionUnion, interned } from '../../model/instructions/union.js';
import type { Model } from '../../model/term.js';
import { defaultInstructions } from '../../node/models.js';
import type { Alphabet } from '../../rdma/classes/alphabet.js';
import { alphabetOf } from '../../rdma/classes/alphabet.js';
import type { GroupRecord } from '../../report/distinguish.js';
import { distinguishJson, distinguishText } from '../../report/distinguish.js';
import type { DistinguishReport } from '../../report/distinguish.js';
import { declare } from '../command/declare.js';
import { AS_EXPECTED, DEPARTS, UNDECIDED } from '../command/exit.js';
import { formatOption } from '../command/format-options.js';
import { engine, force, jobs, memory, timeLimit } from '../command/options.js';
import { names, positive } from '../command/values.js';
import { UsageError } from '../command/usage.js';
import { OPERATIONS_TEXT, chosenLetters } from '../inputs/alphabet.js';
import { readModels } from '../inputs/models.js';
import { openReader } from '../inputs/reader.js';
import { planOutputs, wantedAs } from '../outputs/plan.js';
import type { Reporters } from '../print/formats.js';
import { JSON_TEXT } from '../print/formats.js';
import { answer, refuse } from '../run/answer.js';
import type { CommandTask, RunOptions } from '../run/tasks.js';
import { startRun } from '../run/tasks.js';

type Format = 'text' | 'json';

interface Options extends RunOptions {
  readonly calls?: number;
  readonly operations?: readonly string[];
  readonly all?: boolean;
  readonly both?: boolean;
  readonly out?: string;
  readonly force?: boolean;
  readonly reporter?: Format;
}

const MODEL = "a model's name or .cat file";
const DEFAULT_CALLS = 3;
const MOST_CALLS = 6;

export const distinguishCommand = () =>
  declare(
    {
      name: 'distinguish',
      summary: 'find the smallest program that tells two models apart',
      description:
        'Goes through all programs by size, each once up to names, and compares their final states under both models. ' +
        'The first that has others is printed with a question and an explanation; if there is none, the models are equal up to that size.',
      arguments: [new Argument('<model1>', MODEL), new Argument('<model2>', MODEL)],
      options: [
        new Option(
          '--calls <n>',
          `the most calls of a program (default: ${DEFAULT_CALLS})`,
        ).argParser(positive),
        new Option('--operations <list>', OPERATIONS_TEXT).argParser(names('an operation')),
        new Option(
          '--both',
          'look for a program that only the first model allows to end so, and for one of the second',
        ).conflicts('all'),
        new Option('--all', 'all programs that differ of the smallest size that has one'),
        new Option('-o, --out <file>', 'write the first program to a litmus file, too'),
        force(),
        formatOption('json', '--json', JSON_TEXT),
        timeLimit('the programs of one size'),
        memory(),
        jobs(),
        engine(),
      ],
      examples: [
        ['remora distinguish rdma-tso rdma-ro', 'what relaxed ordering changes'],
        [
          'remora distinguish rdma-tso rdma-tso-rec --calls 2 --operations put,get,poll,write',
          'are two definitions equal, up to two calls?',
        ],
      ],
      codes: {
        asExpected: 'both allow the same, as far as was tried',
        departs: 'a program tells the models apart',
        undecided: 'a program was not decided',
      },
    },
    distinguish,
  );

async function distinguish(first: string, second: string, options: Options): Promise<number> {
  const started = performance.now();
  if ((options.calls ?? 0) > MOST_CALLS) {
    throw new UsageError(
      `--calls: at most ${MOST_CALLS}. There are hundreds of thousands of programs of four calls, and more than anybody waits for of six`,
    );
  }
  const { calls = DEFAULT_CALLS, out, force: replaces, reporter: format = 'text' } = options;
  const reader = await openReader([first, second]);
  const models = readModels([first, second], 'smt', reader);
  const outputs = planOutputs(wantedAs('litmus', out), { inputs: reader.files, force: replaces });
  const errors = [...models.errors, ...outputs.errors];
  if (errors.length > 0) return refuse(errors);
  if (models.items.length < 2) throw new UsageError(`${second} is the same model as ${first}`);
  const pair = [models.items[0], models.items[1]] as const;
  const known = alphabetOf(pair, defaultInstructions());
  const letters = chosenLetters(known, options.operations, 'both models have');
  const alphabet = { ...known, letters };
  const all = pair.map(({ instructions }) => instructions);
  const wanted = options.all === true ? 'all' : options.both === true ? 'both' : 'first';
  const work: Work = {
    ...{ pair, alphabet, wanted, options },
    instructions: instructionUnion([...new Set([...all, defaultInstructions()].map(interned))]),
  };
  const groups = groupsUpTo(calls, alphabet);
  const done: (GroupRecord | undefined)[] = [];
  return answer(startRun(options, true), {
    tasks: groups.map((group, i) => groupTask(group, work, (record) => (done[i] = record))),
    atOnce: jobsOf(options) + 1,
    // Groups end in any order: what an earlier one finds may already be enough.
    last: (record) =>
      (groupsUpToEnough(done, wanted)?.length ?? Infinity) <= done.indexOf(record) + 1,
    report(results, interrupted) {
      const report: DistinguishReport = {
        models: [pair[0].name, pair[1].name],
        operations: alphabet.letters.map(({ name }) => name),
        marks: alphabet.marks,
        ...{ calls, interrupted },
        groups: shown(
          groupsUpToEnough(results, wanted) ?? results.filter((one) => one !== undefined),
          wanted,
        ),
        wanted,
        seconds: (performance.now() - started) / 1000,
      };
      const found = report.groups.flatMap(({ distinctions }) => distinctions).at(0);
      return {
        format,
        text: REPORTERS[format](report),
        write: () =>
          found === undefined ? [] : outputs.outputs.flatMap(({ write }) => write(found.litmus)),
        filesFirst: true,
        code: codeOf(report),
      };
    },
  });
}

/** The groups up to those with all that is wanted, if these are known to be the first such ones. */
function groupsUpToEnough(
  done: readonly (GroupRecord | undefined)[],
  wanted: Wanted,
): readonly GroupRecord[] | undefined {
  const groups: GroupRecord[] = [];
  for (const group of done) {
    const smallest = groups.find(({ differing }) => differing.length > 0)?.calls ?? Infinity;
    if (group === undefined) return undefined;
    if (wanted === 'all' && group.calls > smallest) return groups;
    groups.push(group);
    if (
      areEnough(
        groups.flatMap(({ differing }) => differing),
        wanted,
      )
    )
      return groups;
  }
  return undefined;
}

/** Of two directions, a group has the first programs among its own. Of all, they are shown once. */
function shown(groups: readonly GroupRecord[], wanted: Wanted): readonly GroupRecord[] {
  const all = groups.flatMap(({ differing, distinctions }) =>
    differing.map(({ more }, i) => ({ more, distinction: distinctions.at(i) })),
  );
  const first = firstOf(all, wanted).map(({ distinction }) => distinction);
  return groups.map((group) => ({
    ...group,
    distinctions: group.distinctions.filter((one) => first.includes(one)),
  }));
}

const REPORTERS: Reporters<Format, DistinguishReport> = {
  text: distinguishText,
  json: distinguishJson,
};

interface Work {
  readonly pair: readonly [Model, Model];
  readonly alphabet: Alphabet;
  readonly instructions: Model['instructions'];
  readonly wanted: Wanted;
  readonly options: Options;
}

const jobsOf = ({ jobs = availableParallelism() }: Options): number => jobs;

function groupTask(
  group: Group,
  { pair, alphabet, instructions, wanted, options }: Work,
  isDone: (record: GroupRecord) => void,
): CommandTask<GroupRecord> {
  const { engine } = options;
  const { size, calls } = group;
  return {
    name: `${calls} calls, ${size.calls.length} threads, ${size.nodes} nodes, ${size.locations} locations`,
    async do(pool) {
      const jobs = jobsOf(options);
      const found = await compareGroup(pool, pair, group, { alphabet, instructions, wanted, jobs });
      const distinctions: Distinction[] = [];
      for (const { litmus } of found.differing) {
        const one = await distinctionOf(pool, pair, litmus, instructions, engine);
        if ('unfinished' in one) return { ...found, distinctions, unfinished: one.unfinished };
        distinctions.push(one);
      }
      const record = { ...found, distinctions };
      isDone(record);
      return record;
    },
  };
}

function codeOf({ groups }: DistinguishReport): number {
  if (groups.some(({ distinctions }) => distinctions.length > 0)) return DEPARTS;
  const isOpen = groups.some(({ open, unfinished }) => open.length > 0 || unfinished !== undefined);
  return isOpen ? UNDECIDED : AS_EXPECTED;
}
