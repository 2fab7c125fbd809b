import type { LocationId, Program } from '../../program/program.js';
import { divisorsOf, namesOf } from '../../program/expression.js';
import type { FlowSlot, Flow, FlowOp, OpId, SlotValue } from './flow.js';
import { successorsOf } from './flow.js';
import { loopsFlowOf } from './flow-of.js';

/**
 * The parts of a program that decide whether it is robust. Which threads access a location decides which events can be
 * in a cycle (`LocationKind`). Which values decide where a thread goes on says what has to be remembered (`valued`,
 * `live`).
 */
export interface Needs {
  readonly program: Program;
  readonly flows: readonly Flow[];
  /** By location. */
  readonly kinds: readonly LocationKind[];
  /** The shared locations whose values matter: they decide where some thread goes. */
  readonly valued: ReadonlySet<LocationId>;
  /** By thread: the private locations. Each has a slot, and these slots come after those of the flow. */
  readonly privates: readonly (readonly LocationId[])[];
  /** By thread and operation: the slots whose values matter before it. */
  readonly live: readonly (readonly ReadonlySet<FlowSlot>[])[];
}

/**
 * - `constant`: nothing writes it. Its reads always have the same value, and conflict with nothing.
 * - `private`: only the CPU of one thread accesses it, in program order. So it is like a register.
 * - `single`: one instruction writes it, and none reads it. The writes conflict only with each other, and two NIC writes
 *   of one instruction stay in order.
 * - `shared`: all others. Only their accesses can be in cycles.
 */
export type LocationKind = 'constant' | 'private' | 'single' | 'shared';

/** An operation that reads or writes a location. */
export type AccessOp = Extract<FlowOp, { readonly location: LocationId }>;

export const isAccess = (op: FlowOp): op is AccessOp => 'location' in op;

/** Can an access write? A CAS may write, or only read. */
export const mayWrite = (op: AccessOp): boolean => op.kind !== 'read';

/** Can an access read? */
export const mayRead = (op: AccessOp): boolean => op.kind !== 'write';

export const isNic = (op: AccessOp): boolean => 'towards' in op && op.towards !== undefined;

/** @param reduce false: every location counts as shared, with all its values */
export function needsOf(program: Program, reduce = true): Needs {
  const flows = program.threads.map((thread) => loopsFlowOf(thread, program.instructions));
  const kinds = program.locations.map((_, location) =>
    reduce ? kindOf(flows, location) : 'shared',
  );
  const privates = flows.map(({ ops }) => {
    const own = ops.filter(isAccess).map((op) => op.location);
    return [...new Set(own)].filter((l) => kinds[l] === 'private').sort((a, b) => a - b);
  });
  const shared = flows.flatMap((f) => f.ops.filter(isAccess)).filter((op) => mayRead(op));
  const all = shared.map((op) => op.location).filter((l) => kinds[l] === 'shared');
  const valued = new Set<LocationId>(reduce ? [] : all);
  for (;;) {
    const live = flows.map((flow, t) => livenessOf(flow, privates[t], kinds, valued));
    const before = valued.size;
    flows.forEach((flow, t) => {
      for (const op of flow.ops) {
        if (isAccess(op) && kinds[op.location] === 'shared' && isSteering(op, live[t])) {
          valued.add(op.location);
        }
      }
    });
    if (valued.size === before) return { program, flows, kinds, valued, privates, live };
  }
}

function kindOf(flows: readonly Flow[], location: LocationId): LocationKind {
  const accesses = flows.flatMap(({ ops }, thread) =>
    ops.flatMap((op) => (isAccess(op) && op.location === location ? [{ op, thread }] : [])),
  );
  const [first] = accesses;
  if (!accesses.some(({ op }) => mayWrite(op))) return 'constant';
  if (accesses.every(({ op, thread }) => !isNic(op) && thread === first.thread)) return 'private';
  return accesses.length === 1 ? 'single' : 'shared';
}

/** Does the value matter that an access finds? */
function isSteering(op: AccessOp, live: readonly ReadonlySet<FlowSlot>[]): boolean {
  if (op.kind === 'write') return false;
  return op.kind === 'cas' || op.must !== undefined || live[op.next].has(op.into);
}

/** The slot of a private location. */
export function privateSlot(
  flow: Flow,
  privates: readonly LocationId[],
  location: LocationId,
): FlowSlot {
  return flow.slots.length + privates.indexOf(location);
}

/**
 * The slots whose values matter before an operation.
 *
 * @param after those that matter after it, which are changed
 * @param slotOf the slot of a private location
 */
function liveBefore(
  op: FlowOp,
  after: Set<FlowSlot>,
  slotOf: (location: LocationId) => FlowSlot | undefined,
  valued: ReadonlySet<LocationId>,
): ReadonlySet<FlowSlot> {
  const use = (...values: readonly SlotValue[]): void =>
    values.flatMap(namesOf).forEach((slot) => after.add(slot));
  /** The value matters only if the slot does. But its divisors always matter: they decide whether it is defined. */
  const assign = (slot: FlowSlot, value: SlotValue): void => {
    if (after.delete(slot)) use(value);
    use(...divisorsOf(value));
  };
  switch (op.kind) {
    case 'read': {
      if (op.must !== undefined) use(op.must);
      const slot = slotOf(op.location);
      if (after.delete(op.into) && slot !== undefined) after.add(slot);
      return after;
    }
    case 'write': {
      const slot = slotOf(op.location);
      if (slot !== undefined) {
        assign(slot, op.value);
      } else {
        if (valued.has(op.location)) use(op.value);
        use(...divisorsOf(op.value));
      }
      return after;
    }
    case 'cas': {
      after.delete(op.into);
      use(op.expected, op.desired);
      const slot = slotOf(op.location);
      if (slot !== undefined) after.add(slot);
      return after;
    }
    case 'set':
      assign(op.slot, op.value);
      return after;
    case 'test':
      use(op.condition);
      return after;
    case 'mfence':
    case 'rfence':
    case 'poll':
    case 'choose':
    case 'end':
      return after;
  }
}

/** For each operation: the slots whose values matter from its beginning on. */
function livenessOf(
  flow: Flow,
  privates: readonly LocationId[],
  kinds: readonly LocationKind[],
  valued: ReadonlySet<LocationId>,
): readonly ReadonlySet<FlowSlot>[] {
  const live = flow.ops.map(() => new Set<FlowSlot>());
  const slotOf = (location: LocationId): FlowSlot | undefined =>
    kinds[location] === 'private' ? privateSlot(flow, privates, location) : undefined;
  for (let changed = true; changed;) {
    changed = false;
    for (let id: OpId = flow.ops.length - 1; id >= 0; id--) {
      const op = flow.ops[id];
      const after = new Set(successorsOf(op).flatMap((next) => [...live[next]]));
      const now = liveBefore(op, after, slotOf, valued);
      if (now.size === live[id].size) continue;
      for (const slot of now) live[id].add(slot);
      changed = true;
    }
  }
  return live;
}
