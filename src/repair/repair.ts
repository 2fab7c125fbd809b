import type { Session } from '../check/session.js';
import { openSession } from '../check/session.js';
import type { SessionOptions } from '../check/session.js';
import type { Lit } from '../encode/formula.js';
import type { Model } from '../model/term.js';
import type { Instruction, Program } from '../program/program.js';
import type { SolverFactory } from '../solve/solver.js';
import type { Addition, AdditionKind, Additions, Costs } from './additions.js';
import { ADDITION_KINDS, additionsOf, insert } from './additions.js';
import { blockingPolls } from './blocking.js';
import type { Choice } from './chooser.js';
import { createChooser } from './chooser.js';
import { presence, withOptional } from './optional.js';

/** What a repair is to achieve. */
export interface Goal {
  /** The model whose executions must not be bad. */
  readonly model: Model;
  /** What is bad about an execution, in the words of the encoding; without it, that there is one. */
  readonly bad?: (session: Session) => Lit;
  /** Whether a program is as it should be, found out independently of the search. */
  readonly accept: (program: Program) => Acceptance;
}

/**
 * - `met`: the program is as it should be; with `upTo`, in runs with at most so many iterations of each loop
 * - `missed`: it is not, and some run within the loop bound shows it
 * - `beyond`: it is not, and only runs beyond the loop bound show it
 * - `vacuous`: it has no execution at all any more, as after a poll too many
 */
export type Acceptance =
  | { readonly kind: 'met'; readonly upTo?: number }
  | { readonly kind: 'missed' | 'beyond' | 'vacuous' }
  | { readonly kind: 'unknown'; readonly reason: string };

export type Repair =
  | {
      readonly kind: 'found';
      readonly cost: number;
      readonly additions: readonly Addition[];
      readonly program: Program;
      readonly added: ReadonlySet<Instruction>;
      /** It is as it should be in runs with at most so many iterations of each loop. */
      readonly upTo?: number;
    }
  /** No set of additions helps. */
  | { readonly kind: 'none' }
  /** `beyond`: more iterations of loops have to be looked at. */
  | { readonly kind: 'unknown'; readonly reason: string; readonly beyond?: true };

const NONE = { kind: 'none' } as const;

/** Sets of additions with which nothing is known, such as loops that then run on, before giving up. */
const DOUBTS = 10;

export interface RepairOptions extends SessionOptions {
  readonly costs: Costs;
  /** When to give up, as `performance.now()` counts. */
  readonly deadline: number;
}

/**
 * The cheapest additions that make a program as it should be; none if it is so already.
 *
 * Counterexample-guided: the cheapest additions that what is known does not rule out are tried on a
 * program in which all are optional. If something bad can still happen, as many others are added
 * as can be while it can: one that is not among them is needed. What is found is checked on the
 * program itself. Additions after which some poll might have nothing to poll are no repair: a
 * thread that never goes on does nothing wrong.
 *
 * That the result is the cheapest rests on additions never making anything possible that was not
 * before. This holds for the shipped models; for a model in which it does not, the result
 * is still right, but might not be the cheapest.
 */
export function repair(
  program: Program,
  goal: Goal,
  newSolver: SolverFactory,
  options: RepairOptions,
): Repair {
  const { costs } = options;
  const kinds = [...ADDITION_KINDS].sort((a, b) => costs[a] - costs[b]);
  let result: Exclude<Repair, { kind: 'unknown' }> = NONE;
  // Dear additions make the program larger: they come in only where they could pay.
  for (let n = 1; n <= kinds.length; n++) {
    if (result.kind === 'found' && result.cost <= costs[kinds[n - 1]]) break;
    const found = repairWith(program, new Set(kinds.slice(0, n)), goal, newSolver, options);
    if (found.kind === 'unknown') return found;
    if (found.kind === 'found' && (result.kind === 'none' || found.cost < result.cost)) {
      result = found;
    }
  }
  return result;
}

function repairWith(
  program: Program,
  kinds: ReadonlySet<AdditionKind>,
  goal: Goal,
  newSolver: SolverFactory,
  options: RepairOptions,
): Repair {
  const completion = goal.model.bases.includes('wf') ? 'wait' : 'poll';
  const possible = thatLeaveEnough(additionsOf(program, kinds, completion));
  const optional = withOptional(possible.program, possible.additions);
  const session = openSession(optional, goal.model, newSolver, options);
  if ('reason' in session) return { kind: 'unknown', reason: session.reason };
  try {
    return search(possible, session, goal, options);
  } finally {
    session.solver.dispose();
  }
}

