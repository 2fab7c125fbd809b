import type { Program, Proposition, RunQuery, RunSubject } from '../../program/program.js';
import { collect } from '../../program/subjects.js';
import type { Found, RunLimits } from './answer.js';
import { DEFAULT_ROOM, inLines, limitsOf, restsOn, runTo, sizeOf } from './answer.js';
import { lookedAt, slotOf } from './finals.js';
import { follow } from './follow.js';
import type { Hardware } from './hardware.js';
import type { Layout } from './layout.js';
import { layoutOf } from './layout.js';
import type { Machine } from './machine.js';
import type { Permutation } from './permutations.js';
import type { Explored } from './search.js';
import { explore } from './search.js';
import type { Step } from './step.js';

/** Queries that fail where a bad state is reached. */
export type Safety = Extract<RunQuery, { quantifier: 'exclusive' | 'never' | 'assertions' }>;

export const isSafety = (query: RunQuery): query is Safety =>
  query.quantifier !== 'progress' && query.quantifier !== 'deadlock';

/** A state that is bad for a query, or the one before a step with which an assertion fails. */
interface Bad {
  readonly state: number;
  readonly fails: boolean;
}

/** An exploration, and the first bad state that it came to for each of some queries. */
interface Searched {
  readonly layout: Layout;
  readonly explored: Explored;
  readonly bad: readonly (Bad | undefined)[];
}

/** @param isDone whether to end, after a bad state was found */
function searchBad(
  program: Program,
  hardware: Hardware,
  queries: readonly Safety[],
  limits: RunLimits,
  isDone: (bad: Searched['bad']) => boolean,
): Searched {
  const layout = layoutFor(program, hardware, queries, limits);
  const tests = queries.map((query) => badState(query, layout));
  const bad: (Bad | undefined)[] = queries.map(() => undefined);
  const explored = explore(
    layout,
    {
      state(s, state) {
        for (const [i, isBad] of tests.entries())
          if (bad[i] === undefined && isBad(s)) bad[i] = { state, fails: false };
        return isDone(bad);
      },
      failed(state) {
        for (const [i, { quantifier }] of queries.entries()) {
          if (quantifier === 'assertions') bad[i] ??= { state, fails: true };
        }
        return isDone(bad);
      },
      progress: limits.progress,
      isSame: (p, holdsIdentities) =>
        queries.every((query) =>
          isSame(query, p, (subject) => {
            const slot = slotOf(layout, subject);
            return p.slots[slot] === slot && !holdsIdentities(slot);
          }),
        ),
    },
    false,
    limitsOf(limits),
  );
  return { layout, explored, bad };
}

const layoutFor = (
  program: Program,
  hardware: Hardware,
  queries: readonly Safety[],
  { room = DEFAULT_ROOM, reduce }: RunLimits,
): Layout =>
  layoutOf(program, hardware, {
    ...{ room, resting: false, always: true, waits: [], reduce },
    ...lookedAt(queries.flatMap(subjectsOf).flatMap((s) => (s.kind === 'ghost' ? [] : [s]))),
  });

export function decideSafety(
  program: Program,
  hardware: Hardware,
  queries: readonly Safety[],
  limits: RunLimits,
): readonly Found[] {
  const { layout, explored, bad } = searchBad(program, hardware, queries, limits, (found) =>
    found.every((b) => b !== undefined),
  );
  const about = restsOn(explored, limits.room ?? DEFAULT_ROOM);
  return bad.map((one, i): Found => {
    if (one !== undefined) {
      const steps = endOf(queries[i], badRun(explored, one));
      return { verdict: 'fails', ...inLines(layout, steps), ...sizeOf(explored) };
    }
    const { incomplete } = explored;
    if (incomplete !== undefined) return { verdict: 'unknown', reason: incomplete };
    return { verdict: 'holds', ...about };
  });
}

/** Whose steps a run takes, one after the other, as numbers of actors. */
export type Way = readonly number[];

/**
 * Can some state be bad for one of the queries? Ends at the first one.
 *
 * @returns a shortest way there; or why not all states could be reached
 */
export function findBad(
  program: Program,
  hardware: Hardware,
  queries: readonly Safety[],
  limits: RunLimits,
):
  | { readonly kind: 'found'; readonly way: Way }
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown'; readonly reason: string } {
  const isAny = (bad: Searched['bad']): boolean => bad.some((b) => b !== undefined);
  const { explored, bad } = searchBad(program, hardware, queries, limits, isAny);
  const first = bad.find((b) => b !== undefined);
  if (first !== undefined) return { kind: 'found', way: actorsTo(explored, first) };
  const { incomplete: reason } = explored;
  return reason === undefined ? { kind: 'none' } : { kind: 'unknown', reason };
}

