/** The reports of the commands on standard output, and their exit codes. */
import { INTERRUPTION } from '../../check/result.js';
import type { VerdictFinding } from '../../report/finding.js';
import { findingsIn, unanswered } from '../../report/finding.js';
import type { VerdictRecord } from '../../report/record.js';
import { interruptedAfter, interruptedRecords } from '../../report/interruption.js';
import { AS_EXPECTED, BAD_INPUT, DEPARTS, INTERRUPTED, UNDECIDED } from '../command/exit.js';
import type { FormatName, FormatOf } from './formats.js';
import { formatNamed } from './formats.js';
import type { VerdictFormat } from '../commands/check/judging.js';
import type { Verdicts } from './reporters.js';
import { COMPARE_REPORTERS, OUTCOMES_REPORTERS, VERDICT_REPORTERS } from './reporters.js';
import { terminalColumns } from './terminal.js';
import type { OutcomesRecord, VerdictRow } from '../run/decide.js';

/** What happened beside the results. */
export interface Incidents {
  /** Something could not be read or written. */
  readonly bad: boolean;
  readonly interrupted: boolean;
  /** A picture takes standard output: there is no report. */
  readonly silent?: boolean;
}

/** Errors, one below the other, on standard error. */
export function complain(errors: readonly string[]): void {
  for (const error of errors) process.stderr.write(`${error}\n`);
}

/**
 * Prints a report on standard output.
 *
 * @param interruption what an interruption left undone: it goes to standard error if the format does not tell it
 */
export function print(
  format: FormatName,
  report: string,
  interruption: readonly string[] = [],
): void {
  process.stdout.write(report);
  if (!formatNamed(format).tellsInterruption) complain(interruption);
}

/**
 * `remora check` and `remora test`.
 *
 * @param strict whether every model has to answer every query, and a test without translation is an error
 */
export function reportVerdicts(
  rows: readonly VerdictRow[],
  format: VerdictFormat,
  strict: boolean,
  details: Omit<Verdicts, 'records' | 'width' | 'strict'>,
  how: Incidents,
): number {
  const errors = strict ? rows.flatMap(({ error }) => error ?? []) : [];
  complain(errors);
  const records = rows.map((row) => row.record);
  const report = VERDICT_REPORTERS[format]({
    ...details,
    records,
    strict,
    width: terminalColumns(),
  });
  print(format, how.silent === true ? '' : report, interruptedRecords(records));
  return verdictCode(findingsIn(records, strict), { ...how, bad: how.bad || errors.length > 0 });
}

/**
 * `remora compare`: what is expected plays no part.
 *
 * @param some whether the models have something to say of any test: of clients of other libraries they have not
 */
export function reportCompare(
  rows: readonly VerdictRow[],
  models: readonly [string, string],
  format: FormatOf<'compare'>,
  { interrupted, bad }: Incidents,
  some: boolean,
): number {
  const records = rows.map((row) => row.record);
  print(format, COMPARE_REPORTERS[format]({ records, models, width: terminalColumns() }));
  if (interrupted) return INTERRUPTED;
  if (bad) return BAD_INPUT;
  const isDecided = (r: VerdictRecord): boolean =>
    unanswered(r).size === 0 && r.answers.every((a) => a.verdict !== 'unknown');
  return some && records.every(isDecided) ? AS_EXPECTED : UNDECIDED;
}

/** `remora outcomes`, and herd7's log of every command. */
export function reportOutcomes(
  listings: readonly OutcomesRecord[],
  all: boolean | undefined,
  format: FormatOf<'outcomes'>,
  { interrupted, bad }: Incidents,
): number {
  complain(listings.flatMap(({ error }) => error ?? []));
  const listed = listings.filter((l) => l.error === undefined);
  const done = listed.filter(({ outcomes }) => outcomes.incomplete !== INTERRUPTION);
  const interruption = interruptedAfter(done.length, listed.length, 'lists');
  const shown = format === 'herd' ? done.filter(isWhole) : listed;
  const report = OUTCOMES_REPORTERS[format]({ listings: shown, all, interruption });
  print(format, report, interruption);
  if (interrupted) return INTERRUPTED;
  if (bad || listed.length < listings.length) return BAD_INPUT;
  const undecided = listed.some((l) => l.outcomes.incomplete !== undefined);
  return undecided ? UNDECIDED : AS_EXPECTED;
}

/** Herd7's log has no way to say that a list is incomplete. */
function isWhole({ test, outcomes: { incomplete } }: OutcomesRecord): boolean {
  if (incomplete !== undefined) complain([`${test.file}: left out: ${incomplete}`]);
  return incomplete === undefined;
}

/** The exit code of a command by what it found of verdicts. */
export function verdictCode(
  findings: readonly VerdictFinding[],
  { interrupted, bad }: Incidents,
): number {
  if (interrupted) return INTERRUPTED;
  if (bad) return BAD_INPUT;
  const kinds = new Set(findings.map(({ kind }) => kind));
  if (kinds.has('departs')) return DEPARTS;
  return kinds.has('unknown') ? UNDECIDED : AS_EXPECTED;
}
