import { Option } from 'commander';
import { explore } from './explore.js';
import { positive } from '../../command/values.js';
import { VERDICT_CODES } from '../../command/codes.js';
import { declare } from '../../command/declare.js';
import { formats } from '../../command/format-options.js';
import {
  buffer,
  cost,
  force,
  grep,
  inlining,
  jobs,
  memory,
  model,
  pathsArgument,
  pictures,
  query,
  timeLimit,
  timeline,
} from '../../command/options.js';

type Options = Parameters<typeof explore>[1];

export const exploreCommand = () =>
  declare(
    {
      name: 'explore',
      summary: 'decide queries about runs: exclusion, progress, deadlock',
      description:
        'Explores all states of a machine, however often loops go round, and decides the queries about runs.',
      arguments: [pathsArgument(true)],
      options: [
        model(),
        ...inlining(),
        query(),
        grep(),
        buffer(),
        new Option('--limit <n>', 'states that are remembered (default: 50000000)').argParser(
          positive,
        ),
        new Option(
          '--fix',
          'also the cheapest fences, polls and gets with which exclusive, never and assertions hold',
        ),
        cost(),
        ...formats(['text', 'json']),
        timeLimit('one file (here 600)'),
        memory(),
        jobs(),
        ...pictures('one run'),
        timeline(),
        force(),
      ],
      examples: [
        ['remora explore corpus/locks/alock-1-1.litmus', 'is it a lock?'],
        ['remora explore corpus/locks/tas-elsewhere.litmus --fix', 'what would make it right'],
        [
          'remora explore corpus/locks/tas-elsewhere.litmus --svg run.svg',
          'how data gets stale, as a picture',
        ],
        [
          'remora explore corpus/locks/tas-elsewhere.litmus --timeline --svg run.svg',
          'in space and time',
        ],
      ],
      codes: VERDICT_CODES,
    },
    (paths: string[], { buffer, ...o }: Partial<Options> & { readonly buffer?: number }) =>
      explore(paths, { ...o, room: buffer }),
  );
