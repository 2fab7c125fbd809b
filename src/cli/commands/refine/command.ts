import { Argument, Option } from 'commander';
import { refine } from './refine.js';
import { names, positive } from '../../command/values.js';
import { declare } from '../../command/declare.js';
import { formatOption } from '../../command/format-options.js';
import { JSON_TEXT } from '../../print/formats.js';
import { bound, engine, jobs, library, memory, set, timeLimit } from '../../command/options.js';

/** Options for how large the generated clients are, and how many. */
const clientBounds = (): readonly Option[] => [
  new Option('--threads <n>', 'threads of generated clients (default: 2)').argParser(positive),
  new Option('--nodes <n>', 'their nodes (default: 2)').argParser(positive),
  new Option('--calls <n>', 'calls of each of their threads (default: 3)').argParser(positive),
  new Option('--objects <n>', 'their objects (default: 2)').argParser(positive),
  new Option('--locations <n>', 'their plain locations (default: 2)').argParser(positive),
  new Option('--values <n>', 'how many numbers they write (default: 3, with --local 1)').argParser(
    positive,
  ),
  new Option('--limit <n>', 'how many are tried (default: 10000)').argParser(positive),
];

export const refineCommand = () =>
  declare(
    {
      name: 'refine',
      summary: 'check implementations of libraries against what the libraries say',
      description:
        'Puts implementations in the place of calls, and checks that no client can tell: every outcome is one that the ' +
        'libraries allow.',
      arguments: [
        new Argument(
          '<path...>',
          'implementations, by name or .impl file, and clients: litmus files, or folders of them',
        ),
      ],
      options: [
        new Option('--generate', 'all small clients, until one fails'),
        new Option('--local', 'local soundness: stamps and orders, for each implementation alone'),
        ...clientBounds(),
        library(),
        new Option(
          '-m, --model <model>',
          'with loco-wait: the model that the resulting program runs on (default: rdma-tso)',
        ).argParser(names('a model')),
        set(),
        bound(),
        timeLimit(),
        memory(),
        jobs(),
        engine(),
        formatOption('json', '--json', JSON_TEXT),
      ],
      examples: [
        ['remora refine loco-bal corpus/loco', 'the clients of a folder'],
        [
          'remora refine loco-bal --generate --calls 2',
          'a client that can tell, if there is a small one',
        ],
        [
          'remora refine loco-bal loco-sv --generate --calls 2',
          'two implementations, one over the other',
        ],
        [
          'remora refine --local loco-bal --limit 20',
          'what makes it right beside any other library',
        ],
        [
          'remora refine loco-rbl loco-sv loco-wait -m rdma-ro corpus/loco/Fig13.litmus',
          'down to polls, on a card with relaxed ordering',
        ],
      ],
      codes: {
        asExpected: 'everything refines',
        departs: 'something does not refine, or hangs',
        undecided: 'something is unknown',
      },
    },
    refine,
  );
