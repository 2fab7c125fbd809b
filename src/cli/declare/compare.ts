import { Argument } from 'commander';
import { compare } from '../commands.js';
import { formatsOf } from '../formats.js';
import { declare } from './command.js';
import { formats } from './format.js';
import { corpusPaths, grep, search, shipped, spread } from './options.js';

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
