import { Option } from 'commander';
import { test } from '../commands.js';
import { VERDICTS } from './codes.js';
import { declare } from './command.js';
import { corpusPaths, json, model, search, spread } from './options.js';

export const testCommand = () =>
  declare(
    {
      name: 'test',
      summary: 'check a corpus against what its files expect',
      description:
        'Decides every query of the files under every model, prints the table of outcomes, and ' +
        'fails where a verdict departs from what the files expect.',
      arguments: [corpusPaths()],
      options: [
        model('all main models'),
        ...search(),
        ...spread(),
        json(),
        new Option('--markdown', 'the table as Markdown'),
      ],
      examples: [['remora test corpus/loco', 'a folder under all main models']],
      codes: VERDICTS,
    },
    test,
  );
