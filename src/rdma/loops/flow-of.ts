import { viewed } from '../instructions.js';
import type { Span } from '../../parse/diagnostics/index.js';
import type { Expression, Instruction, LocationId, Target, Thread } from '../../program/program.js';
import { locationsOf } from '../../program/accessed.js';
import { binary, int, named, unary } from './expression.js';
import type { Flow, FlowOp, FlowSlot, OpId, SlotValue } from './flow.js';
import { successorsOf } from './flow.js';

/**
 * The graph of a thread without `wait`. It is built from the end to the start, so that the next operation is always
 * known. A loop gets a placeholder as its head, which is removed in the end.
 */
export function loopsFlowOf(thread: Thread): Flow {
  const building = new FlowBuilding(thread.registers.length);
  const start = building.body(thread.body, END);
  const read = Array.from({ length: building.readSlots }, (_, k) => `read ${k + 1}`);
  return tidied(building.ops, start, [...thread.registers, ...read]);
}

const END: OpId = 0;

class FlowBuilding {
  readonly ops: FlowOp[] = [{ kind: 'end' }];
  /** How many slots there are, beside registers, for values that were read. */
  readSlots = 0;

  constructor(private readonly registers: number) {}

  /** The first operation of instructions; each method takes the operation that comes after. */
  body(list: readonly Instruction[], next: OpId): OpId {
    return list.reduceRight((after, i) => this.instruction(i, after), next);
  }

  private instruction(given: Instruction, next: OpId): OpId {
    const i = viewed(given);
    const { span } = i;
    switch (i.kind) {
      case 'assign':
        return this.reading(i.value, span, (value) => this.store(i.target, value, span, next));
      case 'get':
      case 'put': {
        const { from, to } = i;
        const [first, second] =
          i.kind === 'get' ? (['nrR', 'nlW'] as const) : (['nlR', 'nrW'] as const);
        const into = this.readSlot(0);
        const value = named(into);
        const on = { towards: { node: i.node, queuePair: i.queuePair }, span };
        const write = this.push({ kind: 'write', label: second, location: to, value, next, ...on });
        return this.push({ kind: 'read', label: first, location: from, into, next: write, ...on });
      }
      case 'cas': {
        const into = this.readSlot(0);
        const { location } = i;
        const [expected, desired] = [this.valueIn(i.expected, []), this.valueIn(i.desired, [])];
        const after = this.store(i.target, named(into), span, next);
        return this.push({ kind: 'cas', location, expected, desired, into, next: after, span });
      }
      case 'mfence':
        return this.push({ kind: 'mfence', next, span });
      case 'poll':
      case 'rfence': {
        const towards = { node: i.node, queuePair: i.queuePair };
        return this.push({ kind: i.kind, towards, next, span });
      }
      case 'assume':
        return this.assume(i.condition, span, next);
      case 'if':
        return this.reading(i.condition, span, (condition) =>
          this.test(condition, span, this.body(i.then, next), this.body(i.else, next)),
        );
      case 'choose': {
        const to = i.branches.map((branch) => this.body(branch, next));
        return this.push({ kind: 'choose', to, span });
      }
      case 'loop':
        return this.loop(i, next);
      case 'faa':
      case 'xchg':
      case 'remote-atomic':
      case 'wait':
        throw new Error(`${i.kind}: see notInstrumented`);
    }
  }

  private push(op: FlowOp): OpId {
    return this.ops.push(op) - 1;
  }

  private readSlot(k: number): FlowSlot {
    this.readSlots = Math.max(this.readSlots, k + 1);
    return this.registers + k;
  }

  private valueIn(e: Expression, locations: readonly LocationId[]): SlotValue {
    switch (e.kind) {
      case 'int':
        return int(e.value);
      case 'register':
        return named(e.register);
      case 'location':
        return named(this.readSlot(locations.indexOf(e.location)));
      case 'unary':
        return unary(e.op, this.valueIn(e.arg, locations));
      case 'binary':
        return binary(e.op, this.valueIn(e.left, locations), this.valueIn(e.right, locations));
    }
  }

  /** One `lR` for each location of an expression, from left to right, and then what follows. */
  private reading(e: Expression, span: Span, then: (value: SlotValue) => OpId): OpId {
    const locations = locationsOf(e);
    const next = then(this.valueIn(e, locations));
    return this.reads(locations, span, next);
  }

  private reads(locations: readonly LocationId[], span: Span, next: OpId): OpId {
    return locations.reduceRight(
      (after, location, k) =>
        this.push({
          kind: 'read',
          label: 'lR',
          location,
          into: this.readSlot(k),
          next: after,
          span,
        }),
      next,
    );
  }

  private store(to: Target, value: SlotValue, span: Span, next: OpId): OpId {
    return to.kind === 'register'
      ? this.push({ kind: 'set', slot: to.register, value, span, next })
      : this.push({ kind: 'write', label: 'lW', location: to.location, value, span, next });
  }

  private test(condition: SlotValue, span: Span, then: OpId, otherwise: OpId): OpId {
    if (condition.kind === 'int') return condition.value !== 0 ? then : otherwise;
    return this.push({ kind: 'test', condition, then, else: otherwise, span });
  }

  private assume(condition: Expression, span: Span, next: OpId): OpId {
    const locations = locationsOf(condition);
    const must = this.valueIn(condition, locations);
    if (locations.length === 0) return this.test(must, span, next, END);
    const last = locations.length - 1;
    const final = this.push({
      kind: 'read',
      label: 'lR',
      location: locations[last],
      into: this.readSlot(last),
      must,
      next,
      span,
    });
    return this.reads(locations.slice(0, last), span, final);
  }

  private loop(i: Extract<Instruction, { kind: 'loop' }>, next: OpId): OpId {
    const { span } = i;
    const head = this.push({ kind: 'choose', to: [], span });
    const inside = this.body(i.body, head);
    const entry =
      i.condition === undefined
        ? this.push({ kind: 'choose', to: [inside, next], span })
        : this.reading(i.condition, span, (condition) => this.test(condition, span, inside, next));
    this.ops[head] = { kind: 'choose', to: [entry], span };
    return head;
  }
}

/** Only the operations that can be reached, without those that only jump. */
function tidied(ops: readonly FlowOp[], start: OpId, slots: readonly string[]): Flow {
  /** The operation that jumps lead to. A jump to itself stays: it is a loop that does nothing. */
  const resolve = (id: OpId): OpId => {
    const seen = new Set<OpId>();
    for (let at = id; ;) {
      const op = ops[at];
      if (op.kind !== 'choose' || op.to.length !== 1 || seen.has(at)) return at;
      seen.add(at);
      at = op.to[0];
    }
  };
  const order: OpId[] = [];
  const number = new Map<OpId, OpId>();
  const open = [resolve(start)];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (number.has(at)) continue;
    number.set(at, order.push(at) - 1);
    open.push(...successorsOf(ops[at]).map(resolve).toReversed());
  }
  const to = (id: OpId): OpId => number.get(resolve(id))!;
  const renumbered = order.map((id): FlowOp => {
    const op = ops[id];
    switch (op.kind) {
      case 'end':
        return op;
      case 'test':
        return { ...op, then: to(op.then), else: to(op.else) };
      case 'choose':
        return { ...op, to: op.to.map(to) };
      case 'read':
      case 'write':
      case 'cas':
      case 'mfence':
      case 'rfence':
      case 'poll':
      case 'set':
        return { ...op, next: to(op.next) };
    }
  });
  return { ops: renumbered, start: 0, slots };
}
