import { Option } from 'commander';
import { TABLE_ALONE, robust } from './robust.js';
import { JSON_TEXT } from '../../print/formats.js';
import { positive } from '../../command/values.js';
import { ROBUSTNESS_CODES } from '../../command/codes.js';
import { declare } from '../../command/declare.js';
import { formatOption } from '../../command/format-options.js';
import {
  force,
  bound,
  cost,
  counterBound,
  engine,
  jobs,
  memory,
  model,
  pathsArgument,
  pictures,
  solver,
  timeLimit,
} from '../../command/options.js';

export const robustCommand = () =>
  declare(
    {
      name: 'robust',
      summary: 'is every execution one of SC?',
      description:
        'Finds out whether programs have executions that are not sequentially consistent, and shows one; ' +
        'with --static, also what their syntax says of it.',
      arguments: [pathsArgument(true)],
      options: [
        model(),
        new Option('--prefixes', 'also executions in which threads stop anywhere'),
        new Option('--outcomes', 'compare final states, not executions'),
        new Option(
          '--explore',
          'decide by exploration alone, loops as they are (rdma-sc, --prefixes)',
        ),
        counterBound(
          'how far writes that polls in loops wait for are counted in it (default: 3, and more where that leaves out runs)',
        ),
        new Option(
          '--guesses',
          'guess the memory in it, as the decidability paper does; for comparison: it takes more states',
        ),
        new Option('--limit <n>', 'states that it looks at (default: 1000000)').argParser(positive),
        new Option('--static', 'also the conditions on syntax that imply robustness'),
        formatOption('markdown', '--table', 'a table of all of this, as Markdown', TABLE_ALONE),
        new Option('--fix', 'print the program with the cheapest additions that make it robust'),
        new Option('-o, --out <file>', 'write that program to a file, too'),
        force(),
        cost(),
        bound(),
        timeLimit('one program'),
        memory(),
        jobs(),
        engine(),
        solver(),
        formatOption('json', '--json', JSON_TEXT, TABLE_ALONE),
        ...pictures('the violation'),
      ],
      examples: [
        ['remora robust corpus/field/buffer-reuse.litmus', 'the violation, if there is one'],
        [
          'remora robust corpus/field/buffer-reuse.litmus --fix',
          'and what keeps it from happening',
        ],
      ],
      codes: ROBUSTNESS_CODES,
    },
    robust,
  );
