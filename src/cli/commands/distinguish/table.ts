import { availableParallelism } from 'node:os';
import type { Group } from '../../../analyses/by-size/groups.js';
import { groupsUpTo } from '../../../analyses/by-size/groups.js';
import type { ModelTable, TableGroupFound } from '../../../analyses/distinguish/table.js';
import {
  compareAll,
  directionsOf,
  firstShowing,
  pairsOf,
  stillOpen,
} from '../../../analyses/distinguish/table.js';
import type { Direction } from '../../../analyses/distinguish/table-part.js';
import { verdictsOf } from '../../../analyses/distinguish/verdicts.js';
import type { Pool } from '../../../analyses/workers.js';
import { defaultInstructions } from '../../../node/models.js';
import { alphabetOf } from '../../../rdma/classes/alphabet.js';
import { alphabetUnion } from '../../../rdma/classes/union.js';
import type { TableProgram, TableReport } from '../../../report/distinguish-table.js';
import { tableReportJson, tableReportText } from '../../../report/distinguish-table.js';
import { AS_EXPECTED, DEPARTS, UNDECIDED } from '../../command/exit.js';
import { chosenOfEach } from '../../inputs/alphabet.js';
import type { Reporters } from '../../print/formats.js';
import { answer } from '../../run/answer.js';
import { startRun } from '../../run/tasks.js';
import type { Format, Options } from './options.js';
import type { Model } from '../../../model/term.js';

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
  const { calls, reporter: format = 'text' } = options;
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
  const groups = groupsUpTo(calls, table.alphabets.whole);
  const found: TableProgram[] = [];
  const open = (): readonly Direction[] => stillOpen(directionsOf(table), found);
  const sizes = Array.from({ length: calls }, (_, i) => i + 1);
  return answer(startRun(options, true), {
    // Of one size after the other: what is found is not looked for in larger programs.
    atOnce: 1,
    tasks: sizes.map((own) => ({
      name: `programs of ${own} calls`,
      async do(pool) {
        const record = await compareSize(
          pool,
          table,
          groups.filter((group) => group.calls === own),
          open(),
          options,
        );
        found.push(...record.programs);
        return record;
      },
    })),
    last: () => open().length === 0,
    report(results, interrupted) {
      const records = results.filter((one) => one !== undefined);
      const report = reportOf(table, records, interrupted, (performance.now() - started) / 1000);
      return { format, text: REPORTERS[format](report), code: codeOf(report) };
    },
  });
}

interface SizeFound {
  readonly calls: number;
  readonly groups: readonly TableGroupFound[];
  readonly programs: readonly TableProgram[];
  readonly unfinished?: string | undefined;
}

async function compareSize(
  pool: Pool,
  table: ModelTable,
  all: readonly Group[],
  open: readonly Direction[],
  { jobs = availableParallelism(), engine }: Options,
): Promise<SizeFound> {
  const groups: TableGroupFound[] = [];
  for (const group of all) {
    const left = stillOpen(
      open,
      groups.flatMap(({ showing }) => showing),
    );
    groups.push(await compareAll(pool, table, group, left, jobs));
  }
  const [{ calls }] = all;
  const told = await Promise.all(
    firstShowing(groups.flatMap(({ showing }) => showing)).map((one) =>
      verdictsOf(pool, table, one, engine),
    ),
  );
  const programs = told.flatMap((one) => ('unfinished' in one ? [] : [{ ...one, calls }]));
  const unfinished = [...groups, ...told].flatMap((one) =>
    'unfinished' in one ? (one.unfinished ?? []) : [],
  );
  return { calls, groups, programs, unfinished: unfinished.at(0) };
}

function reportOf(
  { models, pairs, alphabets }: ModelTable,
  records: readonly SizeFound[],
  interrupted: boolean,
  seconds: number,
): TableReport {
  const groups = records.flatMap((record) => record.groups);
  return {
    models: models.map(({ name }) => name),
    pairs: pairs.map((pair, i) => ({
      models: pair,
      operations: named(
        alphabets.whole.letters.map(({ name }) => name),
        alphabets.parts[i].letters,
      ),
      marks: named(alphabets.whole.marks, alphabets.parts[i].marks),
      programs: groups.reduce((sum, { programs }) => sum + programs[i], 0),
    })),
    programs: records.flatMap((record) => record.programs),
    sizes: records.map((record) => ({
      calls: record.calls,
      programs: record.groups.reduce((sum, { all }) => sum + all, 0),
      isWhole: record.unfinished === undefined,
    })),
    undecided: groups
      .flatMap(({ open }) => open)
      .map(({ litmus, model, reason }) => ({ litmus, model, reason })),
    unfinished: records.flatMap((record) => record.unfinished ?? []).at(0),
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
