import type { ThreadContext } from './accesses.js';
import { accessPhases, endAt, outcomesOf } from './accesses.js';
import { int, nameExpression } from '../../program/expression.js';
import type { FlowOp, OpId } from './flow.js';
import { FALSE_FORMULA, TRUE_FORMULA, and, isFalse, not } from '../../program/formula.js';
import { degrees } from './graph.js';
import type { AccessOp, Needs } from './needs.js';
import { privateSlot, isAccess, isNic } from './needs.js';
import type {
  GuardedChoice,
  Effect,
  StateFormula,
  Phase,
  ProcessPlace,
  PlaceId,
  ThreadAction,
} from './system.js';

/**
 * The places of a thread's process: one for each operation of its flow, and three where it ends early. An access to a
 * shared location is a step of its own. All other operations are done in the same step as the one before, if that one
 * alone leads to them. No other process can tell the difference. These are:
 *
 * - operations that compute, branch or choose;
 * - events of the CPU that conflict with nothing (`F`, constants, private locations). They are put into the part that
 *   their thread is in. What they keep behind is also kept behind by the accesses around them, so nothing else changes;
 * - fences, polls, and events of the NIC that conflict with nothing. They are put into the first part if possible: what
 *   they keep out of the first part there, they would also keep out if they were in the second.
 *
 * @param reduce false: fences and polls are steps of their own, and may be put into either part
 */
export function processPlaces(
  needs: Needs,
  around: ThreadContext,
  reduce: boolean,
): readonly ProcessPlace[] {
  const { flow } = around;
  const degree = degrees(flow);
  const making = new PlaceMaking(needs, around, reduce);
  const places = flow.ops.map((op, id): ProcessPlace => {
    const urgent = id !== flow.start && degree[id] === 1 && making.isOwn(op);
    return { phases: making.phases(id, op), urgent, span: op.kind === 'end' ? undefined : op.span };
  });
  return [
    ...places,
    { phases: [], urgent: false },
    { phases: [], urgent: false, stop: 'cut' },
    { phases: [], urgent: false, stop: 'undefined' },
  ];
}

class PlaceMaking {
  constructor(
    private readonly needs: Needs,
    private readonly around: ThreadContext,
    private readonly reduce: boolean,
  ) {}

  /** Does an operation concern its own thread only, and is it always possible? */
  isOwn(op: FlowOp): boolean {
    if (op.kind === 'end') return false;
    if (isAccess(op)) return this.needs.kinds[op.location] !== 'shared';
    return this.reduce || op.kind === 'set' || op.kind === 'test' || op.kind === 'choose';
  }

  phases(id: OpId, op: FlowOp): readonly Phase[] {
    const { slots, ends } = this.around;
    const told: ThreadAction = { op: id, part: 0 };
    switch (op.kind) {
      case 'end':
        return [];
      case 'read':
      case 'write':
      case 'cas':
        return this.access(id, op);
      case 'rfence':
      case 'poll':
        return this.step(op.kind, id, op.next, this.put(id, []));
      case 'mfence': {
        const choices = this.reduce
          ? [{ guard: TRUE_FORMULA, effects: [], told }]
          : this.put(id, []);
        return this.step('', id, op.next, choices);
      }
      case 'set': {
        const effects = slots.assign(op.slot, () => slots.formula(op.value), op.next);
        const guard = slots.defined(op.value);
        return this.step('', id, op.next, [
          ...endAt(not(guard), ends.undefined),
          { guard, effects, told },
        ]);
      }
      case 'test': {
        const defined = slots.defined(op.condition);
        const holds = slots.formula(op.condition);
        const branch = (guard: StateFormula, next: OpId): GuardedChoice => ({
          ...this.goOn(id, next),
          guard: and(defined, guard),
          told,
        });
        const choices = [
          ...endAt(not(defined), ends.undefined),
          branch(holds, op.then),
          branch(not(holds), op.else),
        ];
        return [{ about: 'the condition', choices }];
      }
      case 'choose':
        return [
          { about: 'which way', choices: op.to.map((next) => ({ ...this.goOn(id, next), told })) },
        ];
    }
  }

