import { INTERRUPTION } from '../check/result.js';
import { COLOURS } from './colours.js';
import type { VerdictRecord } from './record.js';
import { byTest } from './record.js';

/**
 * `interrupted after 3 of 300 programs`, or no line where nothing was left undone.
 *
 * @param what are counted, in the plural
 */
export function interruptedAfter(done: number, all: number, what: string): readonly string[] {
  if (done === all) return [];
  return [COLOURS.red(`interrupted after ${done} of ${all} ${what}`)];
}

/** A line that says how many verdicts there were before an interruption; no line if all are there. */
export function interruptedRecords(records: readonly VerdictRecord[]): readonly string[] {
  const answers = records.flatMap((record) => record.answers);
  const done = answers.filter((answer) => answer.reason !== INTERRUPTION);
  return interruptedAfter(done.length, answers.length, 'verdicts');
}

/** The records of tests that have some verdict. An interruption may have left others without any. */
export function reachedRecords(records: readonly VerdictRecord[]): readonly VerdictRecord[] {
  const isReached = (group: readonly VerdictRecord[]): boolean => {
    const reasons = group.flatMap(({ answers }) => answers.map((answer) => answer.reason));
    return reasons.length === 0 || reasons.some((reason) => reason !== INTERRUPTION);
  };
  return byTest(records).filter(isReached).flat();
}
