import { Option } from 'commander';
import { formatsOf } from '../../print/reports.js';
import { test } from './verdicts.js';
import { VERDICT_CODES } from '../../command/codes.js';
import { declare } from '../../command/declare.js';
import { formats } from '../../command/format-options.js';
import {
  corpusArgument,
  grep,
  judging,
  library,
  model,
  proofs,
  search,
  shipped,
  spread,
} from '../../command/options.js';

export const testCommand = () =>
  declare(
    {
      name: 'test',
      summary: 'check a corpus against what its files expect',
      description:
        'Decides every query of the files under every model, prints the table of outcomes, and ' +
        'fails where a verdict departs from what the files expect.',
      arguments: [corpusArgument()],
      options: [
        model('all main models'),
        library(),
        shipped(),
        grep(),
        ...judging(),
        ...proofs(),
        new Option(
          '--update',
          'put the verdicts into computed lines of the files; prints the difference',
        ),
        ...formats([...formatsOf('test'), 'herd']),
        ...search(),
        ...spread(),
      ],
      examples: [
        ['remora test corpus/loco', 'a folder under all main models'],
        [
          'remora test corpus/tso --grep MP --bail',
          'tests with MP in their names, up to a departure',
        ],
        ['remora test corpus/loco --reporter github', 'departures as marks in a workflow'],
        ['remora test corpus/loco --update', 'verdicts as they are now into the computed lines'],
      ],
      codes: VERDICT_CODES,
    },
    test,
  );
