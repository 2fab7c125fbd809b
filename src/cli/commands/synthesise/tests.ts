import type { SynthesisFound } from '../../../analyses/synthesise/part.js';
import { partsOf } from '../../../analyses/synthesise/parts.js';
import { synthesisSearch } from '../../../analyses/synthesise/synthesise.js';
import { instructionsOf } from '../../../model/instructions/union.js';
import type { Model } from '../../../model/term.js';
import { defaultInstructions } from '../../../node/models.js';
import { alphabetOf } from '../../../rdma/classes/alphabet.js';
import type { SynthesisReport } from '../../../report/synthesise.js';
import { synthesisJson, synthesisText } from '../../../report/synthesise.js';
import { AS_EXPECTED, UNDECIDED } from '../../command/exit.js';
import { chosenLetters } from '../../inputs/alphabet.js';
import type { Reporters } from '../../print/formats.js';
import type { SizeQuestion } from '../../results/share-records.js';
import type { SizeCommand } from '../../run/by-size.js';
import type { Format } from '../by-size-options.js';

/** All minimal tests of a model. @throws UsageError */
export function synthesisCommand(
  model: Model,
  question: SizeQuestion,
  format: Format = 'text',
  write: (report: SynthesisReport) => readonly string[] = () => [],
): SizeCommand<SynthesisFound> {
  const { calls, operations, namedPairs } = question;
  const known = alphabetOf([model], defaultInstructions());
  const instructions = instructionsOf([model], defaultInstructions());
  const drawn = chosenLetters(known, operations, 'the model has');
  // Weaker programs may be made of more.
  const letters = [...drawn, ...known.letters.filter((one) => !drawn.includes(one))];
  const made = { ...known, letters: drawn, hasNamedPairs: namedPairs };
  const all = { alphabet: { ...made, letters }, drawn: drawn.length, instructions, calls };
  return {
    question,
    alphabet: made,
    begin: () => ({
      search: synthesisSearch(model, all),
      report: (groups) =>
        Promise.resolve((run) => {
          const report: SynthesisReport = {
            model: model.name,
            operations: drawn.map((one) => one.name),
            marks: known.marks,
            parts: partsOf(model, made, instructions).map(({ kind, name, tables }) => ({
              ...{ kind, name, tables },
            })),
            ...{ groups, calls, ...run },
          };
          return {
            format,
            text: REPORTERS[format](report),
            write: () => write(report),
            filesFirst: true,
            code: codeOf(report),
          };
        }),
    }),
  };
}

const REPORTERS: Reporters<Format, SynthesisReport> = { text: synthesisText, json: synthesisJson };

function codeOf({ groups }: SynthesisReport): number {
  const isOpen = groups.some(({ open, unfinished }) => open.length > 0 || unfinished !== undefined);
  return isOpen ? UNDECIDED : AS_EXPECTED;
}
