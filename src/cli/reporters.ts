/** The formats of reports: for each kind of results, functions by name from results to text. */
import { INTERRUPTION } from '../check/result.js';
import { compareText } from '../report/compare.js';
import { onlyFindings } from '../report/finding.js';
import { githubCommands } from '../report/github.js';
import { goldenTable } from '../report/golden.js';
import { herdLog } from '../report/herd.js';
import { interruptedRecords, reachedRecords } from '../report/interruption.js';
import { jsonLines, jsonOutcomes } from '../report/json.js';
import { junitXml } from '../report/junit.js';
import type { Record, Unusable } from '../report/record.js';
import { testTable } from '../report/test-table.js';
import { checkText, countsText, outcomesText, testSummary } from '../report/text.js';
import type { CommandName } from './results.js';
import type { Listing } from './tasks.js';
import { subjectsOf } from './tasks.js';

/** The formats of each command's results; the first is the one that it has by default. */
export const FORMATS = {
  check: ['text', 'table', 'json', 'junit', 'github'],
  test: ['table', 'markdown', 'json', 'junit', 'github'],
  compare: ['table', 'json'],
  outcomes: ['text', 'json', 'herd'],
} as const satisfies { readonly [name in CommandName]: readonly string[] };

export type VerdictFormat = (typeof FORMATS)['check' | 'test'][number];
export type CompareFormat = (typeof FORMATS)['compare'][number];
export type OutcomesFormat = (typeof FORMATS)['outcomes'][number];
export type Format = VerdictFormat | CompareFormat | OutcomesFormat;

/** Formats that have an option of their own name. */
export const SHORT_FORMATS = ['json', 'markdown', 'herd'] as const satisfies readonly Format[];

/** How a format is asked for. */
export const spelling = (format: Format): string =>
  (SHORT_FORMATS as readonly Format[]).includes(format) ? `--${format}` : `--reporter ${format}`;

/** Formats of which a part can be left out. */
export const QUIET_FORMATS: readonly Format[] = ['text', 'table', 'json', 'github'];

/** Verdicts, and how much of them is to be shown. */
export interface Verdicts {
  readonly records: readonly Record[];
  /** Inputs that there are no records of. */
  readonly unusable: Unusable;
  /** In tables a column each. */
  readonly models: readonly string[];
  /** Columns of the terminal that tables have to fit. */
  readonly width: number;
  readonly milliseconds: number;
  /** Only what departs or is unknown, and the summary. */
  readonly quiet?: boolean;
  /** What is shown one by one, and not in the summary alone: without it, everything. */
  readonly shown?: readonly Record[];
}

/** Each on a line of its own. */
export const lines = (all: readonly string[]): string => all.map((line) => `${line}\n`).join('');

const each = ({ records, shown = records, quiet = false }: Verdicts): readonly Record[] =>
  quiet ? shown.flatMap((record) => onlyFindings(record) ?? []) : shown;

export const VERDICT_REPORTERS: {
  readonly [name in VerdictFormat]: (verdicts: Verdicts) => string;
} = {
  text: (verdicts) =>
    reachedRecords(each(verdicts))
      .filter(({ untranslatable }) => untranslatable === undefined)
      .map((record) => `${checkText(record)}\n`)
      .join('') + lines(interruptedRecords(verdicts.records)),
  table: ({ records, models, width, milliseconds, quiet = false, shown = records }) => {
    if (records.length === 0) return '';
    const rows = quiet ? [] : reachedRecords(shown);
    const table = rows.length === 0 ? '' : `${testTable(rows, models, width)}\n`;
    return table + testSummary(records, milliseconds);
  },
  markdown: ({ records, models }) => goldenTable(records, models),
  json: (verdicts) => lines(each(verdicts).flatMap(jsonLines)),
  junit: ({ records, unusable }) => junitXml(records, unusable),
  github: ({ records, unusable, milliseconds }) =>
    `${githubCommands(records, unusable)}${countsText(records, milliseconds)}\n`,
};

export const COMPARE_REPORTERS: {
  readonly [name in CompareFormat]: (
    records: readonly Record[],
    models: readonly [string, string],
    width: number,
  ) => string;
} = {
  table: (records, models, width) =>
    records.length === 0 ? '' : compareText(records, models, width),
  json: (records) => lines(records.flatMap(jsonLines)),
};

export const OUTCOMES_REPORTERS: {
  readonly [name in OutcomesFormat]: (listing: Listing, all: boolean | undefined) => string;
} = {
  text: ({ test, model, outcomes, note }, all) =>
    outcomes.incomplete === INTERRUPTION && outcomes.states.length === 0
      ? ''
      : `${outcomesText(test, model, outcomes, subjectsOf(test, all), note)}\n`,
  json: ({ test, model, outcomes, note }) => lines([jsonOutcomes(test, model, outcomes, note)]),
  herd: ({ test, outcomes }, all) => herdLog(test, subjectsOf(test, all), outcomes),
};
