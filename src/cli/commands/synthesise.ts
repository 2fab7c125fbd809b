import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Argument, Option } from 'commander';
import type { SynthesisFound } from '../../analyses/synthesise/part.js';
import { synthesisSearch } from '../../analyses/synthesise/synthesise.js';
import { partsOf } from '../../analyses/synthesise/parts.js';
import { instructionsOf } from '../../model/instructions/union.js';
import type { Model } from '../../model/term.js';
import { defaultInstructions } from '../../node/models.js';
import { alphabetOf } from '../../rdma/classes/alphabet.js';
import type { SynthesisReport } from '../../report/synthesise.js';
import { synthesisFiles, synthesisJson, synthesisText } from '../../report/synthesise.js';
import { declare } from '../command/declare.js';
import { AS_EXPECTED, UNDECIDED } from '../command/exit.js';
import { formatOption } from '../command/format-options.js';
import { force, jobs, memory, resumeShares, timeLimit } from '../command/options.js';
import { UsageError } from '../command/usage.js';
import { names, positive } from '../command/values.js';
import { OPERATIONS_TEXT, chosenLetters } from '../inputs/alphabet.js';
import { readCorpus } from '../inputs/corpus.js';
import { readModels } from '../inputs/models.js';
import { openReader } from '../inputs/reader.js';
import { isFolder } from '../outputs/folders.js';
import { planOutputs } from '../outputs/plan.js';
import type { Reporters } from '../print/formats.js';
import { JSON_TEXT } from '../print/formats.js';
import { runModels } from '../results/format.js';
import type { SizeQuestion } from '../results/share-records.js';
import { refuse } from '../run/answer.js';
import type { SizeCommand } from '../run/by-size.js';
import { answerBySize } from '../run/by-size.js';
import type { RunOptions } from '../run/tasks.js';
import { judgeCorpus } from './synthesise-of.js';

type Format = 'text' | 'json';

interface Options extends RunOptions {
  readonly calls?: number;
  readonly operations?: readonly string[];
  readonly of?: readonly string[];
  readonly out?: string;
  readonly force?: boolean;
  /** The file that keeps what is found. */
  readonly resume?: string;
  readonly reporter?: Format;
}

const DEFAULT_CALLS = 3;
const MOST_CALLS = 5;

export const synthesiseCommand = () =>
  declare(
    {
      name: 'synthesise',
      summary: 'make all minimal tests of a model',
      description:
        'Goes through all programs by size, each once up to names, and finds the outcomes that the model forbids, and would allow if anything ' +
        'in the program were weaker. Says which tests are about which axioms and entries of tables, and which of these no test needs.',
      arguments: [new Argument('<model>', "a model's name or .cat file")],
      options: [
        new Option(
          '--calls <n>',
          `the most calls of a program (default: ${DEFAULT_CALLS})`,
        ).argParser(positive),
        new Option('--operations <list>', OPERATIONS_TEXT).argParser(names('an operation')),
        new Option(
          '--of <path...>',
          'instead of making tests: which outcomes that files ask about are minimal tests, and what others can do without',
        ).conflicts(['calls', 'operations', 'out', 'resume']),
        new Option('-o, --out <folder>', 'write the tests, and a page about them, into a folder'),
        force(),
        resumeShares(),
        formatOption('json', '--json', JSON_TEXT),
        timeLimit('a share of the programs'),
        memory(),
        jobs(),
      ],
      examples: [
        ['remora synthesise rdma-tso -o tests', 'the tests of up to three calls'],
        ['remora synthesise rdma-tso --of corpus/tso/GFP2.litmus', 'is this test minimal?'],
        [
          'remora synthesise rdma-tso --calls 2 --operations put,get,poll,write,read',
          'those of up to two, made of some operations',
        ],
      ],
      codes: {
        asExpected: 'all programs were decided; `--of`: all are minimal',
        departs: '`--of`: an outcome is no minimal test',
        undecided: 'a program was not decided',
      },
    },
    synthesise,
  );

