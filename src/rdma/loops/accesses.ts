import type { LocationId } from '../../program/program.js';
import type { Slots } from './slots.js';
import type { Detection } from './detection.js';
import { int } from '../../program/expression.js';
import type { Flow, OpId } from './flow.js';
import { onSame } from './flow.js';
import {
  FALSE_FORMULA,
  TRUE_FORMULA,
  and,
  equals,
  isFalse,
  not,
  or,
} from '../../program/formula.js';
import { assignment, variable } from './formula.js';
import type { PartedMemory, ReadOption } from './memory.js';
import type { AccessOp } from './needs.js';
import { isAccess, isNic, mayRead } from './needs.js';
import type { Placement } from './placement.js';
import type { GuardedChoice, Effect, StateFormula, Phase, PlaceId, VariableId } from './system.js';

/** What the steps of a thread's accesses are made from. */
export interface ThreadContext {
  readonly flow: Flow;
  readonly thread: number;
  readonly slots: Slots;
  readonly placement: Placement;
  readonly memory: PartedMemory;
  readonly detection: Detection;
  /** For each operation, those that can follow. */
  readonly after: readonly ReadonlySet<OpId>[];
  /** The locations whose values matter. */
  readonly values: ReadonlyMap<LocationId, readonly number[]>;
  /** Variables by which the phases of one access tell each other what happened. */
  readonly marks: { readonly part: VariableId; readonly writes: VariableId };
  /** Is 1 while the NIC holds a value, read and not written yet, that the last event changes. */
  readonly changes: VariableId;
  /** See `Instrumentation`. */
  readonly ordered: boolean;
  readonly prune: boolean;
  readonly ends: {
    readonly blocked: PlaceId;
    readonly cut: PlaceId;
    readonly undefined: PlaceId;
  };
}

/** One possible outcome of an access, given the value that it finds. */
export interface AccessOutcome {
  readonly guard: StateFormula;
  readonly effects: readonly Effect[];
  /** The value that it writes, if it writes. */
  readonly writes?: () => StateFormula;
  /** For a CAS: the label that says whether it succeeds. */
  readonly label?: 'CAS' | 'lR';
}

/** All outcomes of an access, and when there is none because a value is undefined. */
export function outcomesOf(
  op: AccessOp,
  found: StateFormula,
  { formula, defined, assign }: Slots,
): { readonly outcomes: readonly AccessOutcome[]; readonly isUndefined: StateFormula } {
  if (op.kind === 'write') {
    const defines = defined(op.value);
    const writes = () => formula(op.value);
    return { outcomes: [{ guard: defines, effects: [], writes }], isUndefined: not(defines) };
  }
  const effects = assign(op.into, () => found, op.next);
  if (op.kind === 'cas') {
    const defines = and(defined(op.expected), defined(op.desired));
    const wanted = equals(found, formula(op.expected));
    const writes = () => formula(op.desired);
    return {
      outcomes: [
        { guard: and(defines, wanted), effects, writes, label: 'CAS' },
        { guard: and(defines, not(wanted)), effects, label: 'lR' },
      ],
      isUndefined: not(defines),
    };
  }
  if (op.must === undefined)
    return { outcomes: [{ guard: TRUE_FORMULA, effects }], isUndefined: not(TRUE_FORMULA) };
  const at = new Map([[op.into, found]]);
  const defines = defined(op.must, at);
  const outcomes = [{ guard: and(defines, formula(op.must, at)), effects }];
  return { outcomes, isUndefined: not(defines) };
}

/** A step to one of the places where a process ends; none if its guard never holds. */
export const endAt = (guard: StateFormula, to: PlaceId): readonly GuardedChoice[] =>
  isFalse(guard) ? [] : [{ guard, effects: [], to }];

/**
 * The step of an access to a shared location. It chooses the part of the run that the access is put into, then whether
 * the cycle enters the thread here, and then whether it leaves the thread here (decidability paper, §6.3, step 3).
 *
 * @param goOn the last phase: where the thread goes on
 */
export function accessPhases(
  around: ThreadContext,
  id: OpId,
  op: AccessOp,
  goOn: GuardedChoice,
): readonly Phase[] {
  const { flow, thread, detection, after, marks, prune } = around;
  const choices = [
    ...asLast(around, id, op),
    ...inPart(around, id, op, 1),
    ...inPart(around, id, op, 2),
  ].filter((c) => !isFalse(c.guard));
  const about = `which part ${op.kind === 'cas' ? 'the CAS' : op.label} is in`;
  const { location } = op;
  const again = [...after[id]].some((later) => {
    const other = flow.ops[later];
    return isAccess(other) && other.location === location;
  });
  const writes = op.kind === 'cas' ? variable(marks.writes) : int(op.kind === 'write' ? 1 : 0);
  const part = variable(marks.part);
  const site = { location, part, writes, again: again || !prune };
  return [{ about, choices }, ...detection.phases(thread, site), { about: '', choices: [goOn] }];
}

