import type { ExpressionOver } from '../program/expression.js';
import { and, isFalse, not, or } from '../program/formula.js';
import type { Slot } from './compute.js';
import { shifted } from './compute.js';
import type { Branching, StepPlan } from './plan.js';
import type { WayCase, SegmentSplit } from './segments.js';

type Deciding = Pick<StepPlan, 'guards' | 'shows'>;

/** Does nothing that a call has found decide how it goes on? */
export const isStraight = ({ guards, shows }: Deciding): boolean =>
  guards.length === 0 && shows.length === 0;

/**
 * How a call goes on: by what guards say, and by which events turn out not to be executed, which are the way as bits.
 *
 * @param at where its values are
 */
export const decision = (deciding: Deciding, at: Slot): Pick<SegmentSplit, 'choose' | 'cases'> => ({
  choose(s) {
    const { guards, shows } = deciding;
    for (const { branches, value } of guards) {
      if (fall(s, branches, at) && value.compute(s, at) === 0) return -1;
    }
    let absent = 0;
    for (const { event, branches } of shows) if (!fall(s, branches, at)) absent |= 1 << event;
    return absent;
  },
  cases: () => casesOf(deciding, at),
});

const fall = (s: Int32Array, branches: readonly Branching[], at: Slot): boolean =>
  branches.every(({ value, taken }) => (value.compute(s, at) !== 0) === taken);

/** The same as data. */
function casesOf({ guards, shows }: Deciding, at: Slot): readonly WayCase[] {
  const possible = guards.map(({ branches, value }) =>
    or(not(fallen(branches, at)), shifted(value.expression, at)),
  );
  let cases: WayCase[] = [{ way: 0, when: and(...possible) }];
  // Events that are executed together show it together.
  const groups = new Map<string, { readonly when: ExpressionOver<Slot>; events: number }>();
  for (const { event, branches } of shows) {
    const when = fallen(branches, at);
    const key = JSON.stringify(when);
    const group = groups.get(key) ?? { when, events: 0 };
    groups.set(key, group);
    group.events |= 1 << event;
  }
  for (const { when, events } of groups.values()) {
    cases = cases.flatMap((before) => [
      { way: before.way, when: and(before.when, when) },
      { way: before.way | events, when: and(before.when, not(when)) },
    ]);
  }
  return cases.filter(({ when }) => !isFalse(when));
}

const fallen = (branches: readonly Branching[], at: Slot): ExpressionOver<Slot> =>
  and(
    ...branches.map(({ value: { expression }, taken }) => {
      const value = shifted(expression, at);
      return taken ? value : not(value);
    }),
  );
