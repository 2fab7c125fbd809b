import type { ShareFound } from '../../../analyses/by-size/search.js';
import type { ModelTable, TableFound } from '../../../analyses/distinguish/table.js';
import { pairsOf, tableSearch } from '../../../analyses/distinguish/table.js';
import { verdictsOf } from '../../../analyses/distinguish/verdicts.js';
import type { Pool } from '../../../analyses/workers.js';
import type { Model } from '../../../model/term.js';
import { defaultInstructions } from '../../../node/models.js';
import { alphabetOf } from '../../../rdma/classes/alphabet.js';
import { alphabetUnion } from '../../../rdma/classes/union.js';
import type { TableProgram, TableReport } from '../../../report/distinguish-table.js';
import { tableReportJson, tableReportText } from '../../../report/distinguish-table.js';
import { AS_EXPECTED, DEPARTS, UNDECIDED } from '../../command/exit.js';
import { chosenOfEach } from '../../inputs/alphabet.js';
import type { Reporters } from '../../print/formats.js';
import { answer } from '../../run/answer.js';
import { searchPrograms } from '../../run/by-size.js';
import { startRun } from '../../run/tasks.js';
import type { Format, Options } from './options.js';

const REPORTERS: Reporters<Format, TableReport> = {
  text: tableReportText,
  json: tableReportJson,
};

/** All pairs of more than two models. */
export async function distinguishTable(
  models: readonly Model[],
  options: Options & { readonly calls: number },
): Promise<number> {
  const started = performance.now();
  const { reporter: format = 'text' } = options;
  const base = defaultInstructions();
  const pairs = pairsOf(models.length);
  const own = chosenOfEach(
    pairs.map(([a, b]) => {
      const { letters, marks } = alphabetOf([models[a], models[b]], base);
      return { letters, marks: options.tags ? marks : [] };
    }),
    options.operations,
    'two of the models have',
  );
  const table = { models, pairs, base, alphabets: alphabetUnion(own) };
  return answer(startRun(options, true), {
    tasks: [{ name: 'distinguish', do: (pool) => compare(pool, table, options) }],
    report([compared], interrupted) {
      const seconds = (performance.now() - started) / 1000;
      const report = reportOf(table, compared, interrupted, seconds);
      return { format, text: REPORTERS[format](report), code: codeOf(report) };
    },
  });
}

interface Compared {
  readonly shares: readonly ShareFound<TableFound>[];
  readonly programs: readonly TableProgram[];
  /** Why a program was given up that shows something, and its calls. */
  readonly untold: readonly { readonly calls: number; readonly unfinished: string }[];
}

/** Searches, and meanwhile asks about what is found. */
async function compare(
  pool: Pool,
  table: ModelTable,
  { calls, jobs, engine }: Options & { readonly calls: number },
): Promise<Compared> {
  const telling: Promise<TableProgram | Compared['untold'][number]>[] = [];
  const search = tableSearch(table, calls, (program, own) =>
    telling.push(
      verdictsOf(pool, table, program, engine).then((told) => ({ ...told, calls: own })),
    ),
  );
  const shares = await searchPrograms(search, pool, jobs);
  const told = await Promise.all(telling);
  return {
    shares,
    programs: told.flatMap((one) => ('unfinished' in one ? [] : [one])),
    untold: told.flatMap((one) => ('unfinished' in one ? [one] : [])),
  };
}

function reportOf(
  { models, pairs, alphabets }: ModelTable,
  { shares, programs, untold }: Compared,
  interrupted: boolean,
  seconds: number,
): TableReport {
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
    interrupted,
    seconds,
  };
}

const named = (names: readonly string[], isIn: readonly boolean[]): readonly string[] =>
  names.filter((_, i) => isIn[i]);

function codeOf({ programs, undecided, unfinished }: TableReport): number {
  if (programs.length > 0) return DEPARTS;
  return undecided.length > 0 || unfinished !== undefined ? UNDECIDED : AS_EXPECTED;
}
