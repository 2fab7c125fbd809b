import { Option } from 'commander';
import { Argument } from 'commander';
import type { FmtOptions } from './fmt.js';
import { declare } from '../../command/declare.js';

export const fmtCommand = () =>
  declare(
    {
      name: 'fmt',
      summary: 'lay out files in one way',
      description:
        'Rewrites litmus, cat and implementation files with the blanks and the indentation that Remora has. ' +
        'Line breaks, comments and all that a file says stay. With - standard input is read as a litmus file and printed.',
      arguments: [
        new Argument('<path...>', 'litmus, cat and implementation files, or folders of them'),
      ],
      options: [new Option('--check', 'change nothing; name the files that would be changed')],
      examples: [
        ['remora fmt --check corpus/field', 'which files are laid out otherwise?'],
        ['remora fmt corpus/field', 'lays them out'],
      ],
      codes: {
        asExpected: 'all files are laid out so',
        departs: 'with --check: some are not',
        interrupted: false,
      },
    },
    async (paths: readonly string[], o: FmtOptions) => {
      const { fmt } = await import('./fmt.js');
      return fmt(paths, o);
    },
  );
