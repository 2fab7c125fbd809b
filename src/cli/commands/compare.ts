import { Argument } from 'commander';
import { compare } from '../run/begin.js';
import { formatsOf } from '../print/formats.js';
import { declare } from '../command/declare.js';
import { formats } from '../command/format-options.js';
import { corpusPaths, grep, search, shipped, spread } from '../command/options.js';

const MODEL = "a model's or library's name or .cat file";

export const compareCommand = () =>
  declare(
    {
      name: 'compare',
      summary: 'compare two models',
      description: 'Shows the verdicts that differ between two models.',
      arguments: [new Argument('<model1>', MODEL), new Argument('<model2>', MODEL), corpusPaths()],
      options: [shipped(), grep(), ...formats(formatsOf('compare')), ...search(), ...spread()],
      examples: [
        ['remora compare rdma-sc rdma-tso corpus/tso', 'what store buffers make of these tests'],
      ],
      codes: {
        asExpected: 'everything is compared, whether verdicts differ or not',
        undecided:
          'something is not: a verdict is unknown, or there is none under one of the models',
      },
    },
    compare,
  );
