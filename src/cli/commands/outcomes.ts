import { Option } from 'commander';
import { outcomes } from '../run/begin.js';
import { formatsOf } from '../print/formats.js';
import { ANSWERS } from '../command/codes.js';
import { declare } from '../command/declare.js';
import { formats } from '../command/format-options.js';
import { grep, inlining, model, paths, search, spread } from '../command/options.js';

export const outcomesCommand = () =>
  declare(
    {
      name: 'outcomes',
      summary: 'list all final states',
      description: 'Lists every final state that the model allows.',
      arguments: [paths(true)],
      options: [
        model(),
        ...inlining(),
        new Option('--all', 'all final values, not only those that the queries mention'),
        grep(),
        ...formats(formatsOf('outcomes')),
        ...search(),
        ...spread(),
      ],
      examples: [
        ['remora outcomes corpus/tso/MP3bis.litmus', 'every final state under rdma-tso'],
        ['remora outcomes corpus/tso/ST4.litmus --all --herd', "all values, as herd7's log"],
      ],
      codes: ANSWERS,
    },
    (paths: string[], options: Parameters<typeof outcomes>[1]) => outcomes(paths, options),
  );
