import type { Command } from 'commander';
import { Argument } from 'commander';
import type { Shell } from './script.js';
import { SHELLS, completionScript } from './script.js';
import { AS_EXPECTED } from '../../command/exit.js';
import { declare } from '../../command/declare.js';

export const completionCommand = () =>
  declare(
    {
      name: 'completion',
      summary: 'have a shell complete commands, options and values',
      description:
        'Prints a script for a shell. Its first lines say how to load it, best in the file that the ' +
        'shell reads at its start.',
      arguments: [new Argument('<shell>', 'the shell').choices(SHELLS)],
      options: [],
      examples: [
        ['remora completion bash', 'in ~/.bashrc: source <(remora completion bash)'],
        ['remora completion zsh', 'in ~/.zshrc, after compinit: source <(remora completion zsh)'],
        ['remora completion fish', 'in config.fish: remora completion fish | source'],
      ],
      codes: {
        asExpected: 'the script is printed',
        badInput: 'wrong usage',
        interrupted: false,
      },
    },
    (shell: Shell, _: object, command: Command) => {
      process.stdout.write(completionScript(shell, command.parent!));
      return AS_EXPECTED;
    },
  );
