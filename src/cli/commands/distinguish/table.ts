import type { ShareFound } from '../../../analyses/by-size/search.js';
import type { ModelTable, TableFound } from '../../../analyses/distinguish/table.js';
import { pairsOf, tableSearch } from '../../../analyses/distinguish/table.js';
import { verdictsOf } from '../../../analyses/distinguish/verdicts.js';
import type { Model } from '../../../model/term.js';
import { defaultInstructions } from '../../../node/models.js';
import { alphabetOf } from '../../../rdma/classes/alphabet.js';
import { alphabetUnion } from '../../../rdma/classes/union.js';
import type { TableProgram, TableReport } from '../../../report/distinguish-table.js';
import { tableReportJson, tableReportText } from '../../../report/distinguish-table.js';
import { AS_EXPECTED, DEPARTS, UNDECIDED } from '../../command/exit.js';
import { chosenOfEach } from '../../inputs/alphabet.js';
import type { Reporters } from '../../print/formats.js';
import type { SizeQuestion } from '../../results/share-records.js';
import type { SizeCommand } from '../../run/by-size.js';
import type { Format } from '../by-size-options.js';
import type { Asking } from './options.js';

const REPORTERS: Reporters<Format, TableReport> = {
  text: tableReportText,
  json: tableReportJson,
};

/** All pairs of more than two models. @throws UsageError */
export function tableCommand(
  models: readonly Model[],
  question: SizeQuestion,
  { reporter: format = 'text', engine }: Asking,
): SizeCommand<TableFound> {
  const { calls, operations, tags, namedPairs } = question;
  const base = defaultInstructions();
  const pairs = pairsOf(models.length);
  const own = chosenOfEach(
    pairs.map(([a, b]) => {
      const { letters, marks } = alphabetOf([models[a], models[b]], base);
      return { letters, marks: tags === true ? marks : [], hasNamedPairs: namedPairs };
    }),
    operations,
    'two of the models have',
    models,
  );
  const table = { models, pairs, base, alphabets: alphabetUnion(own) };
  return {
    question,
    alphabet: table.alphabets.whole,
    begin(pool) {
      const telling: Promise<TableProgram | Untold>[] = [];
      const search = tableSearch(table, calls, (program, size) => {
        const told = verdictsOf(pool, table, program, engine);
        telling.push(told.then((one) => ({ ...one, calls: size })));
      });
      return {
        search,
        async report(shares) {
          const told = await Promise.all(telling);
          return (run) => {
            const report = { ...reportOf(table, shares, told), ...run };
            return { format, text: REPORTERS[format](report), code: codeOf(report) };
          };
        },
      };
    },
  };
}

/** Why a program was given up that shows something, and its calls. */
interface Untold {
  readonly calls: number;
  readonly unfinished: string;
}

function reportOf(
  { models, pairs, alphabets }: ModelTable,
  shares: readonly ShareFound<TableFound>[],
  told: readonly (TableProgram | Untold)[],
): Omit<TableReport, 'interrupted' | 'seconds'> {
  const programs = told.flatMap((one) => ('unfinished' in one ? [] : [one]));
  const untold = told.flatMap((one) => ('unfinished' in one ? [one] : []));
  const sizes = [...new Set(shares.map(({ calls }) => calls))];
  const givenUp = [...shares, ...untold].filter(({ unfinished }) => unfinished !== undefined);
  return {
    models: models.map(({ name }) => name),
    pairs: pairs.map((pair, i) => ({
      models: pair,
      operations: named(
        alphabets.whole.letters.map(({ name }) => name),
        alphabets.parts[i].letters,
      ),
      marks: named(alphabets.whole.marks, alphabets.parts[i].marks),
      programs: shares.reduce((sum, { byPair }) => sum + byPair[i], 0),
    })),
    programs,
    sizes: sizes.map((calls) => ({
      calls,
      programs: shares
        .filter((share) => share.calls === calls)
        .reduce((sum, share) => sum + share.programs, 0),
      isWhole: !givenUp.some((one) => one.calls === calls),
    })),
    undecided: shares
      .flatMap(({ open }) => open)
      .map(({ litmus, model, reason }) => ({ litmus, model, reason })),
    unfinished: givenUp.flatMap((one) => one.unfinished ?? []).at(0),
  };
}

const named = (names: readonly string[], isIn: readonly boolean[]): readonly string[] =>
  names.filter((_, i) => isIn[i]);

function codeOf({ programs, undecided, unfinished }: TableReport): number {
  if (programs.length > 0) return DEPARTS;
  return undecided.length > 0 || unfinished !== undefined ? UNDECIDED : AS_EXPECTED;
}
