import type { Answer } from '../../check/result.js';
import type { RunQuery, Test } from '../../program/program.js';
import { isStateQuery } from '../../program/program.js';
import type { Found, RunLimits } from './answer.js';
import { decideSafety, isSafety } from './bad.js';
import type { Liveness } from './endless.js';
import { decideLiveness } from './endless.js';
import type { Hardware } from './hardware.js';

/**
 * Decides queries about runs by exploring all states of a program on a machine, however often its loops go round. A
 * state that is bad is a question of which states there are; that something is put off for ever is one of their graph.
 *
 * @param queries those to decide, by index: all about runs
 */
export function decideRuns(
  test: Test,
  hardware: Hardware,
  queries: readonly number[],
  limits: RunLimits,
): readonly Answer[] {
  const asked = queries.map((index) => {
    const query = test.queries[index];
    if (isStateQuery(query)) throw new Error(`\`${query.quantifier}\` is about final states`);
    return { index, query };
  });
  const decideBy = <Q extends RunQuery>(
    wanted: (query: RunQuery) => query is Q,
    decide: (queries: readonly Q[]) => readonly Found[],
  ): readonly Answer[] => {
    const own = asked.filter((a): a is { index: number; query: Q } => wanted(a.query));
    if (own.length === 0) return [];
    const started = performance.now();
    const found = decide(own.map(({ query }) => query));
    const milliseconds = (performance.now() - started) / own.length;
    return own.map(({ index }, i) => ({ query: index, flags: [], milliseconds, ...found[i] }));
  };
  const isLiveness = (query: RunQuery): query is Liveness => !isSafety(query);
  const answers = [
    ...decideBy(isSafety, (own) => decideSafety(test.program, hardware, own, limits)),
    ...decideBy(isLiveness, (own) => decideLiveness(test.program, hardware, own, limits)),
  ];
  return answers.sort((a, b) => a.query - b.query);
}