/** Without additions after which some poll has nothing to poll, whatever else is added. */
function thatLeaveEnough({ program, additions }: Additions): Additions {
  const waiting = blockingPolls(program);
  const places: (number | undefined)[] = [];
  const kept: Addition[] = [];
  for (const addition of additions) {
    const { after, ...rest } = addition;
    const before = after === undefined ? undefined : places[after];
    const blocked = blocks(insert(program, [addition]).program, waiting);
    if (blocked || (after !== undefined && before === undefined)) places.push(undefined);
    else places.push(kept.push(before === undefined ? rest : { ...rest, after: before }) - 1);
  }
  return { program, additions: kept };
}

/** Does a poll have nothing to poll that is not among those of which this is known? */
const blocks = (program: Program, known: ReadonlySet<Instruction>): boolean =>
  [...blockingPolls(program)].some((poll) => !known.has(poll));

function search(
  { program, additions }: Additions,
  session: Session,
  { bad, accept }: Goal,
  { costs, deadline }: RepairOptions,
): Repair {
  const literals = presence(session, additions);
  const waiting = blockingPolls(program);
  const usable = additions.flatMap((_, i) => (literals[i] === undefined ? [] : [i]));
  const badness = bad === undefined ? [] : [bad(session)];
  const chooser = createChooser(
    additions.map((a) => costs[a.kind]),
    additions.map((a) => a.after),
  );
  const assume = (chosen: ReadonlySet<number>): Lit[] =>
    usable.map((i) => (chosen.has(i) ? literals[i]! : -literals[i]!));

  /** How often each addition was among those of which one is needed. */
  const needs = additions.map(() => 0);
  let doubts = 0;
  let doubt: string | undefined;
  for (;;) {
    const choice = chooser.next();
    if (choice === undefined)
      return doubt === undefined ? NONE : { kind: 'unknown', reason: doubt };
    if (performance.now() > deadline) {
      return { kind: 'unknown', reason: 'the time limit was reached while searching for a repair' };
    }
    // More additions take no completion less: what blocks is not to be part of any choice.
    const block = (some: Choice): boolean => blocks(insertChosen(some).program, waiting);
    if (block(choice)) {
      chooser.forbids(
        choice.reduce((some, i) => {
          const others = some.filter((j) => j !== i);
          return block(others) ? others : some;
        }, choice),
      );
      continue;
    }
    const chosen = new Set(choice);
    const still = session.ask(...badness, ...assume(chosen));
    if (still === 'unknown') return { kind: 'unknown', reason: 'the solver gave up' };
    if (still === 'found') {
      const all = grow(chosen);
      const needed = usable.filter((i) => !all.has(i));
      if (needed.length === 0) return NONE;
      chooser.needs(needed);
      continue;
    }
    const repaired = insertChosen(choice);
    const accepted = accept(repaired.program);
    switch (accepted.kind) {
      case 'met': {
        const cost = choice.reduce((sum, i) => sum + costs[additions[i].kind], 0);
        const { upTo } = accepted;
        const within = upTo === undefined ? {} : { upTo };
        const made = choice.map((i) => additions[i]);
        return { kind: 'found', cost, additions: made, ...repaired, ...within };
      }
      case 'unknown':
        doubt = accepted.reason;
        doubts += 1;
        if (doubts === DOUBTS) return { kind: 'unknown', reason: doubt };
        chooser.excludes(choice);
        break;
      case 'beyond': {
        const reason = 'what is left to repair happens beyond the loop bound only';
        return { kind: 'unknown', reason, beyond: true };
      }
      case 'vacuous':
        chooser.excludes(choice);
        break;
      case 'missed':
        throw new Error(
          'a repair of the program with optional additions does not repair the program',
        );
    }
  }

  function insertChosen(choice: Choice) {
    const { program: repaired, added } = insert(
      program,
      choice.map((i) => additions[i]),
    );
    return { program: repaired, added };
  }

  /** More additions, as many as can be while the bad thing can still happen. */
  function grow(chosen: ReadonlySet<number>): ReadonlySet<number> {
    const all = new Set(chosen);
    const others = usable.filter((i) => !all.has(i));
    // Those that have never been needed are likely to go in all at once.
    others.sort((a, b) => needs[a] - needs[b]);
    const extend = (some: readonly number[]): void => {
      const more = some.filter((i) => !all.has(i));
      if (more.length === 0 || performance.now() > deadline) return;
      if (session.ask(...badness, ...[...all, ...more].map((i) => literals[i]!)) === 'found') {
        // Others that are there in the solution are welcome, too.
        for (const i of others) if (isTrue(literals[i]!)) all.add(i);
      } else if (more.length > 1) {
        const half = Math.ceil(more.length / 2);
        extend(more.slice(0, half));
        extend(more.slice(half));
      }
    };
    extend(others.filter((i) => needs[i] === 0));
    extend(others);
    for (const i of others) if (!all.has(i)) needs[i] += 1;
    return all;
  }

  function isTrue(lit: Lit): boolean {
    const asked = session.encoding.formula.assumption(lit);
    return session.solver.value(Math.abs(asked)) === asked > 0;
  }
}
