import { Argument, Option } from 'commander';
import { buildCard, cardFabrics, runWithCard } from '../../node/card.js';
import { didYouMean } from '../../parse/diagnostics/index.js';
import { declare } from '../command/declare.js';
import { BAD_INPUT } from '../command/exit.js';
import { UsageError } from '../command/usage.js';
import { complain } from '../print/print.js';

interface RunOptions {
  readonly fabric: string;
  readonly seed: number;
  readonly log?: string;
}

export const runCommand = () =>
  declare(
    {
      name: 'run',
      summary: 'run a program of verbs with a card that does what a fabric may do',
      description:
        'Starts a program that uses libibverbs, unmodified, with the weak card in its place: it does at random what the machine of a ' +
        'fabric may do, between processes of one machine. Programs started so find each other. The exit code is that of the program.',
      arguments: [new Argument('<program...>', 'the program and its arguments, after --')],
      options: [
        new Option('--fabric <fabric>', `what the card may do: ${cardFabrics().join(', ')}`)
          .default('tso')
          .argParser(fabricNamed),
        new Option('--seed <number>', 'where chance begins').default(1).argParser(seedOf),
        new Option('--log <file>', 'what the card did, line by line; lines are added'),
      ],
      examples: [
        ['remora run --fabric ro -- ib_write_lat -n 100', 'a server, with relaxed ordering'],
        ['remora run --fabric ro -- ib_write_lat -n 100 localhost', 'its client'],
        ['remora run --fabric srd --seed 7 --log run.txt -- ibv_devinfo', 'seed 7, with a log'],
      ],
      codes: {
        asExpected: 'the program ended with 0; every other exit code of it is passed on, too',
        badInput: 'wrong usage, or the card cannot be built, or the program not be started',
        interrupted: false,
      },
      aboutUnknownOption: () => 'options of the program stand after --',
    },
    run,
  );

/** A fabric by its own name or by that of its model. */
function fabricNamed(name: string): string {
  const fabric = name.replace(/^rdma-/, '');
  const fabrics = cardFabrics();
  if (fabrics.includes(fabric)) return fabric;
  const hint = didYouMean(fabric, fabrics) ?? `the weak card is ${fabrics.join(', ')}`;
  throw new UsageError(`--fabric ${name}: no such fabric; ${hint}`);
}

function seedOf(text: string): number {
  const seed = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(seed)) return seed;
  throw new UsageError(`--seed ${text}: not a whole number`);
}

async function run(words: readonly string[], options: RunOptions): Promise<number> {
  const built = buildCard();
  if (built.problem !== undefined) return refuse(built.problem);
  const ended = await runWithCard(built.library, options, words);
  return 'problem' in ended ? refuse(ended.problem) : ended.code;
}

function refuse(problem: string): number {
  complain([`error: ${problem}`]);
  return BAD_INPUT;
}
