import type { DifferingProgram, PartFound } from '../../../analyses/distinguish/part.js';
import type { PairFound } from '../../../analyses/distinguish/distinguish.js';
import { pairSearch } from '../../../analyses/distinguish/distinguish.js';
import type { Distinction } from '../../../analyses/distinguish/distinction.js';
import { distinctionOf } from '../../../analyses/distinguish/distinction.js';
import { testOf } from '../../../analyses/by-size/programs.js';
import { instructionsOf } from '../../../model/instructions/union.js';
import type { Model } from '../../../model/term.js';
import { defaultInstructions } from '../../../node/models.js';
import type { Test } from '../../../program/program.js';
import type { Letter } from '../../../rdma/classes/alphabet.js';
import { alphabetOf } from '../../../rdma/classes/alphabet.js';
import type { DistinguishReport, PairRecord } from '../../../report/distinguish.js';
import { distinguishJson, distinguishText } from '../../../report/distinguish.js';
import { AS_EXPECTED, DEPARTS, UNDECIDED } from '../../command/exit.js';
import { chosenLetters } from '../../inputs/alphabet.js';
import type { Output } from '../../outputs/plan.js';
import type { Reporters } from '../../print/formats.js';
import type { CommandReport } from '../../print/print.js';
import type { SizeQuestion } from '../../results/share-records.js';
import type { SizeCommand } from '../../run/by-size.js';
import type { Format } from '../by-size-options.js';
import type { Asking } from './options.js';

/** The smallest program that tells two models apart. @throws UsageError */
export function pairCommand(
  pair: readonly [Model, Model],
  question: SizeQuestion,
  { reporter: format = 'text', engine }: Asking,
  outputs: readonly Output[] = [],
): SizeCommand<PartFound> {
  const { calls, operations, tags, namedPairs, wanted = 'first' } = question;
  const known = alphabetOf(pair, defaultInstructions());
  const letters = chosenLetters(known, operations, 'both models have', pair);
  const marks = tags === true ? known.marks : [];
  const alphabet = { letters, marks, hasNamedPairs: namedPairs };
  const instructions = instructionsOf(pair, defaultInstructions());
  const missing = operations === undefined ? missingIn(pair, letters) : [];
  const read = (litmus: string): Test => testOf(litmus, instructions, pair);
  return {
    ...{ question, alphabet },
    begin(pool) {
      const told: Told = new Map();
      let telling = Promise.resolve();
      const options = { alphabet, instructions, wanted, calls };
      const search = pairSearch(pair, options, (program) => {
        telling = telling.then(async () => {
          const one = await distinctionOf(pool, pair, program.litmus, read, engine);
          told.set(program, one);
        });
      });
      return {
        search,
        async report(shares) {
          await telling;
          const groups = shares.map((share) => recordOf(share, told));
          return (run) => {
            const made = { operations: letters.map(({ name }) => name), marks: alphabet.marks };
            const report = {
              models: namesOf(pair),
              ...made,
              missing,
              calls,
              groups,
              wanted,
              ...run,
            };
            return pairReport(report, format, outputs);
          };
        },
      };
    },
  };
}

/** What programs would be made of if a model declared it as the other does. */
const missingIn = (
  pair: readonly [Model, Model],
  letters: readonly Letter[],
): NonNullable<DistinguishReport['missing']> =>
  pair.flatMap((one, i) =>
    alphabetOf([one], defaultInstructions()).letters.flatMap(({ name, isUsual }) =>
      !isUsual || letters.some((other) => other.name === name)
        ? []
        : [{ operation: name, model: pair[1 - i].name }],
    ),
  );

export const namesOf = ([a, b]: readonly [Model, Model]): readonly [string, string] => [
  a.name,
  b.name,
];

/** Prints what tells two models apart, and writes the first program to the output. */
export function pairReport(
  report: DistinguishReport,
  format: Format,
  outputs: readonly Output[],
): CommandReport {
  const { groups } = report;
  const found = groups.flatMap(({ distinctions }) => distinctions).at(0);
  return {
    format,
    text: REPORTERS[format](report),
    write: () => (found === undefined ? [] : outputs.flatMap(({ write }) => write(found.litmus))),
    filesFirst: true,
    code: codeOf(groups),
  };
}

const REPORTERS: Reporters<Format, DistinguishReport> = {
  text: distinguishText,
  json: distinguishJson,
};

/** What an engine says of programs that differ. */
type Told = Map<DifferingProgram, Distinction | { readonly unfinished: string }>;

function recordOf(share: PairFound, told: Told): PairRecord {
  const own = share.differing.flatMap((program) => told.get(program) ?? []);
  const unfinished = own.flatMap((one) => ('unfinished' in one ? one.unfinished : [])).at(0);
  return {
    ...share,
    distinctions: own.flatMap((one) => ('unfinished' in one ? [] : [one])),
    ...(unfinished !== undefined && { unfinished }),
  };
}

function codeOf(groups: readonly PairRecord[]): number {
  if (groups.some(({ distinctions }) => distinctions.length > 0)) return DEPARTS;
  const isOpen = groups.some(({ open, unfinished }) => open.length > 0 || unfinished !== undefined);
  return isOpen ? UNDECIDED : AS_EXPECTED;
}
