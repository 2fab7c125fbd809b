import { binary, int } from '../../program/expression.js';
import type { Flow, OpId } from './flow.js';
import { queuePairOf } from './flow.js';
import {
  FALSE_FORMULA,
  and,
  atLeast,
  below,
  equals,
  not,
  or,
  sumOf,
} from '../../program/formula.js';
import { assignment, variable } from './formula.js';
import { mostOf } from './graph.js';
import type { Effect, StateFormula, Variable, VariableId } from './system.js';

/**
 * The counters of one queue pair: how many NIC writes are left to be polled (decidability paper, §6.3 and
 * App. D.1). A poll takes the oldest of them. Some writes force their poll into the second part of the run. So there are
 * two counters: one for the writes before the first of these, and one for the writes from it on.
 *
 * The counters of the paper have no bound. Here, a counter never exceeds the number of polls that are still to come.
 * That changes nothing where the number is known. Where polls are in a loop, it is not known, and the counters get a
 * bound in one of two ways.
 */
export interface Counters {
  readonly bound: number;
  /**
   * True: a counter that has reached the bound stays there, and stands for all greater numbers, too. This allows runs
   * that do not exist. False: a run that would count beyond the bound is given up. This leaves out runs that exist.
   */
  readonly widened: boolean;
}

export interface Counting {
  /** Counts a write. `forces`: it forces its poll into the second part. `late`: all further events are there anyway. */
  write(op: OpId, late: StateFormula, forces: StateFormula): readonly Effect[];
  /** A poll can take a write that does not force it into the second part. */
  readonly canTakeFree: StateFormula;
  /** A poll can take some write. */
  readonly canTake: StateFormula;
  /** A poll takes the oldest write. In the second part, this comes after `merge`. */
  take(): readonly Effect[];
  /** From now on all events are in the second part, so that both counters become one. */
  merge(): readonly Effect[];
  /** Would a write exceed the bound, after which the thread goes on at `next`? */
  full(next: OpId): StateFormula;
  /** A poll has nothing to poll. */
  readonly starved: StateFormula;
  clear(): readonly Effect[];
}

/** @param name a prefix of the names of variables */
export function countingOf(
  flow: Flow,
  queuePair: string,
  name: string,
  { bound, widened }: Counters,
  declare: (variable: Variable) => VariableId,
): Counting {
  const most = mostOf(flow, (op) => op.kind === 'poll' && queuePairOf(op) === queuePair);
  const endless = most.includes(Infinity);
  /** For each operation: how far to count when the thread goes on there. */
  const limits = most.map((n) => (n > 0 && endless && (widened || n === Infinity) ? bound : n));
  const greatest = Math.max(...limits);

  const count = (of: string, greatest: number, what: string): VariableId => {
    const about = `towards ${queuePair}: ${what}`;
    return declare({ name: `${name}_${of}`, initial: 0, least: 0, greatest, about });
  };
  const forcedId = count('forced', 1, 'some write has forced its poll into the second part');
  const toPoll = 'writes to be polled';
  const freeId = count('free', 2 * greatest, `${toPoll}, before one that forces its poll`);
  const restId = count('rest', greatest, `${toPoll}, from the first that forces its poll`);
  const [free, rest, forced] = [freeId, restId, forcedId].map(variable);
  const all = sumOf(free, rest);

  const less = (value: StateFormula): StateFormula =>
    binary('-', value, endless && widened ? below(value, bound) : int(1));
  const merge = (): readonly Effect[] => [
    assignment(freeId, endless && widened ? atMost(all, bound) : all),
    assignment(restId, 0),
    assignment(forcedId, 0),
  ];

  return {
    write(op, late, forces) {
      const write = flow.ops[op];
      const limit = write.kind === 'write' ? limits[write.next] : 0;
      if (limit === 0) return [];
      const isForced = and(not(late), or(forced, forces));
      return [
        assignment(restId, sumOf(rest, and(isForced, below(rest, limit)))),
        assignment(freeId, sumOf(free, and(not(isForced), below(free, limit)))),
        assignment(forcedId, isForced),
      ];
    },
    canTakeFree: atLeast(free, 1),
    canTake: atLeast(all, 1),
    take: () => [assignment(freeId, less(free))],
    merge,
    full: (next) => (widened || most[next] !== Infinity ? FALSE_FORMULA : atLeast(all, bound)),
    starved: equals(all, 0),
    clear: () => [freeId, restId, forcedId].map((id) => assignment(id, 0)),
  };
}

/** The lesser of a value and a number. */
function atMost(value: StateFormula, most: number): StateFormula {
  const above = binary('>', value, int(most));
  return binary('-', value, binary('*', above, binary('-', value, int(most))));
}