/** The values that an access may find. A write finds none, and so has one option without a value. */
function readings(
  { memory, slots }: ThreadContext,
  op: AccessOp,
  part: 1 | 2,
): readonly ReadOption[] {
  if (op.kind === 'write')
    return [{ guard: TRUE_FORMULA, effects: [], value: int(0), changes: FALSE_FORMULA }];
  const matters = op.kind === 'cas' || op.must !== undefined || slots.matters(op.into, op.next);
  return memory.read(op.location, part, { matters, byCpu: !isNic(op) });
}

/** The choices by which an access is put into one part of the run (App. D.1). */
function inPart(
  around: ThreadContext,
  id: OpId,
  op: AccessOp,
  part: 1 | 2,
): readonly GuardedChoice[] {
  const { slots, placement, memory, values, marks, ends } = around;
  const changing = variable(around.changes);
  const placed = part === 1 ? placement.first(id) : placement.second(id);
  const full = placement.full(id);
  return readings(around, op, part).flatMap((reading) => {
    const { guard, effects, value, changes, about } = reading;
    const { outcomes, isUndefined } = outcomesOf(op, value, slots);
    const choices = outcomes.flatMap((outcome): readonly GuardedChoice[] => {
      const writing = (part: 1 | 2) => {
        if (outcome.writes === undefined) return { guard: TRUE_FORMULA, effects: [] };
        const written = values.has(op.location) ? outcome.writes() : int(0);
        return memory.write(op.location, part, written, isNic(op) ? changing : FALSE_FORMULA);
      };
      const first = and(
        placement.first(id).guard,
        readings(around, op, 1)[0].guard,
        writing(1).guard,
      );
      const can = and(
        placed.guard,
        guard,
        writing(part).guard,
        part === 1 ? TRUE_FORMULA : maySecond(around, id, op, first),
        outcome.guard,
      );
      // The read of a put or get tells its write whether the value is one that the last event changes.
      const handedOn = assignment(around.changes, op.kind === 'read' ? changes : 0);
      const wrote = assignment(marks.writes, outcome.writes === undefined ? 0 : 1);
      const noted = [
        ...(isNic(op) ? [handedOn] : []),
        ...(op.kind === 'cas' ? [wrote] : []),
        assignment(marks.part, part),
      ];
      return [
        ...endAt(and(can, full), ends.cut),
        {
          guard: and(can, not(full)),
          effects: [
            ...placed.effects,
            ...effects,
            ...outcome.effects,
            ...writing(part).effects,
            ...noted,
          ],
          told: { op: id, part, label: outcome.label },
          about,
        },
      ];
    });
    return [...endAt(and(placed.guard, guard, isUndefined), ends.undefined), ...choices];
  });
}

/**
 * When an access may be put into the second part although it could be put into the first.
 *
 * Take a normal form with the fewest events and, among these, with the smallest second part. Its second part has
 * just the events that `ob` leads to from the last event. (All others could be moved to the first part in the same
 * order. This would change no conflict, and no edge of `ob` would lead backwards.) So an access in the second part
 * cannot be put into the first, or conflicts with the last event, or is flushed after an event of the second part. All
 * other choices are left out.
 */
function maySecond(
  { flow, thread, placement, detection, after, ordered }: ThreadContext,
  id: OpId,
  op: AccessOp,
  first: StateFormula,
): StateFormula {
  if (!ordered) return TRUE_FORMULA;
  // If the last event is an `nlR`, an `nlW` that is before it in program order may be flushed after it.
  const flushes = [...after[id]].flatMap((later) => {
    const other = flow.ops[later];
    const isFlush =
      op.kind === 'write' &&
      op.label === 'nlW' &&
      other.kind === 'read' &&
      other.label === 'nlR' &&
      onSame(other, op);
    return isFlush ? [detection.isLastAt(other.location, thread)] : [];
  });
  return or(not(first), detection.isLastAt(op.location), placement.flushed(id), ...flushes);
}

/** The choices by which an access is the last event, which is put at the end of the first part. */
function asLast(around: ThreadContext, id: OpId, op: AccessOp): readonly GuardedChoice[] {
  const { thread, slots, placement, memory, detection, ends } = around;
  const found = mayRead(op) ? memory.readLast(op.location) : int(0);
  return outcomesOf(op, found, slots).outcomes.map(({ guard, writes, label }) => ({
    guard: and(
      placement.first(id).guard,
      detection.last(thread, op.location, int(writes === undefined ? 0 : 1)),
      writes === undefined ? TRUE_FORMULA : memory.mayWriteLast,
      guard,
    ),
    effects: detection.found,
    to: ends.blocked,
    told: { op: id, part: 1, label },
    about: 'the last event, which completes the cycle',
  }));
}
