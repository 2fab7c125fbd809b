import { decide } from '../../check/decide.js';
import { openSession } from '../../check/session.js';
import type { Answer } from '../../check/result.js';
import { termNames } from '../../model/print.js';
import { printInstruction } from '../../program/print.js';
import type { Program, Test } from '../../program/program.js';
import type { Circumstances } from '../circumstances.js';
import type { Costs } from '../../rdma/additions.js';
import { obstacleEntries } from './obstacle-entries.js';
import type { PrintedRepair } from './print.js';
import { printRepair } from './print.js';
import { obstacleInstructions } from './obstacle-instructions.js';
import type { Acceptance, Goal } from './goal.js';
import type { Badness } from './solved.js';
import { trySolving } from './solved.js';
import { repairOrTest } from './tested.js';
import type { Open } from './usefulness.js';
import { placeKey, stateQuery } from '../../program/program.js';

/** A query whose answer is to be changed. */
export interface FixInput {
  /** The test, its program as it is for the model. */
  readonly test: Test;
  /** Index of the query. */
  readonly query: number;
  readonly costs: Costs;
}

/** What would change the answer to a query, verified. */
export type Fix =
  /** The outcome is allowed (for `forall`: there is a counterexample): the cheapest changes that rule it out. */
  | { readonly kind: 'additions'; readonly model: string; readonly repair: PrintedRepair }
  /** It is ruled out: what keeps it so, one thing at a time. */
  | {
      readonly kind: 'obstacles';
      readonly model: string;
      /** Fences, polls and waits without which it is possible. */
      readonly instructions: readonly {
        readonly thread: string;
        readonly text: string;
        /** Its lines of C, if they are asked for. */
        readonly lines?: string;
      }[];
      /** Entries of the model's tables; those that have to go together in one list. */
      readonly entries: readonly (readonly RepairEntry[])[];
      /** Whether there was time to try all instructions and entries. */
      readonly finished: boolean;
    }
  /** There is nothing to change: what is asked of runs holds. */
  | { readonly kind: 'right'; readonly model: string }
  /** There is no answer to change. */
  | { readonly kind: 'undecided'; readonly model: string; readonly reason: string };

/** An entry of a table of the model, as cat text. */
export interface RepairEntry {
  readonly table: string;
  readonly text: string;
}

/**
 * What would change the answer to a query under a model. Each suggestion has been tried: additions on the program
 * that has them, obstacles by taking them away.
 *
 * Runs in a worker: `pool.analyse` with the analysis `fix` and one model.
 */
export function fix({ test, query, costs }: FixInput, circumstances: Circumstances): Fix {
  const { newSolver, acyclicity, bound, deadline } = circumstances;
  const [model] = circumstances.models;
  const options = { acyclicity, bound };
  const { condition, quantifier } = stateQuery(test, query);
  const answer = (program: Program): DecidedQuery => {
    let found: DecidedQuery = { verdict: 'unknown' };
    const ask = { ...options, queries: [query] };
    decide({ ...test, program }, model, newSolver, ask, (a) => (found = a));
    return found;
  };
  const badness: Badness = {
    model,
    bad: ({ encoding }) => {
      const lit = encoding.condition(condition);
      return quantifier === 'forall' ? -lit : lit;
    },
  };
  const goal: Goal = {
    model,
    try: (offer) => trySolving(offer, badness, newSolver, options),
    accept: (program) => acceptance(answer(program)),
  };

  const head = { model: model.name };
  const { verdict, reason } = answer(test.program);
  switch (verdict) {
    case 'allowed':
    case 'fails': {
      const open: Open = (program) => openSession(program, model, newSolver, options);
      const { repaired, ...besides } = repairOrTest(test.program, goal, { costs, deadline }, open);
      return { kind: 'additions', ...head, repair: printRepair(test, repaired, besides) };
    }
    case 'forbidden':
    case 'holds': {
      const { threads } = test.program;
      const limits = { ...options, deadline };
      const ordering = obstacleInstructions(test.program, badness, newSolver, limits);
      const instructions = ordering.obstacles.map((o) => ({
        thread: threads[o.thread].name,
        text: printInstruction(test.program, threads[o.thread], o.instruction),
        lines: threads[o.thread].lines?.[placeKey(o.instruction.span)],
      }));
      const names = termNames(model);
      const { cells, ...tables } = obstacleEntries(test.program, badness, newSolver, limits);
      const finished = ordering.finished && tables.finished;
      const entries = cells.map((together) =>
        distinct(together.map(({ table, term }) => ({ table, text: names.body(term) }))),
      );
      return { kind: 'obstacles', ...head, instructions, entries, finished };
    }
    case 'vacuous':
    case 'unknown':
      return { kind: 'undecided', ...head, reason: reason ?? verdict };
  }
}

/** A table that is defined in steps has an entry in each of them. */
function distinct(entries: readonly RepairEntry[]): readonly RepairEntry[] {
  return entries.filter(
    ({ table, text }, i) => i === entries.findIndex((e) => e.table === table && e.text === text),
  );
}

type DecidedQuery = Pick<Answer, 'verdict' | 'reason' | 'upTo'>;

function acceptance({ verdict, reason, upTo }: DecidedQuery): Acceptance {
  switch (verdict) {
    case 'forbidden':
    case 'holds':
      return { kind: 'met', upTo };
    case 'allowed':
    case 'fails':
      return { kind: 'missed' };
    case 'vacuous':
      return { kind: 'vacuous' };
    case 'unknown':
      return { kind: 'unknown', reason: reason ?? 'undecided' };
  }
}
