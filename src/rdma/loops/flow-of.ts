import type { InstructionSet } from '../../model/instructions/set.js';
import { flowOf } from '../../program/flow/compile.js';
import { isReadStep, waysOf, writtenBy } from '../../program/flow/facts.js';
import type {
  Cell,
  FlowArgument,
  FlowGraph,
  FlowLeaf,
  FlowStep,
  FlowUse,
  FlowValue,
} from '../../program/flow/graph.js';
import type { PlaceArgument, Thread } from '../../program/program.js';
import { viewed } from '../instructions.js';
import { computed, nameExpression } from '../../program/expression.js';
import type { Flow, FlowOp, FlowSlot, OpId, SlotValue } from './flow.js';
import { successorsOf } from './flow.js';

/**
 * The events of a thread without `wait`, made of its flow graph: there is one operation for each step, at its place, then the end, and then what else a step does.
 * Steps that only jump are removed in the end.
 */
export function loopsFlowOf(thread: Thread, instructions: InstructionSet): Flow {
  const flow = flowOf(thread, instructions, { resting: true });
  const building = new FlowBuilding(flow, thread.registers.length);
  flow.steps.forEach((step, at) => building.step(step, at));
  const read = Array.from({ length: building.readSlots }, (_, k) => `read ${k + 1}`);
  return tidied(building.ops, 0, [...thread.registers, ...read]);
}

class FlowBuilding {
  readonly ops: FlowOp[];
  /** How many slots there are, beside registers, for values that were read. */
  readSlots = 0;
  /** The slots of temporaries: each expression uses the first ones, whatever it reads. */
  private readonly slots = new Map<number, FlowSlot>();

  constructor(
    private readonly flow: FlowGraph,
    private readonly registers: number,
  ) {
    this.ops = Array.from({ length: flow.steps.length + 1 }, () => ({ kind: 'end' }));
  }

  step(step: FlowStep, at: number): void {
    this.ops[at] = this.made(step, at);
    if (writtenBy(step)?.kind !== 'temporary') this.slots.clear();
  }

  private made(step: FlowStep, at: number): FlowOp {
    const { span } = step;
    const to = waysOf(this.flow, at);
    const [next] = to;
    if (step.kind === 'use') return isReadStep(step) ? this.read(step, next) : this.use(step, next);
    if (step.kind === 'set' && step.cell.kind === 'register') {
      const value = this.value(step.value);
      return { kind: 'set', slot: step.cell.register, value, next, span };
    }
    if (step.kind === 'assume') return this.test(step, next, this.flow.steps.length);
    if (step.kind === 'branch') return this.test(step, to[0], to[1]);
    return { kind: 'choose', to, span };
  }

  /** A further slot for what the instruction has read. */
  private readInto(cell?: Cell): FlowSlot {
    const slot = this.registers + this.slots.size;
    if (cell?.kind === 'temporary') this.slots.set(cell.temporary, slot);
    this.readSlots = Math.max(this.readSlots, slot + 1 - this.registers);
    return slot;
  }

  private value(value: FlowValue): SlotValue {
    return computed<FlowLeaf, FlowSlot>(value, ({ cell }) => {
      if (cell.kind === 'temporary') return nameExpression(this.slots.get(cell.temporary)!);
      // Ghosts are in marks only.
      return nameExpression((cell as Extract<Cell, { kind: 'register' }>).register);
    });
  }

  private given(use: FlowUse, parameter: number): SlotValue {
    return this.value((use.given[parameter] as Extract<FlowArgument, { kind: 'value' }>).value);
  }

  private test(step: Test, then: OpId, otherwise: OpId): FlowOp {
    const { span } = step;
    const condition = this.value(step.condition);
    if (condition.kind !== 'int') return { kind: 'test', condition, then, else: otherwise, span };
    return { kind: 'choose', to: [condition.value !== 0 ? then : otherwise], span };
  }

  private read({ use, result, span }: Use, next: OpId): FlowOp {
    const { location } = use.given[0] as PlaceArgument;
    const into = this.readInto(result);
    const read = { kind: 'read', label: 'lR', location, into, span } as const;
    const user = this.flow.steps[next];
    if (user.kind !== 'assume') return { ...read, next };
    return { ...read, must: this.value(user.condition), next: user.next[0] };
  }

  private use({ use, result, span }: Use, next: OpId): FlowOp {
    if (use.call === undefined) {
      const { location } = use.given[0] as PlaceArgument;
      return { kind: 'write', label: 'lW', location, value: this.given(use, 1), next, span };
    }
    const i = viewed(use.call);
    switch (i.kind) {
      case 'get':
      case 'put': {
        const [first, second] =
          i.kind === 'get' ? (['nrR', 'nlW'] as const) : (['nlR', 'nrW'] as const);
        const into = this.readInto();
        const on = { towards: { node: i.node, queuePair: i.queuePair }, span };
        const value = nameExpression(into);
        const write = { kind: 'write', label: second, location: i.to, value, next, ...on } as const;
        const behind = this.ops.push(write) - 1;
        return { kind: 'read', label: first, location: i.from, into, next: behind, ...on };
      }
      case 'cas': {
        const [expected, desired] = [this.given(use, 1), this.given(use, 2)];
        const { location } = i;
        const into = this.readInto(result);
        const value = nameExpression(into);
        const behind =
          result?.kind === 'register'
            ? this.ops.push({ kind: 'set', slot: result.register, value, next, span }) - 1
            : next;
        return { kind: 'cas', location, expected, desired, into, next: behind, span };
      }
      case 'mfence':
        return { kind: 'mfence', next, span };
      case 'poll':
      case 'rfence':
        return { kind: i.kind, towards: { node: i.node, queuePair: i.queuePair }, next, span };
      case 'faa':
      case 'xchg':
      case 'remote-atomic':
      case 'wait':
        throw new Error(`${i.kind}: see notInstrumented`);
    }
  }
}

type Use = Extract<FlowStep, { readonly kind: 'use' }>;
type Test = Extract<FlowStep, { readonly condition: FlowValue }>;

/** Only the operations that can be reached, without those that only jump. */
function tidied(ops: readonly FlowOp[], start: OpId, slots: readonly string[]): Flow {
  /** The operation that jumps lead to. Of jumps in a circle one stays: it is a loop that does nothing. */
  const resolve = (id: OpId): OpId => {
    const seen = new Set<OpId>();
    for (let at = id; ;) {
      const op = ops[at];
      if (op.kind !== 'choose' || op.to.length !== 1) return at;
      if (seen.has(at)) return Math.min(...[...seen].slice([...seen].indexOf(at)));
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
