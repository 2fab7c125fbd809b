import type { Test } from '../../program/program.js';
import type { GroupComparison, Compared, Discrepancy, MethodLimits, Lister } from './compare.js';
import { compareMethods } from './compare.js';
import type { MethodGroup, AgreeMethod, NamedMethod } from './methods.js';

/** Counts for one group of methods. */
export interface Tally<Way extends NamedMethod = AgreeMethod> {
  readonly group: MethodGroup<Way>;
  /** How many programs at least two methods agree on. */
  readonly agreed: number;
  /** Final states of these programs. */
  readonly states: number;
  readonly undecided: readonly Gap<Way>[];
  readonly skipped: readonly Gap<Way>[];
}

/** A method without a result for some programs, and the reason. */
export interface Gap<Way extends NamedMethod = AgreeMethod> {
  readonly way: Way;
  readonly reason: string;
  readonly programs: readonly string[];
}

/** What a survey counts. */
export interface SurveyCounts<Way extends NamedMethod = AgreeMethod> {
  /** How many programs there are. */
  readonly of: number;
  /** The user ended it before all were tried, and before any disagreement. */
  readonly interrupted: boolean;
  /** Programs that were tried, up to the first disagreement. */
  readonly programs: number;
  /** Events of the programs, in ascending order. */
  readonly events: readonly number[];
  readonly tallies: readonly Tally<Way>[];
}

export interface Survey extends SurveyCounts {
  readonly disagreement?: Disagreement;
}

/** The first program that the methods of a group disagree on. */
export interface Disagreement {
  readonly index: number;
  readonly test: Test;
  readonly finding: Discrepancy;
}

export interface SurveyPlan {
  /** How many programs there are. */
  readonly count: number;
  program(index: number): Test;
  readonly groups: readonly MethodGroup[];
  /** Those of the groups that a program is for: all, unless it says otherwise. */
  groupsFor?(index: number): readonly MethodGroup[];
  readonly limits: MethodLimits;
  readonly pool: Lister;
  /** How many programs are tried at the same time. */
  readonly lanes: number;
  /** Told when a program is done. */
  progress?(index: number): void;
}

/**
 * Compares methods on one program after the other, up to the first disagreement. Several programs are tried at the same
 * time, but they are counted in their order. So the result does not depend on which of them is done first.
 */
export async function survey(plan: SurveyPlan): Promise<Survey> {
  const events: number[] = [];
  const counts = new Map(plan.groups.map((group) => [group, newCounts(group)]));
  const groupsFor = (index: number) => plan.groupsFor?.(index) ?? plan.groups;
  const waiting = new Map<number, { readonly test: Test; readonly compared: Compared }>();
  let disagreement: Disagreement | undefined;
  let interrupted = false;
  let stopped = false;
  let next = 0;

  /** Counts what is done, as far as everything before it is. */
  const settle = (): void => {
    for (let done = waiting.get(events.length); done && !stopped;) {
      const { test, compared } = done;
      const index = events.length;
      waiting.delete(index);
      const finding = compared.comparisons.find((c) => c.finding !== undefined)?.finding;
      // A disagreement that was found before the interruption counts.
      if (compared.interrupted && finding === undefined) {
        interrupted = true;
        stopped = true;
        return;
      }
      events.push(compared.events);
      const groups = groupsFor(index);
      compared.comparisons.forEach((c, g) => count(counts.get(groups[g])!, test.name, c));
      if (finding !== undefined) {
        disagreement = { index, test, finding };
        stopped = true;
      }
      done = waiting.get(events.length);
    }
  };
  const lane = async (): Promise<void> => {
    while (!stopped && next < plan.count) {
      const index = next;
      next += 1;
      const test = plan.program(index);
      const compared = await compareMethods(test, groupsFor(index), plan.limits, plan.pool);
      if (stopped) return;
      plan.progress?.(index);
      waiting.set(index, { test, compared });
      settle();
    }
  };
  await Promise.all(Array.from({ length: plan.lanes }, lane));
  return {
    of: plan.count,
    interrupted,
    programs: events.length,
    events: events.sort((a, b) => a - b),
    tallies: [...counts.values()],
    disagreement,
  };
}

interface RunningTally {
  readonly group: MethodGroup;
  agreed: number;
  states: number;
  readonly undecided: { way: AgreeMethod; reason: string; programs: string[] }[];
  readonly skipped: { way: AgreeMethod; reason: string; programs: string[] }[];
}

const newCounts = (group: MethodGroup): RunningTally => ({
  group,
  agreed: 0,
  states: 0,
  undecided: [],
  skipped: [],
});

function count(counts: RunningTally, name: string, comparison: GroupComparison): void {
  const { states, finding } = comparison;
  if (states !== undefined && finding === undefined) {
    counts.agreed += 1;
    counts.states += states;
  }
  for (const kind of ['undecided', 'skipped'] as const) {
    for (const { way, reason } of comparison[kind]) {
      const known = counts[kind].find((gap) => gap.way === way && gap.reason === reason);
      if (known === undefined) counts[kind].push({ way, reason, programs: [name] });
      else known.programs.push(name);
    }
  }
}
