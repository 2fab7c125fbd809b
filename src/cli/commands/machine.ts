import { Argument } from 'commander';
import type { ModelRules } from '../../machine/rules.js';
import { machineRules } from '../../machine/rules.js';
import { machineJson, machineText } from '../../report/machine.js';
import { declare } from '../command/declare.js';
import { AS_EXPECTED } from '../command/exit.js';
import { formatOption } from '../command/format-options.js';
import { explained, refusedModel } from '../../rdma/prepare.js';
import { render } from '../inputs/messages.js';
import { readModels } from '../inputs/models.js';
import { openReader } from '../inputs/reader.js';
import type { Reporters } from '../print/formats.js';
import { JSON_TEXT } from '../print/formats.js';
import { lines } from '../print/print.js';
import { conclude } from '../run/answer.js';
import { DEFAULT_MODEL, MACHINES } from '../run/options.js';

type Format = 'text' | 'json';

export const machineCommand = () =>
  declare(
    {
      name: 'machine',
      summary: 'say what the machine of a model does',
      description:
        'Prints the machine that each model file is: for each kind of event, what it waits for before it is issued and ' +
        'observed, and what it may read. Says of other model files why they are none.',
      arguments: [new Argument('[model...]', "a model's name or .cat file (default: rdma-tso)")],
      options: [formatOption('json', '--json', `${JSON_TEXT}, one a model`)],
      examples: [
        ['remora machine', 'the machine of rdma-tso'],
        ['remora machine rdma-ro --json', 'another one, for programs'],
      ],
      codes: { asExpected: 'every model is a machine, and is printed', interrupted: false },
    },
    machine,
  );

const REPORTERS: Reporters<Format, readonly ModelRules[]> = {
  text: (machines) => machines.map(machineText).join('\n'),
  json: (machines) => lines(machines.map(machineJson)),
};

/** Prints the machines of models. Models that cannot be read, and those that are no machine, are reported. */
async function machine(
  given: readonly string[],
  { reporter: format = 'text' }: { readonly reporter?: Format },
): Promise<number> {
  const names = given.length === 0 ? DEFAULT_MODEL : given;
  const models = readModels(names, MACHINES, await openReader(names));
  const said = [...models.errors];
  const machines = models.items.flatMap((model, i): readonly ModelRules[] => {
    const rules = machineRules(model);
    if (!('message' in rules)) return [{ model, rules }];
    const refused = refusedModel(model, explained(rules));
    const sources = new Map(models.sources[i].map((source) => [source.path, source]));
    said.push(...render([refused], refused.span.end > 0 ? sources : new Map()));
    return [];
  });
  const text = REPORTERS[format](machines);
  return conclude({ said, bad: said.length > 0, format, text, code: AS_EXPECTED });
}
