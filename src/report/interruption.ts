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

/** How many verdicts an interruption left, or no line where it left all. */
export function interruptedRecords(records: readonly VerdictRecord[]): readonly string[] {
  const answers = records.flatMap((record) => record.answers);
  const done = answers.filter((answer) => answer.reason !== INTERRUPTION);
  return interruptedAfter(done.length, answers.length, 'verdicts');
}

/** The records without those of tests that an interruption left no verdict of. */
export function reachedRecords(records: readonly VerdictRecord[]): readonly VerdictRecord[] {
  const isReached = (group: readonly VerdictRecord[]): boolean => {
    const reasons = group.flatMap(({ answers }) => answers.map((answer) => answer.reason));
    return reasons.length === 0 || reasons.some((reason) => reason !== INTERRUPTION);
  };
  return byTest(records).filter(isReached).flat();
}
