import { Argument } from 'commander';
import type { InstructionsOptions } from './instructions.js';
import { declare } from '../../command/declare.js';
import { JSON_TEXT, ownFormats } from '../../command/format-options.js';
import { DEFAULT_MODEL } from '../../run/options.js';

const FORMATS = ownFormats<'instructions'>({ json: ['--json', `${JSON_TEXT}, one a model`] });

export const instructionsCommand = () =>
  declare(
    {
      name: 'instructions',
      summary: 'say what programs can call',
      description:
        'Prints the instruction set of each model: every operation as it is called, with its events in ' +
        'order, tags, and the relations that an execution guesses.',
      arguments: [new Argument('[model...]', "a model's name or .cat file (default: rdma-tso)")],
      options: [FORMATS.json],
      examples: [
        ['remora instructions', 'what RDMA programs are made of'],
        ['remora instructions rdma-wait --json', 'the same for programs'],
      ],
      codes: { asExpected: 'every model is printed', interrupted: false },
    },
    async (models: readonly string[], o: InstructionsOptions) => {
      const { instructions } = await import('./instructions.js');
      return instructions(models.length === 0 ? DEFAULT_MODEL : models, o);
    },
  );
