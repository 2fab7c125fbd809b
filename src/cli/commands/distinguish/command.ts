import { Argument, Option } from 'commander';
import { UsageError } from '../../command/usage.js';
import { declare } from '../../command/declare.js';
import { engine } from '../../command/options.js';
import { names } from '../../command/values.js';
import { planOutputs, wantedAs } from '../../outputs/plan.js';
import { refuse } from '../../run/answer.js';
import { answerBySize } from '../../run/by-size.js';
import { programOptions, searchOptions } from '../by-size-options.js';
import type { Options } from './options.js';
import { areLibraries, distinguishLibraries } from './libraries.js';
import { PAIR_CALLS, TABLE_CALLS, askDistinguish, distinguishCommandOf } from './question.js';

const MODEL = "a model's or library's name or .cat file";

export const distinguishCommand = () =>
  declare(
    {
      name: 'distinguish',
      summary: 'find the smallest program that tells two models apart',
      description:
        'Goes through all programs by size, each once up to names, and compares their final states under both models. ' +
        'The first that has others is printed with a question and an explanation; if there is none, the models are equal up to that size. ' +
        'Of two files for one library, the programs are clients of it. ' +
        'Of more than two models, all pairs are compared, both ways, and there is a table.',
      arguments: [
        new Argument('<model1>', MODEL),
        new Argument('<model2>', MODEL),
        new Argument('[model...]', 'more of them'),
      ],
      options: [
        ...programOptions(`${PAIR_CALLS}, of more than two models ${TABLE_CALLS}`),
        new Option('--no-tags', 'locations without tags'),
        new Option(
          '--with <libraries>',
          'of two files for one library: other libraries that clients use, too',
        ).argParser(names('a library')),
        new Option(
          '--both',
          'look for a program that only the first model allows to end so, and for one of the second',
        ).conflicts('all'),
        new Option('--all', 'all programs that differ of the smallest size that has one'),
        new Option('-o, --out <file>', 'write the first program to a litmus file, too'),
        ...searchOptions(),
        engine(),
      ],
      examples: [
        ['remora distinguish rdma-tso rdma-ro', 'what relaxed ordering changes'],
        [
          'remora distinguish rdma-tso rdma-tso-rec --calls 2 --operations put,get,poll,write',
          'are two definitions equal, up to two calls?',
        ],
        ['remora distinguish rdma-tso rdma-ro rdma-manpage', 'which of them allows more?'],
        ['remora distinguish lock lock-fenced --with sv', 'which clients of a lock notice?'],
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
  const { models, question, reader } = await askDistinguish([first, second, ...more], options);
  const { out, force: replaces } = options;
  const outputs = planOutputs(wantedAs('litmus', out), { inputs: reader.files, force: replaces });
  const errors = [...models.errors, ...outputs.errors];
  if (errors.length > 0) return refuse(errors);
  const [a, b] = models.items;
  if (areLibraries(models.items)) {
    const { calls, wanted = 'first' } = question;
    return distinguishLibraries([a, b], { calls, wanted }, options, outputs.outputs);
  }
  if (options.with !== undefined) throw new UsageError('--with: for files of libraries');
  const command = distinguishCommandOf(models.items, question, options, outputs.outputs);
  return answerBySize(command, options);
}
