import { prepare } from '../../rdma/prepare.js';
import type { Pool } from '../workers.js';
import { INTERRUPTION } from '../../check/result.js';
import type { Outcomes } from '../../check/result.js';
import { MOST_EVENTS } from '../../check/structure.js';
import { unrollWithin } from '../../program/events/unroll.js';
import type { FinalState } from '../../program/final.js';
import type { Test } from '../../program/program.js';
import { allSubjects } from '../../program/subjects.js';
import type { MethodGroup, AgreeMethod } from './methods.js';

/** Limits for the engines, so that each of them ends. */
export interface MethodLimits {
  /** Overrides the files' loop bounds. */
  readonly bound?: number;
  /** Candidates or states that an engine tries which goes through them one by one. */
  readonly limit: number;
}

/** What lists the final states: usually a pool of worker threads. */
export type Lister = Pick<Pool, 'outcomes'>;

/** Two methods that find different final states, or one that fails. */
export type Discrepancy =
  | {
      readonly kind: 'states';
      readonly ways: readonly [AgreeMethod, AgreeMethod];
      /** The final states that only one of them has, by way. */
      readonly only: readonly [readonly FinalState[], readonly FinalState[]];
    }
  | { readonly kind: 'failure'; readonly way: AgreeMethod; readonly reason: string };

/** The result for one program and one group of methods. */
export interface GroupComparison {
  /** How many final states at least two methods found; undefined if nothing could be compared. */
  readonly states?: number;
  /** Methods without a complete list, and why. */
  readonly undecided: readonly { readonly way: AgreeMethod; readonly reason: string }[];
  /** Methods that cannot treat the program, and why. */
  readonly skipped: readonly { readonly way: AgreeMethod; readonly reason: string }[];
  readonly finding?: Discrepancy;
}

export interface Compared {
  readonly events: number;
  /** By group. */
  readonly comparisons: readonly GroupComparison[];
  readonly interrupted: boolean;
}

/** Compares the final states of a program that the methods of each group find. */
export async function compareMethods(
  test: Test,
  groups: readonly MethodGroup[],
  limits: MethodLimits,
  pool: Lister,
): Promise<Compared> {
  const listed = await Promise.all(
    groups.map(({ ways }) => Promise.all(ways.map((way) => list(test, way, limits, pool)))),
  );
  return {
    events: sizeOf(test, limits),
    comparisons: listed.map(comparisonOf),
    interrupted: listed.flat().some((l) => 'found' in l && l.found.incomplete === INTERRUPTION),
  };
}

type Listed =
  | { readonly way: AgreeMethod; readonly found: Outcomes }
  | { readonly way: AgreeMethod; readonly untranslatable: string };

async function list(
  test: Test,
  way: AgreeMethod,
  { bound, limit }: MethodLimits,
  pool: Lister,
): Promise<Listed> {
  const { engine, model } = way;
  const prepared = prepare(test.program, model, engine);
  if (!prepared.ok) return { way, untranslatable: prepared.errors[0].message };
  const { program } = prepared.value;
  const found = await pool.outcomes({
    kind: 'outcomes',
    counted: false,
    engine,
    models: [model],
    test: { ...test, program },
    subjects: allSubjects(program),
    limit,
    bound,
  });
  return { way, found };
}

function comparisonOf(listed: readonly Listed[]): GroupComparison {
  const results = listed.flatMap((l) => ('found' in l ? [l] : []));
  const complete = results.filter((l) => l.found.incomplete === undefined);
  const finding = failure(results) ?? difference(results);
  return {
    undecided: results.flatMap(({ way, found: { incomplete: reason } }) =>
      reason === undefined ? [] : [{ way, reason }],
    ),
    skipped: listed.flatMap((l) =>
      'found' in l ? [] : [{ way: l.way, reason: l.untranslatable }],
    ),
    states: complete.length > 1 ? complete[0].found.states.length : undefined,
    finding,
  };
}

type ListedStates = Extract<Listed, { found: Outcomes }>;

/** Reasons that are bugs, not limits. Running out of memory is a limit. */
const BUG = /^internal error|engine failed: (?!.*memory)/;

function failure(results: readonly ListedStates[]): Discrepancy | undefined {
  const failed = results.find((r) => BUG.test(r.found.incomplete ?? ''));
  if (failed === undefined) return undefined;
  return { kind: 'failure', way: failed.way, reason: failed.found.incomplete! };
}

/**
 * The first two methods that differ. A list may be incomplete: then the states on it were found, but it says nothing about
 * other states.
 */
function difference(results: readonly ListedStates[]): Discrepancy | undefined {
  for (const [i, a] of results.entries()) {
    for (const b of results.slice(i + 1)) {
      const only = [missing(a, b), missing(b, a)] as const;
      if (only.some((s) => s.length > 0)) return { kind: 'states', ways: [a.way, b.way], only };
    }
  }
  return undefined;
}

/** The final states that one method has found, and that another one certainly has not. */
function missing(
  { found: some }: ListedStates,
  { found: all }: ListedStates,
): readonly FinalState[] {
  if (all.incomplete !== undefined) return [];
  const known = new Set(all.states.map(key));
  return some.states.filter((state) => !known.has(key(state)));
}

const key = (state: FinalState): string => Object.values(state).join();

/** The number of events of a program. For a program that is too large, it is the limit. */
function sizeOf({ program }: Test, { bound }: MethodLimits): number {
  return unrollWithin(MOST_EVENTS, program, bound)?.events.length ?? MOST_EVENTS;
}
