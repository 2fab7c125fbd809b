import { INTERRUPTION } from '../check/result.js';
import { COLOURS } from './colours.js';
import type { VerdictRecord } from './record.js';
import { byTest } from './record.js';

/**
 * The line `interrupted after 3 of 300 programs`; none if everything was done.
 *
 * @param what the noun for what is counted, in the plural
 */
export function interruptedAfter(done: number, all: number, what: string): readonly string[] {
  if (done === all) return [];
  return [COLOURS.red(`interrupted after ${done} of ${all} ${what}`)];
}

/** A line that says how many verdicts there were before the interruption; none if all verdicts are there. */
export function interruptedRecords(records: readonly VerdictRecord[]): readonly string[] {
  const answers = records.flatMap((record) => record.answers);
  const done = answers.filter((answer) => answer.reason !== INTERRUPTION);
  return interruptedAfter(done.length, answers.length, 'verdicts');
}

/** The records of the tests that have at least one verdict. After an interruption, others may have none. */
export function reachedRecords(records: readonly VerdictRecord[]): readonly VerdictRecord[] {
  const isReached = (group: readonly VerdictRecord[]): boolean => {
    const reasons = group.flatMap(({ answers }) => answers.map((answer) => answer.reason));
    return reasons.length === 0 || reasons.some((reason) => reason !== INTERRUPTION);
  };
  return byTest(records).filter(isReached).flat();
}
