import { Option } from 'commander';
import type { ServeOptions } from '../serve/server.js';
import { minutes, seconds } from '../values.js';
import { declare } from './command.js';

export const serveCommand = () =>
  declare(
    {
      name: 'serve',
      summary: 'stay, and run commands of other command lines',
      description:
        'Listens on a socket and runs the commands that others are given with --server, in processes that are ' +
        'ready: an answer takes as long as its question, and not as long as a start. docs/serve.md says more.',
      options: [
        new Option(
          '--listen <address>',
          'a path, or host:port, which needs a token in REMORA_TOKEN (default: a socket for this user alone)',
        ),
        new Option('--idle <minutes>', 'end after so long without a command')
          .argParser(minutes)
          .default(30),
        new Option('--time-limit <s>', 'seconds for one command').argParser(seconds).default(600),
      ],
      examples: [
        ['remora serve', 'until nothing is asked for half an hour'],
        ['remora check corpus/tso/MP3bis.litmus --server', 'elsewhere: the server decides it'],
      ],
      codes: {
        asExpected: 'nothing was asked for long, or a signal ended it',
        badInput: 'wrong usage, or one cannot listen there',
        interrupted: false,
      },
    },
    async (options: ServeOptions) => {
      const { serve } = await import('../serve/server.js');
      return serve(options);
    },
  );
