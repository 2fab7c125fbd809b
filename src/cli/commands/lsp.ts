import { Option } from 'commander';
import { declare } from '../command/declare.js';
import { AS_EXPECTED } from '../command/exit.js';

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
    lsp,
  );

/** Answers an editor until the editor is done. The connection ends the process. */
async function lsp(): Promise<number> {
  // The protocol is in packages, for which helps need not wait.
  const { serve } = await import('../lsp/server.js');
  const connection = serve();
  return new Promise((resolve) => {
    connection.onExit(() => resolve(AS_EXPECTED));
  });
}