function actorsTo(explored: Explored, { state, fails }: Bad): Way {
  const way: number[] = [];
  const note = (from: number, is: (to: number, failed: boolean) => boolean): void => {
    explored.steps(from, (to, actor, failed) => {
      const found = is(to, failed);
      if (found) way.push(actor);
      return found;
    });
  };
  const states = explored.wayTo(state);
  states.slice(1).forEach((next, i) => note(states[i], (to) => to === next));
  if (fails && state >= 0) note(state, (_, failed) => failed);
  return way;
}

/** Looks for a way to a bad state near one that another program has, with the same threads and queue pairs: see `follow`. */
export function findNear(
  way: Way,
  program: Program,
  hardware: Hardware,
  queries: readonly Safety[],
  limits: RunLimits,
): Way | undefined {
  const layout = layoutFor(program, hardware, queries, limits);
  const tests = queries.map((query) => badState(query, layout));
  const asserted = queries.some(({ quantifier }) => quantifier === 'assertions');
  const isBad = ({ s, failed }: Machine): boolean =>
    (asserted && failed) || tests.some((isBad) => isBad(s));
  return follow(layout, way, isBad);
}

/** Is a question the same if threads change places? `stays`: whether the values of something do. */
function isSame(
  query: Safety,
  { threads }: Permutation,
  stays: (subject: RunSubject) => boolean,
): boolean {
  switch (query.quantifier) {
    case 'exclusive':
      return query.threads.every((t) => query.threads.includes(threads[t]));
    case 'never':
      return subjectsOf(query).every(stays);
    case 'assertions':
      return true;
  }
}

/** What tells that a state is bad for a query. */
function badState(query: Safety, layout: Layout): (s: Int32Array) => boolean {
  switch (query.quantifier) {
    case 'exclusive': {
      const inside = query.threads.map((t) => {
        const { ops, sections } = layout.codes[t];
        const places = new Uint8Array(ops.length + 1);
        for (const { name, start, end } of sections) {
          if (name === query.section) places.fill(1, start, end + 1);
        }
        return { t, places };
      });
      return (s) => {
        let count = 0;
        for (const { t, places } of inside) count += places[s[t]];
        return count > 1;
      };
    }
    case 'never':
      return (s) => holdsIn(query.condition, layout, s);
    case 'assertions':
      return () => false;
  }
}

function holdsIn(p: Proposition<RunSubject>, layout: Layout, s: Int32Array): boolean {
  const value = (subject: RunSubject): number => s[slotOf(layout, subject)];
  switch (p.kind) {
    case 'true':
      return true;
    case 'atom':
      return (
        (value(p.left) === (p.right.kind === 'int' ? p.right.value : value(p.right))) === p.equal
      );
    case 'not':
      return !holdsIn(p.arg, layout, s);
    case 'and':
      return holdsIn(p.left, layout, s) && holdsIn(p.right, layout, s);
    case 'or':
      return holdsIn(p.left, layout, s) || holdsIn(p.right, layout, s);
  }
}

function subjectsOf(query: Safety): readonly RunSubject[] {
  const found: RunSubject[] = [];
  if (query.quantifier === 'never') collect(query.condition, found);
  return found;
}

function badRun(explored: Explored, { state, fails }: Bad): readonly Step[] {
  const run = runTo(explored, state);
  if (!fails || state < 0) return run;
  return [...run, ...explored.steps(state, (_to, _actor, failed) => failed)];
}

/**
 * A run up to the step that is the last straw. What is done at once with that step is of no interest; that a state is
 * bad for `never` may be due to any of it.
 */
function endOf(query: Safety, run: readonly Step[]): readonly Step[] {
  const isLast = (step: Step): boolean => {
    if (query.quantifier === 'assertions') return step.kind === 'assertion';
    if (query.quantifier !== 'exclusive' || step.kind !== 'pass') return false;
    return step.mark === query.section && query.threads.includes(step.thread);
  };
  const last =
    query.quantifier === 'assertions' ? run.findIndex(isLast) : run.findLastIndex(isLast);
  return last < 0 ? run : run.slice(0, last + 1);
}
