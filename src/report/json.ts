import { departs, expectedOf } from '../check/expectation.js';
import type { Outcomes } from '../check/result.js';
import type { JsonValue } from '../parse/values.js';
import { valueJson } from '../parse/values.js';
import type { FinalState } from '../program/final.js';
import type { Test } from '../program/program.js';
import { unanswered } from './finding.js';
import type { VerdictRecord } from './record.js';
import { queryText } from '../program/print.js';

/**
 * The version of all JSON that Remora prints: the field `format` of every object (docs/json.md). It grows when programs
 * that read the JSON have to change. New fields alone never raise it.
 */
export const JSON_FORMAT = 2;

/**
 * An object of `--json` as one line. Fields named `state` and `states` must hold final states: their codes become
 * values.
 */
export const jsonLine = (object: object): string =>
  JSON.stringify({ format: JSON_FORMAT, ...object }, (key, value: unknown) => {
    if (key === 'state' && value !== undefined) return jsonState(value as FinalState);
    return key === 'states' && Array.isArray(value) ? value.map(jsonState) : value;
  });

const jsonState = (state: FinalState): Readonly<Record<string, JsonValue>> =>
  Object.fromEntries(Object.entries(state).map(([name, value]) => [name, valueJson(value)]));

/**
 * The lines of `--json` for a record, one for each query (docs/json.md).
 *
 * @param replayable whether each line gets the execution that shows its answer, so that the answer can be checked again
 */
export function jsonLines(record: VerdictRecord, replayable = false): readonly string[] {
  const { test, model, answers, note } = record;
  const head = { file: test.file, test: test.name };
  const warnings = warningsOf(test);
  const lacking = [...unanswered(record)].map(([index, why]) => ({
    index,
    line: jsonLine({
      ...head,
      query: queryText(test.queries[index]),
      index,
      model,
      verdict: 'untranslatable',
      reason: record.untranslatable ?? why,
      warnings,
    }),
  }));
  const answered = answers.map((answer) => {
    const query = test.queries[answer.query];
    const expected = expectedOf(query, model);
    const line = jsonLine({
      ...head,
      query: queryText(query),
      index: answer.query,
      label: query.label,
      model,
      verdict: answer.verdict,
      reason: answer.reason,
      upTo: answer.upTo,
      expected: expected?.verdict,
      authority: expected?.authority,
      departs: departs(query, model, answer),
      state: answer.state,
      witness: replayable ? answer.witness : undefined,
      executions: answer.executions,
      run: answer.run,
      round: answer.round,
      steps: answer.steps,
      timeline: record.timelines?.get(answer.query),
      assuming: answer.assuming,
      states: answer.states,
      symmetry: answer.symmetry,
      full: answer.full,
      room: answer.room,
      flags: answer.flags,
      note,
      warnings,
      milliseconds: round(answer.milliseconds),
    });
    return { index: answer.query, line };
  });
  return [...lacking, ...answered].sort((a, b) => a.index - b.index).map(({ line }) => line);
}

/** The line of `outcomes --json` for a test under a model. */
export function jsonOutcomes(test: Test, model: string, outcomes: Outcomes, note?: string): string {
  const { states, executions, flags, incomplete, upTo, milliseconds } = outcomes;
  return jsonLine({
    file: test.file,
    test: test.name,
    model,
    states,
    executions,
    flags,
    incomplete,
    upTo,
    note,
    warnings: warningsOf(test),
    milliseconds: round(milliseconds),
  });
}

/** The messages of the warnings about a test. Their places are only on standard error. */
const warningsOf = ({ warnings }: Test): readonly string[] | undefined =>
  warnings.length === 0 ? undefined : warnings.map(({ message }) => message);

/** Rounds a time to a hundredth of a millisecond. */
export const round = (milliseconds: number): number => Math.round(milliseconds * 100) / 100;
