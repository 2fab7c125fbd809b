import { Argument } from 'commander';
import type { FormatName } from '../../print/formats.js';
import { formatsOf } from '../../print/reports.js';
import { CORPUS_COMMANDS } from '../../results/format.js';
import { merge } from './merge.js';
import { declare } from '../../command/declare.js';
import { formats } from '../../command/format-options.js';

const USUAL = 'that of the command whose results they are';

export const mergeCommand = () =>
  declare(
    {
      name: 'merge',
      summary: 'join the results of shards into one report',
      description:
        'Joins what --out wrote for all shards of a run, and reports it as one run would.',
      arguments: [new Argument('<file...>', 'the files of results, one a shard')],
      options: formats(
        [...new Set(CORPUS_COMMANDS.flatMap((name): readonly FormatName[] => formatsOf(name)))],
        USUAL,
      ),
      examples: [['remora merge 1.jsonl 2.jsonl', 'the report of both shards']],
      codes: {
        asExpected: 'what one run would end with',
        departs: 'some verdict departs from what a file expects (results of check and test)',
        badInput: 'wrong usage, or files that are not all results of one run',
        undecided: 'something is undecided',
        interrupted: false,
      },
    },
    merge,
  );