async function synthesise(name: string, options: Options): Promise<number> {
  if ((options.calls ?? 0) > MOST_CALLS) {
    throw new UsageError(
      `--calls: at most ${MOST_CALLS}. There are a quarter of a million programs of four calls, and millions of five`,
    );
  }
  const { calls = DEFAULT_CALLS, out } = options;
  const reader = await openReader([name, ...(options.of ?? [])]);
  const models = readModels([name], 'smt', reader);
  const full = out === undefined ? [] : notEmpty(out, options.force);
  const errors = [...models.errors, ...full];
  if (errors.length > 0) return refuse(errors);
  const [model] = models.items;
  if (options.of !== undefined) {
    const alphabet = alphabetOf([model], defaultInstructions());
    const instructions = instructionsOf([model], defaultInstructions());
    const corpus = readCorpus(options.of, models, reader);
    return judgeCorpus(corpus, model, { alphabet, instructions }, options);
  }
  const question: SizeQuestion = {
    command: 'synthesise',
    models: runModels(models),
    calls,
    ...(options.operations !== undefined && { operations: options.operations }),
  };
  const write = (report: SynthesisReport): readonly string[] =>
    out === undefined ? [] : written(report, out, options, reader.files);
  const command = synthesisCommand(model, question, options.reporter, write);
  return answerBySize(command, { ...options, engine: 'search' });
}

/** All minimal tests of a model. @throws UsageError */
export function synthesisCommand(
  model: Model,
  question: SizeQuestion,
  format: Format = 'text',
  write: (report: SynthesisReport) => readonly string[] = () => [],
): SizeCommand<SynthesisFound> {
  const { calls, operations } = question;
  const known = alphabetOf([model], defaultInstructions());
  const instructions = instructionsOf([model], defaultInstructions());
  const drawn = chosenLetters(known, operations, 'the model has');
  // Weaker programs may be made of more.
  const letters = [...drawn, ...known.letters.filter((one) => !drawn.includes(one))];
  const made = { letters: drawn, marks: known.marks };
  const all = { alphabet: { ...known, letters }, drawn: drawn.length, instructions, calls };
  return {
    question,
    alphabet: made,
    begin: () => ({
      search: synthesisSearch(model, all),
      report: (groups) =>
        Promise.resolve((run) => {
          const report: SynthesisReport = {
            model: model.name,
            operations: drawn.map((one) => one.name),
            marks: known.marks,
            parts: partsOf(model, made, instructions).map(({ kind, name, tables }) => ({
              ...{ kind, name, tables },
            })),
            ...{ groups, calls, ...run },
          };
          return {
            format,
            text: REPORTERS[format](report),
            write: () => write(report),
            filesFirst: true,
            code: codeOf(report),
          };
        }),
    }),
  };
}

const REPORTERS: Reporters<Format, SynthesisReport> = { text: synthesisText, json: synthesisJson };

/** Why a folder is not written into: tests of another run would be taken for those of this one. */
function notEmpty(folder: string, force: boolean | undefined): readonly string[] {
  if (existsSync(folder) && !isFolder(folder)) return [`${folder}: is a file, and no folder`];
  if (!existsSync(folder) || force === true || readdirSync(folder).length === 0) return [];
  return [`${folder}: is not empty (--force writes there all the same)`];
}

function written(
  report: SynthesisReport,
  folder: string,
  options: Options,
  inputs: readonly string[],
): readonly string[] {
  const files = synthesisFiles(report);
  const wanted = files.map(({ path, kind }) => ({ kind, path: join(folder, path) }));
  const plan = planOutputs(wanted, { inputs, force: options.force, makesFolders: true });
  if (plan.errors.length > 0) return plan.errors;
  return plan.outputs.flatMap(({ write }, i) => write(files[i].text));
}

function codeOf({ groups }: SynthesisReport): number {
  const isOpen = groups.some(({ open, unfinished }) => open.length > 0 || unfinished !== undefined);
  return isOpen ? UNDECIDED : AS_EXPECTED;
}
