import { Option } from 'commander';
import { explain } from './explain.js';
import { ANSWER_CODES } from '../../command/codes.js';
import { declare } from '../../command/declare.js';
import { formatOption } from '../../command/format-options.js';
import {
  force,
  bound,
  cost,
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

const relations = (text: string, earlier: readonly string[] = []): readonly string[] => [
  ...earlier,
  ...text.split(',').filter((name) => name !== ''),
];

const ONE_FORMAT = '--markdown and --json exclude each other';

export const explainCommand = () =>
  declare(
    {
      name: 'explain',
      summary: 'say why a verdict is what it is',
      description:
        'Explains the answer to every query of the files: by an execution and the steps that lead to it, or ' +
        'by the axioms that rule it out and the cycles that every candidate has.',
      arguments: [pathsArgument(true)],
      options: [
        model(),
        ...inlining(),
        query(),
        new Option(
          '--fix',
          'also what would change the answer: additions, or what stands in the way',
        ),
        cost(),
        new Option(
          '--show <relations>',
          "relations to show, with commas (default: the model's)",
        ).argParser(relations),
        new Option(
          '--proof <proof...>',
          'tell what stands in proofs about the file, or in folders of them',
        ),
        bound(),
        timeLimit(),
        memory(),
        jobs(),
        formatOption('json', '--json', 'one JSON object a line, one a query', ONE_FORMAT),
        formatOption(
          'markdown',
          '--markdown',
          'in words, for people who write programs, as Markdown',
          ONE_FORMAT,
        ),
        ...pictures('one query'),
        timeline(),
        force(),
      ],
      examples: [
        ['remora explain corpus/tso/MP3bis.litmus', 'the run that shows it'],
        ['remora explain corpus/tso/MP3bis.litmus --fix', 'and what would rule it out'],
        ['remora explain corpus/tso/MP3bis.litmus --svg why.svg', 'the run as a picture'],
      ],
      codes: { ...ANSWER_CODES, asExpected: 'everything is explained' },
    },
    explain,
  );
