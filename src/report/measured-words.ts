/** What cards showed, in words that texts, tables and pages share. */
import type { Explanation } from '../analyses/explain/explanation.js';
import type { MeasuredCard, MeasuredTest } from '../analyses/measured/add-up.js';
import type { TestBeside, Alarm } from '../analyses/measured/ask.js';
import type { ColumnFound } from '../analyses/measured/columns.js';
import { leftAfter } from '../analyses/measured/columns.js';
import type { Judged, Refutation, Standing, StateRow } from '../analyses/measured/beside.js';
import { judge } from '../analyses/measured/beside.js';
import { finalsOf } from '../program/final.js';
import { isStateQuery } from '../program/program.js';
import { observedSubjects } from '../program/subjects.js';
import { holds } from '../check/witness/witness.js';
import { plural } from './explain-style.js';
import { listInWords } from './explain-words.js';
import { MARKS, SIGNS } from './outcome.js';
import { showState } from './record.js';

/** All that a report is made of. */
export interface MeasuredReport {
  readonly cards: readonly MeasuredCard[];
  readonly models: readonly string[];
  readonly tests: readonly TestBeside[];
  /** What each card says to the questions of corpus/columns, if to any. */
  readonly columns: readonly (readonly ColumnFound[] | undefined)[];
}

export const cardName = (index: number): string => `card ${index + 1}`;

/** What tells a card from others. */
export function cardText({ card: c }: MeasuredCard): string {
  const parts = [
    c.card,
    `firmware ${c.firmware}`,
    `driver ${c.driver}`,
    c.cpu,
    c.link,
    c.processes === 1 ? 'all nodes in one process' : 'one process a node',
    ...(c.relaxed ? ['--relaxed'] : []),
  ];
  return parts.join(', ');
}

/** How much was measured on a card. */
export function amountText({ rounds, dropped }: MeasuredCard, tests: number): string {
  const given = dropped === 0 ? '' : `, and ${dropped} that were given up`;
  return `${plural(tests, 'test')}, ${plural(rounds, 'round')}${given}`;
}

/** How many tests ran on a card. */
export const testsOn = (tests: readonly { readonly item: MeasuredTest }[], card: number): number =>
  tests.filter(({ item }) => item.on[card] !== undefined).length;

/** A final state, and the numbers of the questions that it satisfies. */
export function stateText({ test }: MeasuredTest, { state }: StateRow): string {
  const final = finalsOf(test.program, observedSubjects(test), state);
  const marks = test.queries.flatMap((query, q) =>
    isStateQuery(query) && holds(query.condition, final) ? [` (${q + 1})`] : [],
  );
  return showState(state) + marks.join('');
}

/** The cell of a state and a model: `○!` is forbidden and seen. */
export function standingMark(standing: Standing, isSeen: boolean): string {
  if (standing === 'bounded') return MARKS.forbidden + SIGNS.bounded;
  const departs = standing === 'forbidden' && isSeen;
  return MARKS[standing] + (departs ? SIGNS.departs : '');
}

/** The cell of a state and a card: `3/200`. */
export const timesText = (times: number | undefined, rounds = 0): string =>
  times === undefined ? '' : `${times}/${rounds}`;

export const refutationText = ({ test, state, times, rounds }: Refutation): string =>
  `${test}: ${showState(state)} (${times} of ${plural(rounds, 'round')})`;

/** What follows for a model from what a card showed. */
export function judgedText({ refutedBy, open, incomplete, allowedSeen }: Judged): string {
  if (refutedBy !== undefined) return `refuted by ${refutationText(refutedBy)}`;
  const unknown = open + incomplete > 0 ? ', as far as it is known' : '';
  return allowedSeen + open === 0 ? 'nothing known' : `left${unknown}`;
}

/** The models that a card leaves, and those that it refutes. */
export function leftOn(
  { tests, models }: MeasuredReport,
  card: number,
): {
  readonly judged: readonly Judged[];
  readonly left: readonly string[];
  readonly refuted: readonly string[];
} {
  const judged = judge(tests, card, models);
  const named = (isRefuted: boolean): readonly string[] =>
    judged
      .filter(({ refutedBy }) => (refutedBy !== undefined) === isRefuted)
      .map(({ model }) => model);
  return { judged, left: named(false), refuted: named(true) };
}

/** `Left: rdma-ro. Refuted: rdma-tso.` */
export function leftText(left: readonly string[], refuted: readonly string[]): string {
  const all = (names: readonly string[]): string =>
    names.length === 0 ? 'none' : names.join(', ');
  return `Left: ${all(left)}. Refuted: ${all(refuted)}.`;
}

export const NOTHING_CONFIRMED =
  'What was not seen refutes nothing, so that no model is confirmed: one that allows more is always left.';

/** Where a state was seen, and how often. */
export const seenText = (item: MeasuredTest, { times }: StateRow): string =>
  times
    .flatMap((n = 0, card) =>
      n === 0 ? [] : [`${n} of ${plural(item.on[card]!.rounds, 'round')} on ${cardName(card)}`],
    )
    .join(', ');

/** At most so many explanations are printed in texts: nobody reads more. */
const PRINTED = 8;

interface PrintedAlarm {
  readonly item: MeasuredTest;
  readonly alarm: Alarm;
  /** If it is printed. */
  readonly explanation?: Explanation;
}

/** What is forbidden and was seen, in the order of the tests. */
export const alarmsIn = ({ tests }: MeasuredReport): readonly PrintedAlarm[] =>
  tests
    .flatMap(({ item, alarms }) => alarms.map((alarm) => ({ item, alarm })))
    .map((one, i) => ({ ...one, explanation: i < PRINTED ? one.alarm.explanation : undefined }));

/** Which models allow what one forbids, and where its explanation is. */
export function elsewhereText({ alarm, explanation }: PrintedAlarm): string {
  const { allowing, forbidding, open } = alarm;
  const parts = [
    allowing.length === 0
      ? 'No model that was asked allows it: the card does what none of them says, or what measured it is wrong.'
      : `Allowed under ${listInWords(allowing)}.`,
    ...(forbidding.length === 0 ? [] : [`Forbidden under ${listInWords(forbidding)}, too.`]),
    ...(open.length === 0 ? [] : [`Not known under ${listInWords(open)}.`]),
    ...(explanation === alarm.explanation ? [] : ['Explained by --json.']),
  ];
  return parts.join(' ');
}

/** What follows from the answer to a question of corpus/columns. */
export function columnText({ found }: ColumnFound): string {
  if (found === undefined) return 'not among the results';
  if (found.leftOut !== undefined) return `left out: ${found.leftOut}`;
  const { times, rounds, none } = found;
  if (times === 0) return `not seen in ${plural(rounds, 'round')}: nothing follows`;
  const seen = `seen, ${times} of ${plural(rounds, 'round')}`;
  return none.length === 0
    ? `${seen}: all allow it`
    : `${seen}: the card is none of ${none.join(', ')}`;
}

/** The models that are left by these questions alone. */
export const columnsLeave = (
  columns: readonly ColumnFound[],
  models: readonly string[],
): readonly string[] =>
  leftAfter(
    columns.map(({ found }) => (found?.leftOut === undefined ? (found?.none ?? []) : [])),
    models,
  );
