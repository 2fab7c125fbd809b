import { binary, int } from './expression.js';
import type { Flow, OpId } from './flow.js';
import { FALSE, and, atLeast, below, equals, not, or, plus, set, variable } from './formula.js';
import { mostOf } from './graph.js';
import type { Effect, StateFormula, Variable, VariableId } from './system.js';

/**
 * The counters of one queue pair: how many NIC writes there are to be polled (decidability paper,
 * §6.3 and App. D.1). A poll takes the oldest, so it is enough to count those before the first that
 * forces its poll into the second part of the run, and those from there on.
 *
 * The paper's counters have no bound. Here, a counter need not go beyond the number of polls that
 * are still to come, and where that number is known, nothing is lost. Where polls are in a loop, it
 * is not, and one of two things is done.
 */
export interface Counters {
  readonly bound: number;
  /**
   * Widened: a counter at the bound stays there for good and stands for any number from there on,
   * which allows too much. Else a run that would count beyond the bound is cut, which allows too
   * little.
   */
  readonly widened: boolean;
}

export interface Counting {
  /** Counts a write. `forces`: it forces its poll into the second part; `late`: all is there now. */
  write(op: OpId, late: StateFormula, forces: StateFormula): readonly Effect[];
  /** A poll can take a write that does not force it into the second part. */
  readonly canTakeFree: StateFormula;
  /** It can take some write. */
  readonly canTake: StateFormula;
  /** It does; in the second part, after `merge`. */
  take(): readonly Effect[];
  /** From now on all events are in the second part, and no difference is made between writes. */
  merge(): readonly Effect[];
  /** A write after which a thread goes on at `next` would be beyond the bound. */
  full(next: OpId): StateFormula;
  readonly starved: StateFormula;
  clear(): readonly Effect[];
}

/** @param name a prefix of the names of variables */
export function countingOf(
  flow: Flow,
  node: string,
  name: string,
  { bound, widened }: Counters,
  declare: (variable: Variable) => VariableId,
): Counting {
  const most = mostOf(flow, (op) => op.kind === 'poll' && op.node === node);
  const endless = most.includes(Infinity);
  /** What is counted up to where a thread goes on at an operation. */
  const limits = most.map((n) => (n > 0 && endless && (widened || n === Infinity) ? bound : n));
  const greatest = Math.max(...limits);

  const forcedId = declare({
    name: `${name}_forced`,
    initial: 0,
    least: 0,
    greatest: 1,
    about: `towards ${node}: some write has forced its poll into the second part`,
  });
  const counter = (of: string, greatest: number, about: string): VariableId =>
    declare({
      name: `${name}_${of}`,
      initial: 0,
      least: 0,
      greatest,
      about: `towards ${node}: writes to be polled, ${about}`,
    });
  const freeId = counter('free', 2 * greatest, 'before one that forces its poll');
  const restId = counter('rest', greatest, 'from the first that forces its poll');
  const [free, rest, forced] = [freeId, restId, forcedId].map(variable);
  const all = plus(free, rest);

  const less = (value: StateFormula): StateFormula =>
    binary('-', value, endless && widened ? below(value, bound) : int(1));
  const merge = (): readonly Effect[] => [
    set(freeId, endless && widened ? atMost(all, bound) : all),
    set(restId, 0),
    set(forcedId, 0),
  ];

  return {
    write(op, late, forces) {
      const write = flow.ops[op];
      const limit = write.kind === 'write' ? limits[write.next] : 0;
      if (limit === 0) return [];
      const isForced = and(not(late), or(forced, forces));
      return [
        set(restId, plus(rest, and(isForced, below(rest, limit)))),
        set(freeId, plus(free, and(not(isForced), below(free, limit)))),
        set(forcedId, isForced),
      ];
    },
    canTakeFree: atLeast(free, 1),
    canTake: atLeast(all, 1),
    take: () => [set(freeId, less(free))],
    merge,
    full: (next) => (widened || most[next] !== Infinity ? FALSE : atLeast(all, bound)),
    starved: equals(all, 0),
    clear: () => [freeId, restId, forcedId].map((id) => set(id, 0)),
  };
}

/** The lesser of a value and a number. */
function atMost(value: StateFormula, most: number): StateFormula {
  const above = binary('>', value, int(most));
  return binary('-', value, binary('*', above, binary('-', value, int(most))));
}
