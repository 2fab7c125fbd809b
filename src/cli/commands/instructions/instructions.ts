import { instructionsJson, instructionsText } from '../../../report/instructions.js';
import { AS_EXPECTED, BAD_INPUT } from '../../command/exit.js';
import type { FormatOf, Reporters } from '../../print/formats.js';
import { chosen } from '../../print/formats.js';
import { readModels } from '../../inputs/models.js';
import { complain, print } from '../../print/print.js';
import { openReader } from '../../inputs/reader.js';
import { lines } from '../../print/reporters.js';
import type { Model } from '../../../model/term.js';

export interface InstructionsOptions {
  readonly reporter?: FormatOf<'instructions'>;
}

/** Takes all models. */
const ENGINE = 'smt';

/** `remora instructions`: what the programs of each model can call. Models that cannot be read are reported. */
export async function instructions(
  names: readonly string[],
  { reporter }: InstructionsOptions,
): Promise<number> {
  const format = chosen('instructions', reporter);
  const reader = await openReader(names);
  const models = readModels(names, ENGINE, reader);
  complain(models.errors);
  print(format, REPORTERS[format](models.items), []);
  return models.errors.length > 0 ? BAD_INPUT : AS_EXPECTED;
}

const REPORTERS: Reporters<'instructions', readonly Model[]> = {
  text: (models) => models.map(instructionsText).join('\n'),
  json: (models) => lines(models.map(instructionsJson)),
};
