/** Reports of verdicts and of final states, which several commands make. Other commands have their reporters beside them. */
import { INTERRUPTION } from '../../check/result.js';
import { compareText } from '../../report/compare.js';
import type { VerdictFinding } from '../../report/finding.js';
import { findingsIn, onlyFindings, unanswered } from '../../report/finding.js';
import { githubCommands } from '../../report/github.js';
import { goldenTable } from '../../report/golden.js';
import { herdLog } from '../../report/herd.js';
import { interruptedAfter, interruptedRecords, reachedRecords } from '../../report/interruption.js';
import { jsonLines, jsonOutcomes } from '../../report/json.js';
import { junitXml } from '../../report/junit.js';
import type { VerdictRecord, Unusable } from '../../report/record.js';
import { sarif } from '../../report/sarif.js';
import { countsText, shortSummary, testSummary } from '../../report/test-summary.js';
import { testTable } from '../../report/test-table.js';
import { checkText, outcomesText } from '../../report/text.js';
import { AS_EXPECTED, DEPARTS, UNDECIDED } from '../command/exit.js';
import { VERSION } from '../package.js';
import type { OutcomesRecord, VerdictRow } from '../run/decide.js';
import { subjectsOf } from '../run/decide.js';
import type { Reporters } from './formats.js';
import type { CommandReport } from './print.js';
import { lines } from './print.js';
import { terminalColumns } from './terminal.js';

/** Verdicts, and which of them are shown. */
interface Verdicts {
  readonly records: readonly VerdictRecord[];
  /** Inputs without records. */
  readonly unusable: Unusable;
  /** Does every model have to answer every query, and not only one of the models? */
  readonly strict: boolean;
  /** The models; each is a column of a table. */
  readonly models: readonly string[];
  /** The width that tables have to fit, in characters. */
  readonly width: number;
  readonly milliseconds: number;
  /** Show only verdicts that depart or are unknown, and the summary. */
  readonly quiet?: boolean;
  /** The rows that are shown one by one; by default, all. The others are only in the summary. */
  readonly shown?: readonly VerdictRecord[];
}

const each = ({ records, shown = records, quiet = false }: Verdicts): readonly VerdictRecord[] =>
  quiet ? shown.flatMap((record) => onlyFindings(record) ?? []) : shown;

const MARKS: Reporters<'json' | 'junit' | 'sarif' | 'github', Verdicts> = {
  json: (verdicts) => lines(each(verdicts).flatMap((record) => jsonLines(record))),
  junit: ({ records, unusable, strict }) =>
    junitXml(records, findingsIn(records, strict), unusable),
  sarif: ({ records, unusable, strict }) => sarif(findingsIn(records, strict), unusable, VERSION),
  github: ({ records, unusable, strict, milliseconds }) => {
    const findings = findingsIn(records, strict);
    return `${githubCommands(findings, unusable)}${countsText({ records, findings, milliseconds })}\n`;
  },
};

const text = (verdicts: Verdicts): string =>
  reachedRecords(each(verdicts))
    .filter(({ untranslatable }) => untranslatable === undefined)
    .map((record) => `${checkText(record)}\n`)
    .join('') + lines(interruptedRecords(verdicts.records));

function table(verdicts: Verdicts): string {
  const { records, models, width, milliseconds, strict, quiet = false, shown = records } = verdicts;
  if (records.length === 0) return '';
  const summed = { records, findings: findingsIn(records, strict), milliseconds };
  if (quiet) return shortSummary(summed);
  const rows = reachedRecords(shown);
  const rowsText = rows.length === 0 ? '' : `${testTable(rows, models, width)}\n`;
  return rowsText + testSummary(summed);
}

const markdown = ({ records, models }: Verdicts): string => goldenTable(records, models);

/** Verdicts under two models. */
interface Comparison extends Pick<Verdicts, 'records' | 'width'> {
  readonly models: readonly [string, string];
}

/** Final states of tests. */
interface Listings {
  readonly listings: readonly OutcomesRecord[];
  /** Are all final values listed, and not only those of names in queries? */
  readonly all?: boolean;
  /** What an interruption left undone: a line, or none. */
  readonly interruption: readonly string[];
}

