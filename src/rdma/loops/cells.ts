import { divisorsOf, substitute } from './expression.js';
import type { Cell, OpId, Value } from './flow.js';
import type { Domains } from './domains.js';
import { and, differs, set, variable } from './formula.js';
import type { Needs } from './needs.js';
import type { Effect, StateFormula, Variable, VariableId } from './system.js';

/** What a thread computes with, as variables of the system: those of its cells that ever matter. */
export interface Cells {
  /** A value of the thread. `at`: what cells hold that are not set yet. */
  formula(value: Value, at?: ReadonlyMap<Cell, StateFormula>): StateFormula;
  /** Whether it has one: nothing is divided by zero. */
  defined(value: Value, at?: ReadonlyMap<Cell, StateFormula>): StateFormula;
  /** Sets a cell, if its value matters when the thread goes on at `next`. */
  assign(cell: Cell, value: () => StateFormula, next: OpId): readonly Effect[];
  /** Whether anybody asks for the value of a cell there. */
  matters(cell: Cell, next: OpId): boolean;
  /** Sets to 0 what mattered at an operation and does not after it, so that states can meet. */
  forget(op: OpId, next: OpId): readonly Effect[];
}

export function cellsOf(
  { program, flows, live: all, privates }: Needs,
  domains: Domains,
  thread: number,
  declare: (variable: Variable) => VariableId,
): Cells {
  const flow = flows[thread];
  const live = all[thread];
  const { name } = program.threads[thread];
  const ids = new Map<Cell, VariableId>();
  for (const cell of [...new Set(live.flatMap((cells) => [...cells]))].sort((a, b) => a - b)) {
    const location = privates[thread][cell - flow.cells.length];
    const isPrivate = location !== undefined;
    const of = isPrivate ? program.locations[location].name : flow.cells[cell];
    const { least, greatest } = domains.ranges[thread].get(cell) ?? { least: 0, greatest: 0 };
    const initial =
      isPrivate && live[flow.start].has(cell) ? program.locations[location].initial : 0;
    const about = `${of} of ${name}`;
    ids.set(cell, declare({ name: `${name}_${of}`, initial, least, greatest, about }));
  }
  const idOf = (cell: Cell): VariableId => ids.get(cell)!;
  const formula: Cells['formula'] = (value, at) =>
    substitute(value, (cell) => at?.get(cell) ?? variable(idOf(cell)));
  return {
    formula,
    defined: (value, at) => and(...divisorsOf(value).map((d) => differs(formula(d, at), 0))),
    assign: (cell, value, next) => (live[next].has(cell) ? [set(idOf(cell), value())] : []),
    matters: (cell, next) => live[next].has(cell),
    forget: (op, next) =>
      [...live[op]].filter((cell) => !live[next].has(cell)).map((cell) => set(idOf(cell), 0)),
  };
}
