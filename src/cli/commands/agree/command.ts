import { Option } from 'commander';
import type { AgreeOptions } from './programs.js';
import { DEFAULT_MODEL } from '../../run/options.js';
import { positive, seed } from '../../command/values.js';
import { declare } from '../../command/declare.js';
import { formatOption } from '../../command/format-options.js';
import { JSON_TEXT } from '../../print/formats.js';
import {
  force,
  ENGINE_LIMIT,
  bound,
  engines,
  jobs,
  memory,
  library,
  model,
  pathsArgument,
  solver,
  timeLimit,
} from '../../command/options.js';

export const agreeCommand = () =>
  declare(
    {
      name: 'agree',
      summary: 'compare engines, or models, on files or random programs',
      description:
        'Compares the final states that several engines find under each model, on litmus files or on ' +
        'random programs. The first disagreement is shrunk to a small litmus file.',
      arguments: [pathsArgument(false)],
      options: [
        model(),
        library(),
        new Option('--equivalent', 'the models have to agree with each other, too'),
        new Option('--random <n>', 'compare on n random programs').argParser(positive),
        new Option('--seed <n>', 'which random programs (default: 1)').argParser(seed),
        new Option('--out <file>', 'write the litmus file of a disagreement to a file, too'),
        force(),
        bound(),
        timeLimit(),
        memory(),
        jobs(),
        engines(),
        ENGINE_LIMIT,
        solver(false),
        formatOption('json', '--json', JSON_TEXT),
      ],
      examples: [
        ['remora agree --random 20 --seed 7', 'three engines on random programs'],
        [
          'remora agree corpus/tso/MP1.litmus -m rdma-tso,rdma-tso-rec --equivalent',
          'two models on a file',
        ],
      ],
      codes: {
        asExpected: 'all agree',
        departs: 'some disagree',
        undecided: 'something could not be compared',
      },
    },
    async (paths: string[], o: Omit<AgreeOptions, 'model'> & { model?: readonly string[] }) => {
      // Generating programs takes a large library. A help need not load it.
      const { agree } = await import('./agree.js');
      return agree(paths, { ...o, model: o.model ?? DEFAULT_MODEL });
    },
  );