/** The reporters of commands whose results can be kept in a file. `remora merge` uses them, too. */
export const RESULT_REPORTERS = {
  check: { text, table, ...MARKS },
  test: { table, markdown, ...MARKS },
  compare: {
    table: ({ records, models, width }: Comparison) =>
      records.length === 0 ? '' : compareText(records, models, width),
    json: ({ records }: Comparison) => lines(records.flatMap((record) => jsonLines(record))),
  },
  outcomes: {
    text: ({ listings, all, interruption }: Listings) =>
      listings
        .filter(({ outcomes: o }) => o.incomplete !== INTERRUPTION || o.states.length > 0)
        .map(({ test, model, outcomes, note }) =>
          outcomesText(test, model, outcomes, subjectsOf(test, all), note),
        )
        .map((one) => `${one}\n`)
        .join('') + lines(interruption),
    json: ({ listings }: Listings) =>
      lines(listings.map((l) => jsonOutcomes(l.test, l.model, l.outcomes, l.note))),
    herd: ({ listings, all }: Listings) =>
      listings.map(({ test, outcomes }) => herdLog(test, subjectsOf(test, all), outcomes)).join(''),
  },
};

/** A format of a command. */
export type FormatOf<C extends keyof typeof RESULT_REPORTERS> = keyof (typeof RESULT_REPORTERS)[C];

/** The formats of a command, its default first. */
export const formatsOf = <C extends keyof typeof RESULT_REPORTERS>(
  command: C,
): readonly FormatOf<C>[] => Object.keys(RESULT_REPORTERS[command]) as FormatOf<C>[];

/** A format of verdicts. */
export type VerdictFormat = FormatOf<'check'> | FormatOf<'test'>;

const VERDICT_REPORTERS: Reporters<VerdictFormat, Verdicts> = {
  ...RESULT_REPORTERS.check,
  ...RESULT_REPORTERS.test,
};

/**
 * The report of `remora check`, `test` and `explore`.
 *
 * @param strict whether every model has to answer every query, and a test without translation is an error
 */
export function verdictReport(
  rows: readonly VerdictRow[],
  format: VerdictFormat,
  strict: boolean,
  details: Omit<Verdicts, 'records' | 'width' | 'strict'>,
): CommandReport {
  const said = strict ? rows.flatMap(({ error }) => error ?? []) : [];
  const records = rows.map((row) => row.record);
  return {
    said,
    bad: said.length > 0,
    format,
    text: VERDICT_REPORTERS[format]({ ...details, records, strict, width: terminalColumns() }),
    interruption: interruptedRecords(records),
    code: verdictCode(findingsIn(records, strict)),
  };
}

/** The exit code of a command for these findings about verdicts. */
export function verdictCode(findings: readonly VerdictFinding[]): number {
  const kinds = new Set(findings.map(({ kind }) => kind));
  if (kinds.has('departs')) return DEPARTS;
  return kinds.has('unknown') ? UNDECIDED : AS_EXPECTED;
}

/**
 * The report of `remora compare`. Expectations play no part in it.
 *
 * @param some whether the models can decide any of the tests: they cannot decide clients of other libraries
 */
export function compareReport(
  rows: readonly VerdictRow[],
  models: readonly [string, string],
  format: FormatOf<'compare'>,
  some: boolean,
): CommandReport {
  const records = rows.map((row) => row.record);
  const isDecided = (r: VerdictRecord): boolean =>
    unanswered(r).size === 0 && r.answers.every((a) => a.verdict !== 'unknown');
  return {
    format,
    text: RESULT_REPORTERS.compare[format]({ records, models, width: terminalColumns() }),
    code: some && records.every(isDecided) ? AS_EXPECTED : UNDECIDED,
  };
}

/** The report of `remora outcomes`, and herd7's log of every command. */
export function outcomesReport(
  listings: readonly OutcomesRecord[],
  all: boolean | undefined,
  format: FormatOf<'outcomes'>,
): CommandReport {
  const errors = listings.flatMap(({ error }) => error ?? []);
  const listed = listings.filter((l) => l.error === undefined);
  const done = listed.filter(({ outcomes }) => outcomes.incomplete !== INTERRUPTION);
  const interruption = interruptedAfter(done.length, listed.length, 'lists');
  // Herd7's log cannot say that a list is incomplete.
  const partial = format === 'herd' ? done.filter(isIncomplete) : [];
  const shown = format === 'herd' ? done.filter((one) => !isIncomplete(one)) : listed;
  return {
    said: [
      ...errors,
      ...partial.map(({ test, outcomes }) => `${test.file}: left out: ${outcomes.incomplete}`),
    ],
    bad: errors.length > 0,
    format,
    text: RESULT_REPORTERS.outcomes[format]({ listings: shown, all, interruption }),
    interruption,
    code: listed.some(isIncomplete) ? UNDECIDED : AS_EXPECTED,
  };
}

const isIncomplete = ({ outcomes: { incomplete } }: OutcomesRecord): boolean =>
  incomplete !== undefined;
