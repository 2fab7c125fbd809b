import { Option } from 'commander';
import { declare } from '../../command/declare.js';

export const lspCommand = () =>
  declare(
    {
      name: 'lsp',
      summary: 'answer an editor: the language server',
      description:
        'Speaks the Language Server Protocol over standard input and output, for cat, litmus, library and ' +
        'implementation files. Editors start it; docs/editors.md says how.',
      options: [new Option('--stdio', 'over standard input and output, as always')],
      examples: [['remora lsp', 'what an editor starts']],
      codes: {
        asExpected: 'the editor said that it is done',
        departs: 'the editor went away without saying so',
        badInput: 'wrong usage',
        interrupted: false,
      },
    },
    async () => {
      const { lsp } = await import('./lsp.js');
      return lsp();
    },
  );
