import { Argument } from 'commander';
import type { Model } from '../../model/term.js';
import { instructionsJson, instructionsText } from '../../report/instructions.js';
import { declare } from '../command/declare.js';
import { AS_EXPECTED } from '../command/exit.js';
import { formatOption } from '../command/format-options.js';
import { readModels } from '../inputs/models.js';
import { openReader } from '../inputs/reader.js';
import type { Reporters } from '../print/formats.js';
import { JSON_TEXT } from '../print/formats.js';
import { lines } from '../print/print.js';
import { conclude } from '../run/answer.js';
import { DEFAULT_MODEL } from '../run/options.js';

type Format = 'text' | 'json';

export const instructionsCommand = () =>
  declare(
    {
      name: 'instructions',
      summary: 'say what programs can call',
      description:
        'Prints the instruction set of each model: every operation as it is called, with its events in ' +
        'order, tags, and the relations that an execution guesses.',
      arguments: [new Argument('[model...]', "a model's name or .cat file (default: rdma-tso)")],
      options: [formatOption('json', '--json', `${JSON_TEXT}, one a model`)],
      examples: [
        ['remora instructions', 'what RDMA programs are made of'],
        ['remora instructions rdma-wait --json', 'the same for programs'],
      ],
      codes: { asExpected: 'every model is printed', interrupted: false },
    },
    instructions,
  );

/** An engine that takes all models. */
const ENGINE = 'smt';

const REPORTERS: Reporters<Format, readonly Model[]> = {
  text: (models) => models.map(instructionsText).join('\n'),
  json: (models) => lines(models.map(instructionsJson)),
};

/** Prints what programs can call under each model. Models that cannot be read are reported. */
async function instructions(
  given: readonly string[],
  { reporter: format = 'text' }: { readonly reporter?: Format },
): Promise<number> {
  const names = given.length === 0 ? DEFAULT_MODEL : given;
  const models = readModels(names, ENGINE, await openReader(names));
  const text = REPORTERS[format](models.items);
  const bad = models.errors.length > 0;
  return conclude({ said: models.errors, bad, format, text, code: AS_EXPECTED });
}
