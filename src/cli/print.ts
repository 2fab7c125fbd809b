/** The reports of the commands on standard output, and their exit codes. */
import { departs, lostQueries } from '../check/expectation.js';
import { INTERRUPTION } from '../check/result.js';
import { goldenTable } from '../report/golden.js';
import { herdLog } from '../report/herd.js';
import { interruptedAfter, interruptedRecords, reachedRecords } from '../report/interruption.js';
import { jsonLines, jsonOutcomes } from '../report/json.js';
import type { Record } from '../report/record.js';
import { compareText } from '../report/compare.js';
import { testTable } from '../report/test-table.js';
import { checkText, outcomesText, testSummary } from '../report/text.js';
import { AS_EXPECTED, BAD_INPUT, DEPARTS, INTERRUPTED, UNDECIDED } from './exit.js';
import { terminalColumns } from './terminal.js';
import type { Listing, Row } from './tasks.js';
import { subjectsOf } from './tasks.js';

export interface Format {
  readonly json?: boolean;
  readonly markdown?: boolean;
  readonly herd?: boolean;
}

/** What happened beside the results. */
export interface Circumstances {
  /** Something could not be read or written. */
  readonly bad: boolean;
  readonly interrupted: boolean;
}

const print = (text: string): void => void process.stdout.write(text);

/** Errors, one below the other, on standard error. */
export function complain(errors: readonly string[]): void {
  for (const error of errors) process.stderr.write(`${error}\n`);
}

const printJson = (records: readonly Record[]): void => {
  for (const record of records) print(lines(jsonLines(record)));
};
/** Each on a line of its own. */
export const lines = (all: readonly string[]): string => all.map((line) => `${line}\n`).join('');

/** `remora check`. A test without translation is an error here. */
export function reportCheck(rows: readonly Row[], format: Format, how: Circumstances): number {
  const errors = rows.flatMap(({ error }) => error ?? []);
  complain(errors);
  const records = rows.map((row) => row.record);
  if (format.json === true) printJson(records);
  else {
    for (const record of reachedRecords(records)) {
      if (record.untranslatable === undefined) print(`${checkText(record)}\n`);
    }
    print(lines(interruptedRecords(records)));
  }
  return verdictCode(rows, { ...how, bad: how.bad || errors.length > 0 });
}

/** `remora test`: a column for each of the models. */
export function reportTest(
  rows: readonly Row[],
  models: readonly string[],
  milliseconds: number,
  format: Format,
  how: Circumstances,
): number {
  const records = rows.map((row) => row.record);
  if (format.json === true) printJson(records);
  else if (format.markdown === true) {
    print(goldenTable(records, models));
    complain(interruptedRecords(records));
  } else if (records.length > 0) {
    const reached = reachedRecords(records);
    if (reached.length > 0) print(`${testTable(reached, models, terminalColumns())}\n`);
    print(testSummary(records, milliseconds));
  }
  return verdictCode(rows, how);
}

/** `remora compare`: what is expected plays no part. */
export function reportCompare(
  rows: readonly Row[],
  models: readonly [string, string],
  format: Format,
  { interrupted, bad }: Circumstances,
): number {
  const records = rows.map((row) => row.record);
  if (format.json === true) printJson(records);
  else if (records.length > 0) print(compareText(records, models, terminalColumns()));
  if (interrupted) return INTERRUPTED;
  if (bad) return BAD_INPUT;
  const undecided = records.some((r) => r.answers.some((a) => a.verdict === 'unknown'));
  return undecided ? UNDECIDED : AS_EXPECTED;
}

/** `remora outcomes`, and every command's `--herd`. */
export function reportOutcomes(
  listings: readonly Listing[],
  all: boolean | undefined,
  format: Format,
  { interrupted, bad }: Circumstances,
): number {
  complain(listings.flatMap(({ error }) => error ?? []));
  const listed = listings.filter((l) => l.error === undefined);
  const done = listed.filter(({ outcomes }) => outcomes.incomplete !== INTERRUPTION);
  const interruption = interruptedAfter(done.length, listed.length, 'lists');
  if (format.herd === true) {
    printHerd(done, all);
    complain(interruption);
  } else if (format.json === true) {
    for (const { test, model, outcomes, note } of listed) {
      print(lines([jsonOutcomes(test, model, outcomes, note)]));
    }
  } else {
    for (const { test, model, outcomes, note } of listed) {
      if (outcomes.incomplete === INTERRUPTION && outcomes.states.length === 0) continue;
      print(`${outcomesText(test, model, outcomes, subjectsOf(test, all), note)}\n`);
    }
    print(lines(interruption));
  }
  if (interrupted) return INTERRUPTED;
  if (bad || listed.length < listings.length) return BAD_INPUT;
  const undecided = listed.some((l) => l.outcomes.incomplete !== undefined);
  return undecided ? UNDECIDED : AS_EXPECTED;
}

function printHerd(listings: readonly Listing[], all: boolean | undefined): void {
  for (const { test, outcomes } of listings) {
    if (outcomes.incomplete === undefined) print(herdLog(test, subjectsOf(test, all), outcomes));
    else complain([`${test.file}: left out: ${outcomes.incomplete}`]);
  }
}

function verdictCode(rows: readonly Row[], { interrupted, bad }: Circumstances): number {
  if (interrupted) return INTERRUPTED;
  if (bad) return BAD_INPUT;
  const departing = rows.some(({ record: { test, model, answers, untranslatable } }) =>
    untranslatable === undefined
      ? answers.some((a) => departs(test.queries[a.query], model, a))
      : lostQueries(test.queries, model).length > 0,
  );
  if (departing) return DEPARTS;
  const undecided = rows.some((r) => r.record.answers.some((a) => a.verdict === 'unknown'));
  return undecided ? UNDECIDED : AS_EXPECTED;
}
