import { Argument, Option } from 'commander';
import { declare } from '../../command/declare.js';
import { formatOption } from '../../command/format-options.js';
import { engine, force, jobs, memory, resumeShares, timeLimit } from '../../command/options.js';
import { UsageError } from '../../command/usage.js';
import { names, positive } from '../../command/values.js';
import { OPERATIONS_TEXT } from '../../inputs/alphabet.js';
import type { ModelInputs } from '../../inputs/models.js';
import { readModels } from '../../inputs/models.js';
import { openReader } from '../../inputs/reader.js';
import { planOutputs, wantedAs } from '../../outputs/plan.js';
import { JSON_TEXT } from '../../print/formats.js';
import { runModels } from '../../results/format.js';
import type { SizeQuestion } from '../../results/share-records.js';
import { refuse } from '../../run/answer.js';
import { answerBySize } from '../../run/by-size.js';
import type { Options } from './options.js';
import { pairCommand } from './pair.js';
import { tableCommand } from './table.js';

const MODEL = "a model's name or .cat file";
const PAIR_CALLS = 3;
/** Of many models some pair goes through all programs, which takes minutes for three calls. */
const TABLE_CALLS = 2;
const MOST_CALLS = 6;

export const distinguishCommand = () =>
  declare(
    {
      name: 'distinguish',
      summary: 'find the smallest program that tells two models apart',
      description:
        'Goes through all programs by size, each once up to names, and compares their final states under both models. ' +
        'The first that has others is printed with a question and an explanation; if there is none, the models are equal up to that size. ' +
        'Of more than two models, all pairs are compared, both ways, and there is a table.',
      arguments: [
        new Argument('<model1>', MODEL),
        new Argument('<model2>', MODEL),
        new Argument('[model...]', 'more of them'),
      ],
      options: [
        new Option(
          '--calls <n>',
          `the most calls of a program (default: ${PAIR_CALLS}, of more than two models ${TABLE_CALLS})`,
        ).argParser(positive),
        new Option('--operations <list>', OPERATIONS_TEXT).argParser(names('an operation')),
        new Option('--no-tags', 'locations without tags'),
        new Option(
          '--both',
          'look for a program that only the first model allows to end so, and for one of the second',
        ).conflicts('all'),
        new Option('--all', 'all programs that differ of the smallest size that has one'),
        new Option('-o, --out <file>', 'write the first program to a litmus file, too'),
        force(),
        resumeShares(),
        formatOption('json', '--json', JSON_TEXT),
        timeLimit('a share of the programs'),
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
        ['remora distinguish rdma-tso rdma-ro rdma-manpage', 'which of them allows more?'],
      ],
      codes: {
        asExpected: 'all allow the same, as far as was tried',
        departs: 'a program tells two models apart',
        undecided: 'a program was not decided',
      },
    },
    distinguish,
  );

async function distinguish(
  first: string,
  second: string,
  more: readonly string[],
  options: Options,
): Promise<number> {
  const given = [first, second, ...more];
  checkOptions(options, given.length > 2);
  const reader = await openReader(given);
  const models = readModels(given, 'smt', reader);
  const { out, force: replaces } = options;
  const outputs = planOutputs(wantedAs('litmus', out), { inputs: reader.files, force: replaces });
  const errors = [...models.errors, ...outputs.errors];
  if (errors.length > 0) return refuse(errors);
  const [a, b, ...others] = models.items;
  if (models.items.length < given.length) {
    const which = given.length === 2 ? '' : 'two of ';
    throw new UsageError(`${which}${given.join(', ')} are the same model`);
  }
  const isPair = others.length === 0;
  const question = questionOf(models, isPair, options);
  const command = isPair
    ? pairCommand([a, b], question, options, outputs.outputs)
    : tableCommand(models.items, question, options);
  return answerBySize(command, options);
}

/** What is asked, as the file of results has it. */
const questionOf = (models: ModelInputs, isPair: boolean, options: Options): SizeQuestion => ({
  command: 'distinguish',
  models: runModels(models),
  calls: options.calls ?? (isPair ? PAIR_CALLS : TABLE_CALLS),
  ...(options.operations !== undefined && { operations: options.operations }),
  tags: options.tags,
  ...(isPair && {
    wanted: options.all === true ? 'all' : options.both === true ? 'both' : 'first',
  }),
});

/** @throws UsageError */
function checkOptions(options: Options, isTable: boolean): void {
  if ((options.calls ?? 0) > MOST_CALLS) {
    throw new UsageError(
      `--calls: at most ${MOST_CALLS}. There are hundreds of thousands of programs of four calls, and more than anybody waits for of six`,
    );
  }
  const ofPairs = (['all', 'both', 'out'] as const).find((name) => options[name] !== undefined);
  if (isTable && ofPairs !== undefined) {
    throw new UsageError(
      `--${ofPairs}: there are to be two models. Of more, all pairs are compared both ways`,
    );
  }
}
