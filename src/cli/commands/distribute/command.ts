import { Argument, Option } from 'commander';
import type { DistributeOptions } from './distribute.js';
import { names, positive } from '../../command/values.js';
import { ROBUSTNESS } from '../../command/codes.js';
import { declare } from '../../command/declare.js';
import { force, timeLimit } from '../../command/options.js';

export const distributeCommand = () =>
  declare(
    {
      name: 'distribute',
      summary: 'turn a program over shared memory into one over RDMA',
      description:
        'Turns threads over shared memory into clients of a server that has the memory, prints the program, ' +
        'and checks that it is fenced as a tree, free of local races, and robust.',
      arguments: [new Argument('<file>', 'a litmus file')],
      options: [
        new Option('--server <n>', 'which thread is the server, counted from 1')
          .argParser(positive)
          .makeOptionMandatory(),
        new Option('-m, --model <model>', "a model's name (default: rdma-sc)").argParser(
          names('a model'),
        ),
        timeLimit('the check'),
        new Option('-o, --out <file>', 'write the program to a file'),
        force(),
      ],
      examples: [
        [
          'remora distribute corpus/tso/CPU-SB.litmus --server 1',
          'the first thread keeps the memory',
        ],
      ],
      codes: {
        ...ROBUSTNESS,
        asExpected: 'the program is robust',
        departs: 'the program is not robust',
        undecided: 'whether it is robust is undecided',
      },
    },
    async (path: string, o: DistributeOptions) => {
      const { distribute } = await import('./distribute.js');
      return distribute(path, o);
    },
  );
