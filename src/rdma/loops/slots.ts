import { divisorsOf, substitute } from '../../program/expression.js';
import type { FlowSlot, OpId, SlotValue } from './flow.js';
import type { Domains } from './domains.js';
import { and, differs } from '../../program/formula.js';
import { assignment, variable } from './formula.js';
import type { Needs } from './needs.js';
import type { Effect, StateFormula, Variable, VariableId } from './system.js';

/** The slots of a thread as variables of the system. Slots whose value never matters have no variable. */
export interface Slots {
  /** A value of the thread as a formula. `at` has the values of slots that are about to be set. */
  formula(value: SlotValue, at?: ReadonlyMap<FlowSlot, StateFormula>): StateFormula;
  /** Whether the value is defined: nothing is divided by zero. */
  defined(value: SlotValue, at?: ReadonlyMap<FlowSlot, StateFormula>): StateFormula;
  /** Sets a slot, if its value matters when the thread goes on at `next`. */
  assign(slot: FlowSlot, value: () => StateFormula, next: OpId): readonly Effect[];
  /** Whether the value of a slot matters when the thread goes on at `next`. */
  matters(slot: FlowSlot, next: OpId): boolean;
  /** Sets slots to 0 that mattered at an operation and do not matter after it, so that there are fewer states. */
  forget(op: OpId, next: OpId): readonly Effect[];
}

export function slotsOf(
  { program, flows, live: all, privates }: Needs,
  domains: Domains,
  thread: number,
  declare: (variable: Variable) => VariableId,
): Slots {
  const flow = flows[thread];
  const live = all[thread];
  const { name } = program.threads[thread];
  const ids = new Map<FlowSlot, VariableId>();
  for (const slot of [...new Set(live.flatMap((slots) => [...slots]))].sort((a, b) => a - b)) {
    const location = privates[thread][slot - flow.slots.length];
    const isPrivate = location !== undefined;
    const of = isPrivate ? program.locations[location].name : flow.slots[slot];
    const { least, greatest } = domains.ranges[thread].get(slot) ?? { least: 0, greatest: 0 };
    const initial =
      isPrivate && live[flow.start].has(slot) ? program.locations[location].initial : 0;
    const about = `${of} of ${name}`;
    ids.set(slot, declare({ name: `${name}_${of}`, initial, least, greatest, about }));
  }
  const idOf = (slot: FlowSlot): VariableId => ids.get(slot)!;
  const formula: Slots['formula'] = (value, at) =>
    substitute(value, (slot) => at?.get(slot) ?? variable(idOf(slot)));
  return {
    formula,
    defined: (value, at) => and(...divisorsOf(value).map((d) => differs(formula(d, at), 0))),
    assign: (slot, value, next) => (live[next].has(slot) ? [assignment(idOf(slot), value())] : []),
    matters: (slot, next) => live[next].has(slot),
    forget: (op, next) =>
      [...live[op]]
        .filter((slot) => !live[next].has(slot))
        .map((slot) => assignment(idOf(slot), 0)),
  };
}
