import type { Slot } from '../machine/compute.js';
import type { Layout } from '../machine/layout.js';
import type { Machine, TakenStep } from '../machine/machine.js';
import type { Proposition, RunQuery, RunSubject } from '../program/program.js';
import { collect } from '../program/subjects.js';
import { slotOf } from './asked.js';
import type { Run } from './runs.js';
import { runTo, stepsIn } from './runs.js';
import type { Explored } from './search.js';
import type { Permutation } from './symmetry/permutations.js';

/** Queries that fail where a bad state is reached. */
export type Safety = Extract<RunQuery, { quantifier: 'exclusive' | 'never' | 'assertions' }>;

export const isSafety = (query: RunQuery): query is Safety =>
  query.quantifier !== 'progress' && query.quantifier !== 'deadlock';

/** A state that is bad for a query, or the one before a step with which an assertion fails; -1: before the first state. */
export interface Bad {
  readonly state: number;
  readonly fails: boolean;
}

/** The first bad state for each of some queries, as an exploration comes to them. */
export class BadStates {
  readonly found: (Bad | undefined)[];
  private readonly tests: readonly ((s: Int32Array) => boolean)[];

  constructor(
    machine: Machine,
    private readonly queries: readonly Safety[],
  ) {
    this.tests = queries.map((query) => badState(query, machine));
    this.found = queries.map(() => undefined);
  }

  see(s: Int32Array, state: number): void {
    for (const [i, isBad] of this.tests.entries()) {
      if (this.found[i] === undefined && isBad(s)) this.found[i] = { state, fails: false };
    }
  }

  seeFailure(state: number): void {
    for (const [i, { quantifier }] of this.queries.entries()) {
      if (quantifier === 'assertions') this.found[i] ??= { state, fails: true };
    }
  }
}

/** What tells that a state is bad for a query. */
export function badState(query: Safety, machine: Machine): (s: Int32Array) => boolean {
  switch (query.quantifier) {
    case 'exclusive': {
      const inside = insideOf(query, machine);
      return (s) => {
        let count = 0;
        for (const { t, places } of inside) count += places[machine.controlOf(s, t).place];
        return count > 1;
      };
    }
    case 'never':
      return (s) => holdsIn(query.condition, machine, s);
    case 'assertions':
      return () => false;
  }
}

/** The threads of a query, each with the places where it is inside of the block. */
export function insideOf(
  { threads, section }: Extract<Safety, { quantifier: 'exclusive' }>,
  { layout }: Machine,
): readonly { readonly t: number; readonly places: Uint8Array }[] {
  const { flows } = layout.calls;
  return threads.map((t) => {
    const { steps, sections } = flows[t];
    const places = new Uint8Array(steps.length + 1);
    for (const { name, start, end } of sections) {
      if (name === section) places.fill(1, start, end + 1);
    }
    return { t, places };
  });
}

function holdsIn(p: Proposition<RunSubject>, machine: Machine, s: Int32Array): boolean {
  const value = (subject: RunSubject): number => s[slotOf(machine.layout, subject)];
  switch (p.kind) {
    case 'true':
      return true;
    case 'atom':
      return (
        (value(p.left) === (p.right.kind === 'int' ? p.right.value : value(p.right))) === p.equal
      );
    case 'not':
      return !holdsIn(p.arg, machine, s);
    case 'and':
      return holdsIn(p.left, machine, s) && holdsIn(p.right, machine, s);
    case 'or':
      return holdsIn(p.left, machine, s) || holdsIn(p.right, machine, s);
  }
}

/** What queries ask about in all states. */
export function subjectsOfRuns(queries: readonly RunQuery[]): readonly RunSubject[] {
  const found: RunSubject[] = [];
  for (const query of queries) {
    if (query.quantifier === 'never') collect(query.condition, found);
  }
  return found;
}

/** A run to a bad state. */
export function badRun(explored: Explored, { state, fails }: Bad): Run {
  const run = runTo(explored, state);
  if (!fails || state < 0) return run;
  const last = explored.steps(state, (_to, _actor, failed) => failed);
  return { ...run, moves: [...run.moves, last] };
}

/**
 * A run to a bad state up to the step that is the last straw. What is done at once with that step is of no interest; that a state is
 * bad for `never` may be due to any of it.
 */
export function untilBad(query: Safety, run: Run): readonly TakenStep[] {
  const all = stepsIn(run);
  const isLast = (step: TakenStep): boolean => {
    if (query.quantifier === 'assertions') return step.kind === 'assertion';
    if (query.quantifier !== 'exclusive' || step.kind !== 'pass') return false;
    return step.mark === query.section && query.threads.includes(step.thread);
  };
  const last =
    query.quantifier === 'assertions' ? all.findIndex(isLast) : all.findLastIndex(isLast);
  return last < 0 ? all : all.slice(0, last + 1);
}

/**
 * Is a question the same if threads change places?
 *
 * @param stays whether the values of something do
 */
function isSameSafety(
  query: Safety,
  { threads }: Permutation,
  stays: (subject: RunSubject) => boolean,
): boolean {
  switch (query.quantifier) {
    case 'exclusive':
      return query.threads.every((t) => query.threads.includes(threads[t]));
    case 'never':
      return subjectsOfRuns([query]).every(stays);
    case 'assertions':
      return true;
  }
}

/** Are questions the same if threads change places? What holds an identity becomes another. */
export const isSameFor = (
  layout: Layout,
  queries: readonly Safety[],
  p: Permutation,
  holdsIdentities: (slot: Slot) => boolean,
): boolean =>
  queries.every((query) =>
    isSameSafety(query, p, (subject) => {
      const slot = slotOf(layout, subject);
      return p.slots[slot] === slot && !holdsIdentities(slot);
    }),
  );
