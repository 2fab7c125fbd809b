/** Which column is your NIC? What a card says to the questions of corpus/columns (docs/columns.md). */
import { holds } from '../../check/witness/witness.js';
import { finalsOf } from '../../program/final.js';
import type { Test } from '../../program/program.js';
import { stateQuery } from '../../program/program.js';
import { observedSubjects } from '../../program/subjects.js';
import type { MeasuredCard } from './add-up.js';
import type { TestRows } from './beside.js';

/** A question, and what a card showed. */
export interface ColumnFound {
  readonly test: string;
  /** Undefined: it is not among the results. */
  readonly found?:
    | { readonly leftOut: string }
    | {
        readonly leftOut?: undefined;
        readonly times: number;
        readonly rounds: number;
        /** If it was seen: the models that forbid it. */
        readonly none: readonly string[];
      };
}

/** What a card says to each of the questions, each the first of its test; undefined, if to none. */
export function columnsOn(
  questions: readonly Test[],
  tests: readonly TestRows[],
  card: number,
  { leftOut }: MeasuredCard,
): readonly ColumnFound[] | undefined {
  const all = questions.map(({ name, title }): ColumnFound => {
    const rows = tests.find(
      ({ item: { test, on } }) =>
        on[card] !== undefined && test.name === name && test.title === title,
    );
    if (rows !== undefined) return { test: name, found: answerIn(rows, card) };
    const out = leftOut.find(({ test }) => test === name);
    return { test: name, found: out && { leftOut: out.why } };
  });
  return all.some(({ found }) => found !== undefined) ? all : undefined;
}

function answerIn({ item, under, rows }: TestRows, card: number): ColumnFound['found'] {
  const { test, on } = item;
  const { condition } = stateQuery(test, 0);
  const subjects = observedSubjects(test);
  const satisfying = rows.filter(({ state }) =>
    holds(condition, finalsOf(test.program, subjects, state)),
  );
  const times = satisfying.reduce((sum, row) => sum + (row.times[card] ?? 0), 0);
  const none = under.flatMap(({ model }, m) =>
    satisfying.every(({ standings }) => standings[m] === 'forbidden') ? [model] : [],
  );
  return { times, rounds: on[card]!.rounds, none: times > 0 ? none : [] };
}

/** The models that are left where each of some outcomes was seen, of which it is known who forbids it. */
export const leftAfter = (
  forbidding: readonly (readonly string[])[],
  models: readonly string[],
): readonly string[] => models.filter((name) => !forbidding.some((those) => those.includes(name)));
