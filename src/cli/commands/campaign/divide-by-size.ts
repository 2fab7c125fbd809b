import { sharesOf } from '../../../analyses/by-size/shares.js';
import type { Pool } from '../../../analyses/workers.js';
import type { InputReader } from '../../inputs/reader.js';
import { sizeHeader } from '../../results/kept-shares.js';
import type { CampaignPart } from '../../results/records.js';
import { wrongLine } from '../../results/records.js';
import type { Programs } from '../../results/share-records.js';
import type { SizeCommand } from '../../run/by-size.js';
import type { RunOptions } from '../../run/tasks.js';
import { askDistinguish, distinguishCommandOf } from '../distinguish/question.js';
import type { Options as DistinguishOptions } from '../distinguish/options.js';
import type { Options as SynthesiseOptions } from '../synthesise/question.js';
import { askSynthesise } from '../synthesise/question.js';
import { synthesisCommand } from '../synthesise/tests.js';
import { areLibraries } from '../distinguish/libraries.js';
import type { DividedCommand } from './division.js';

/** Shares a job: each is for one thread, and those of a worker are to have something to do. */
const SIZE = 8;

/** `distinguish`: ranges of shares. Of more than two models, larger programs are asked what smaller ones may show, too. */
export async function divideDistinguish(
  operands: readonly string[],
  options: DistinguishOptions,
): Promise<DividedCommand> {
  const { models, question, reader } = await askDistinguish(operands, options);
  if (models.errors.length > 0) return { errors: models.errors };
  if (areLibraries(models.items)) {
    return {
      errors: ['a campaign of distinguish is about models: clients of libraries have no shares'],
    };
  }
  const command = distinguishCommandOf(models.items, question, options);
  return divideShares(command, reader, options);
}

/** `synthesise`: ranges of shares. */
export async function divideSynthesise(
  [name]: readonly string[],
  options: SynthesiseOptions,
): Promise<DividedCommand> {
  const { models, question, reader } = await askSynthesise(name, options);
  if (models.errors.length > 0) return { errors: models.errors };
  const [model] = models.items;
  const run: RunOptions = { ...options, engine: 'search' };
  return divideShares(synthesisCommand(model, question), reader, run);
}

function divideShares(command: SizeCommand, reader: InputReader, run: RunOptions): DividedCommand {
  const { alphabet, question } = command;
  const header = sizeHeader(command);
  const sizes = Array.from({ length: question.calls }, (_, i) => sharesOf(i + 1, alphabet));
  const shares = sizes.flat();
  const goThrough = async (
    { from, to }: CampaignPart,
    pool: Pool,
  ): Promise<readonly Programs[]> => {
    const { search } = command.begin(pool);
    const found = await Promise.all(shares.slice(from, to).map((one) => search.find(one, pool)));
    return found.map((one) => {
      if ('unfinished' in one) throw new Error(one.unfinished);
      return one.output;
    });
  };
  return {
    header,
    unit: 'share',
    count: header.shares,
    size: SIZE,
    paths: [],
    files: reader.files,
    run,
    warnings: [],
    async work({ id, from, to }, pool) {
      const started = performance.now();
      const found = await goThrough({ from, to }, pool);
      const milliseconds = performance.now() - started;
      return JSON.stringify({ job: id, from, to, milliseconds, shares: found });
    },
    wrong: (job, results) => wrongLine(question.command, results, job),
  };
}
