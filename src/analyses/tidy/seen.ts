import { isStateQuery } from '../../program/program.js';
import type { Program, RunSubject, Subject, Test } from '../../program/program.js';
import { allSubjects, collect, observedSubjects } from '../../program/subjects.js';

/** What the queries of a test see. */
export interface Seen {
  /** The queries about runs, by index. */
  readonly runs: readonly number[];
  /** What final states are listed over; none where all queries are about runs. */
  readonly subjects: readonly Subject[];
  /** All that is looked at. Nothing that sets one of these is left out. */
  readonly named: readonly Subject[];
}

/** Without queries, everything is seen. */
export function seenIn(test: Test): Seen {
  const { queries, listed = [] } = test;
  const all = [...queries.keys()];
  const runs = all.filter((query) => !isStateQuery(queries[query]));
  const subjects =
    runs.length > 0 && runs.length === all.length && listed.length === 0
      ? []
      : observedSubjects(test);
  const always: RunSubject[] = [];
  for (const query of queries) if (query.quantifier === 'never') collect(query.condition, always);
  const named = always.filter((one): one is Subject => one.kind !== 'ghost');
  return { runs, subjects, named: [...subjects, ...named] };
}

/** All that has a final value and a name, but for some. */
export function allBut(program: Program, left: readonly Subject[]): readonly Subject[] {
  const without = new Set(left.map(keyOf));
  return allSubjects(program).filter((one) => !without.has(keyOf(one)));
}

/** A text for each subject of a program. */
export const keyOf = (subject: Subject): string =>
  subject.kind === 'location' ? `${subject.location}` : `${subject.thread}:${subject.register}`;
