import { Option } from 'commander';
import { names } from '../../command/values.js';
import { report } from './report.js';
import { VERDICT_CODES } from '../../command/codes.js';
import { declare } from '../../command/declare.js';
import {
  force,
  bound,
  jobs,
  library,
  memory,
  model,
  pathsArgument,
  timeLimit,
} from '../../command/options.js';

export const reportCommand = () =>
  declare(
    {
      name: 'report',
      summary: 'write a site with the outcomes of a corpus',
      description:
        'Writes a folder of pages that browsers show: the table of outcomes, and a page for each test with ' +
        'its program, its verdicts, and why they are so.',
      arguments: [pathsArgument(true)],
      options: [
        new Option(
          '--out <folder>',
          'the folder: a new one, an empty one, or that of a former report',
        ).makeOptionMandatory(),
        force(),
        model('all main models'),
        library(),
        new Option(
          '--proof <folder>',
          'proofs that pages link, as check and test write them: each is checked before',
        ),
        new Option(
          '--fabrics <path>',
          'also a page on which fabrics the tests below a file or folder of the report are safe; several with commas or by repeating',
        ).argParser(names('a file or folder')),
        bound(),
        timeLimit(),
        memory(),
        jobs(),
      ],
      examples: [['remora report corpus/loco --out site', 'site/index.html and its pages']],
      codes: VERDICT_CODES,
    },
    report,
  );