  private access(id: OpId, op: AccessOp): readonly Phase[] {
    const { around } = this;
    if (this.needs.kinds[op.location] === 'shared') {
      return accessPhases(around, id, op, this.goOn(id, op.next));
    }
    if (!isNic(op)) return this.step('', id, op.next, this.onItsOwn(id, op));
    const read =
      op.kind === 'read' ? around.slots.assign(op.into, () => this.initial(op), op.next) : [];
    return this.step('label' in op ? op.label : op.kind, id, op.next, this.put(id, read));
  }

  /** Goes on at an operation, and clears the variables that do not matter there. */
  private goOn(id: OpId, next: OpId): GuardedChoice {
    const { slots, placement } = this.around;
    const effects = [...slots.forget(id, next), ...placement.forget(id, next)];
    return { guard: TRUE_FORMULA, effects, to: next };
  }

  /** A step of one phase. The thread goes on at `next`, unless a choice says where it goes. */
  private step(
    about: string,
    id: OpId,
    next: OpId,
    choices: readonly GuardedChoice[],
  ): readonly Phase[] {
    const { effects } = this.goOn(id, next);
    const all = choices
      .filter((c) => !isFalse(c.guard))
      .map((c) =>
        c.to !== undefined ? c : { ...c, effects: [...c.effects, ...effects], to: next },
      );
    return [{ about, choices: all }];
  }

  /** The choices for an event that is put into the first part if possible. */
  private put(id: OpId, effects: readonly Effect[]): readonly GuardedChoice[] {
    const { placement, ends } = this.around;
    const [first, second] = [placement.first(id), placement.second(id)];
    const full = placement.full(id);
    const otherwise = this.reduce ? not(first.guard) : TRUE_FORMULA;
    const inPart = (part: 1 | 2, guard: StateFormula, noted: readonly Effect[]): GuardedChoice => ({
      guard: and(not(full), guard),
      effects: [...noted, ...effects],
      told: { op: id, part },
    });
    return [
      ...endAt(full, ends.cut),
      ...(this.reduce ? endAt(placement.starved(id), ends.blocked) : []),
      inPart(1, first.guard, first.effects),
      inPart(2, and(otherwise, second.guard), second.effects),
    ];
  }

  /** The initial value: what an access finds in a location that is not shared, or a value that does not matter. */
  private initial(op: AccessOp): StateFormula {
    return int(this.needs.program.locations[op.location].initial);
  }

  /** An event of the CPU that conflicts with nothing. */
  private onItsOwn(id: OpId, op: AccessOp): readonly GuardedChoice[] {
    const { flow, thread, slots, ends } = this.around;
    const isPrivate = this.needs.kinds[op.location] === 'private';
    const slot = privateSlot(flow, this.needs.privates[thread], op.location);
    const asked = isPrivate && slots.matters(slot, id);
    const found = asked ? slots.formula(nameExpression(slot)) : this.initial(op);
    const { outcomes, isUndefined } = outcomesOf(op, found, slots);
    // If an `assume` fails, its last read is no event: the thread ends before it.
    const fails =
      op.kind === 'read' && op.must !== undefined
        ? and(...outcomes.map(({ guard }) => not(guard)), not(isUndefined))
        : FALSE_FORMULA;
    return [
      ...endAt(isUndefined, ends.undefined),
      ...outcomes.map(({ guard, effects, writes, label }): GuardedChoice => {
        const write = writes !== undefined && isPrivate ? slots.assign(slot, writes, op.next) : [];
        const told: ThreadAction = { op: id, part: 0, label };
        return { guard, effects: [...effects, ...write], told };
      }),
      ...endAt(fails, ends.blocked),
    ];
  }
}

/** The places where a process ends. They come after the places of its operations. */
export function endsOf(operations: number): ThreadContext['ends'] {
  const [blocked, cut, undefined]: readonly PlaceId[] = [0, 1, 2].map((n) => operations + n);
  return { blocked, cut, undefined };
}
