/** Reports of verdicts and of final states. Other commands have their reporters beside them. */
import { INTERRUPTION } from '../../check/result.js';
import { compareText } from '../../report/compare.js';
import { findingsIn, onlyFindings } from '../../report/finding.js';
import { githubCommands } from '../../report/github.js';
import { goldenTable } from '../../report/golden.js';
import { herdLog } from '../../report/herd.js';
import { interruptedRecords, reachedRecords } from '../../report/interruption.js';
import { jsonLines, jsonOutcomes } from '../../report/json.js';
import { junitXml } from '../../report/junit.js';
import type { VerdictRecord, Unusable } from '../../report/record.js';
import { sarif } from '../../report/sarif.js';
import { countsText, shortSummary, testSummary } from '../../report/test-summary.js';
import { testTable } from '../../report/test-table.js';
import { checkText, outcomesText } from '../../report/text.js';
import type { Reporters } from './formats.js';
import { VERSION } from '../package.js';
import type { OutcomesRecord } from '../run/decide.js';
import { subjectsOf } from '../run/decide.js';

/** Verdicts, and how much of them is to be shown. */
export interface Verdicts {
  readonly records: readonly VerdictRecord[];
  /** Inputs that there are no records of. */
  readonly unusable: Unusable;
  /** Does every model have to answer every query, and not one of them only? */
  readonly strict: boolean;
  /** In tables a column each. */
  readonly models: readonly string[];
  /** Columns of the terminal that tables have to fit. */
  readonly width: number;
  readonly milliseconds: number;
  /** Only what departs or is unknown, and the summary. */
  readonly quiet?: boolean;
  /** What is shown one by one, and not in the summary alone: without it, everything. */
  readonly shown?: readonly VerdictRecord[];
}

/** Each on a line of its own. */
export const lines = (all: readonly string[]): string => all.map((line) => `${line}\n`).join('');

const each = ({ records, shown = records, quiet = false }: Verdicts): readonly VerdictRecord[] =>
  quiet ? shown.flatMap((record) => onlyFindings(record) ?? []) : shown;

export const VERDICT_REPORTERS: Reporters<'check' | 'test', Verdicts> = {
  text: (verdicts) =>
    reachedRecords(each(verdicts))
      .filter(({ untranslatable }) => untranslatable === undefined)
      .map((record) => `${checkText(record)}\n`)
      .join('') + lines(interruptedRecords(verdicts.records)),
  table: ({ records, models, width, milliseconds, strict, quiet = false, shown = records }) => {
    if (records.length === 0) return '';
    const summed = { records, findings: findingsIn(records, strict), milliseconds };
    if (quiet) return shortSummary(summed);
    const rows = reachedRecords(shown);
    const table = rows.length === 0 ? '' : `${testTable(rows, models, width)}\n`;
    return table + testSummary(summed);
  },
  markdown: ({ records, models }) => goldenTable(records, models),
  json: (verdicts) => lines(each(verdicts).flatMap((record) => jsonLines(record))),
  junit: ({ records, unusable, strict }) =>
    junitXml(records, findingsIn(records, strict), unusable),
  sarif: ({ records, unusable, strict }) => sarif(findingsIn(records, strict), unusable, VERSION),
  github: ({ records, unusable, strict, milliseconds }) => {
    const findings = findingsIn(records, strict);
    return `${githubCommands(findings, unusable)}${countsText({ records, findings, milliseconds })}\n`;
  },
};

/** Verdicts under two models. */
export interface CompareReport extends Pick<Verdicts, 'records' | 'width'> {
  readonly models: readonly [string, string];
}

export const COMPARE_REPORTERS: Reporters<'compare', CompareReport> = {
  table: ({ records, models, width }) =>
    records.length === 0 ? '' : compareText(records, models, width),
  json: ({ records }) => lines(records.flatMap((record) => jsonLines(record))),
};

/** Final states of tests. */
export interface OutcomesReport {
  readonly listings: readonly OutcomesRecord[];
  /** Are all final values listed, and not only those that queries mention? */
  readonly all?: boolean;
  /** What an interruption left undone: a line, or none. */
  readonly interruption: readonly string[];
}

export const OUTCOMES_REPORTERS: Reporters<'outcomes', OutcomesReport> = {
  text: ({ listings, all, interruption }) =>
    listings
      .filter(({ outcomes: o }) => o.incomplete !== INTERRUPTION || o.states.length > 0)
      .map(({ test, model, outcomes, note }) =>
        outcomesText(test, model, outcomes, subjectsOf(test, all), note),
      )
      .map((text) => `${text}\n`)
      .join('') + lines(interruption),
  json: ({ listings }) =>
    lines(listings.map((l) => jsonOutcomes(l.test, l.model, l.outcomes, l.note))),
  herd: ({ listings, all }) =>
    listings.map(({ test, outcomes }) => herdLog(test, subjectsOf(test, all), outcomes)).join(''),
};
