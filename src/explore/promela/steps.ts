import type { Control, ControlId, PossibleStep } from '../../machine/control.js';
import type { Slot } from '../../machine/compute.js';
import { shifted } from '../../machine/compute.js';
import type { Machine } from '../../machine/machine.js';
import type { WayCase, SlotEffect, Segment } from '../../machine/segments.js';
import type { ExpressionOver } from '../../program/expression.js';
import { int, nameExpression, substitute } from '../../program/expression.js';
import { TRUE_FORMULA, and, isFalse } from '../../program/formula.js';
import type { LinkStates } from './links.js';

type Expression = ExpressionOver<Slot>;

/** `slot := value`, or an assertion that fails where `value` is 0. */
export type SlotAction = { readonly value: Expression } & (
  | { readonly kind: 'set'; readonly slot: Slot }
  | { readonly kind: 'assert' }
);

/** A step that a thread, or a call of it, takes in one control: where the guard is true, all of its actions in order. */
export interface GuardedStep {
  readonly guard: Expression;
  readonly actions: readonly SlotAction[];
  /** The control behind it; undefined: no exploration has come there. */
  readonly to: ControlId | undefined;
  readonly move: PossibleStep;
}

/** The steps of a thread by its control, of all controls that an exploration reached. */
export interface ThreadSteps {
  readonly first: Control;
  readonly steps: ReadonlyMap<Control, readonly GuardedStep[]>;
}

/** The same thread with other steps in the place of those of each control. */
export const mapSteps = (
  thread: ThreadSteps,
  by: (steps: readonly GuardedStep[], control: Control) => readonly GuardedStep[],
): ThreadSteps => ({
  ...thread,
  steps: new Map([...thread.steps].map(([control, steps]) => [control, by(steps, control)])),
});

/**
 * The steps of the threads of a machine, after an exploration of it that came to its end and reduced nothing. The exploration is only asked which controls
 * threads reach and which ways they go; where a value leads another way, there is a step without a `to`.
 *
 * @param start the first state
 */
export function stepsOf(
  machine: Machine,
  start: Int32Array,
  links: LinkStates,
): readonly ThreadSteps[] {
  return machine.codes.map((_, t) => {
    const reached = machine.controls.all[t].filter(isReached);
    const steps = reached.map((control) => [control, stepsIn(control, links)] as const);
    return { first: machine.controlOf(start, t), steps: new Map(steps) };
  });
}

const isReached = ({ known }: Control): boolean => known.moves !== undefined;

function stepsIn(control: Control, links: LinkStates): readonly GuardedStep[] {
  return control.known.moves!.moves.flatMap((move) => {
    const { of, isLinked } = move;
    const linked = isLinked ? of : undefined;
    const guard = linked && links.allow(control.calls[linked.call].local, linked.step);
    return new Paths(move, control, links).from(guard ?? TRUE_FORMULA);
  });
}

/** All that a move can come to, as its segments were made. */
class Paths {
  private readonly found: GuardedStep[] = [];

  constructor(
    private readonly move: PossibleStep,
    private readonly control: Control,
    private readonly links: LinkStates,
  ) {}

  from(guard: Expression): readonly GuardedStep[] {
    this.follow(this.move.segment, guard, [], new Map());
    return this.found;
  }

  /** @param values what slots have then, over what they had before the move */
  private follow(
    { effects, then }: Segment,
    guard: Expression,
    before: readonly SlotAction[],
    known: ReadonlyMap<Slot, Expression>,
  ): void {
    const values = new Map(known);
    const actions = [...before, ...effects.map((effect) => actionOf(effect, values))];
    if (then === undefined) return;
    const { move, control, found, links } = this;
    if (then.kind === 'end') {
      const number = links.changed(control, then.control);
      if (number !== undefined)
        actions.push({ kind: 'set', slot: control.thread, value: int(number) });
      found.push({ guard, actions, to: then.control, move });
      return;
    }
    if (then.cases === undefined) throw new Error('steps that come first are not printed');
    for (const one of then.cases()) {
      const way = and(guard, this.when(one, values));
      if (isFalse(way)) continue;
      const further = then.ways[one.way];
      if (further === undefined) found.push({ guard: way, actions: [], to: undefined, move });
      else this.follow(further, way, actions, values);
    }
  }

  private when({ when, linked }: WayCase, values: ReadonlyMap<Slot, Expression>): Expression {
    const value = substitute<Slot, Slot>(when, (slot) => values.get(slot) ?? nameExpression(slot));
    return linked === undefined ? value : and(this.links.allow(linked.local, linked.step), value);
  }
}

/** An effect as an action; and `values` are those behind it. */
function actionOf(effect: SlotEffect, values: Map<Slot, Expression>): SlotAction {
  const value = shifted(effect.value, effect.at);
  if (effect.kind === 'assert') return { kind: 'assert', value };
  const { kind, slot } = effect;
  values.set(
    slot,
    substitute<Slot, Slot>(value, (s) => values.get(s) ?? nameExpression(s)),
  );
  return { kind, slot, value };
}
