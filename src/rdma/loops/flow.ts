import type { RdmaLabel, Towards } from '../instructions.js';
import { keyOf, viewed } from '../instructions.js';
import type { Span } from '../../parse/diagnostics/index.js';
import type { Expression, Instruction, LocationId, Target, Thread } from '../../program/program.js';
import { locationsOf } from '../../program/accessed.js';
import type { ExpressionOver } from './expression.js';
import { binary, int, named, unary } from './expression.js';

/**
 * A thread as a graph of its events. Loops are cycles of the graph (decidability paper, App. B: `Seq`). At any
 * time, what a thread has done is a prefix of a path of this graph.
 */
export interface Flow {
  readonly ops: readonly FlowOp[];
  readonly start: OpId;
  /** The names of the slots that the thread computes with: its registers, then the values that were read. */
  readonly slots: readonly string[];
}

/** Index into `Flow.ops`. */
export type OpId = number;

/** Index into `Flow.slots`. */
export type FlowSlot = number;

export type SlotValue = ExpressionOver<FlowSlot>;

/** The labels that events of these programs have: they have no waits. */
export type FlowLabel = Exclude<RdmaLabel, 'WT' | 'FAA' | 'XCHG'>;

/** Whether two operations are on the same queue pair, or on none. */
export const onSame = (a: FlowOp, b: FlowOp): boolean => queuePairOf(a) === queuePairOf(b);

/** What tells the queue pair of an operation from the thread's others, if it is on one. */
export const queuePairOf = (op: FlowOp): string | undefined =>
  'towards' in op && op.towards !== undefined ? keyOf(op.towards) : undefined;

/** Whether the NIC does what a label says, or the CPU. */
export const BY_NIC: Readonly<Record<FlowLabel, boolean>> = {
  lR: false,
  lW: false,
  CAS: false,
  F: false,
  P: false,
  nlR: true,
  nrW: true,
  nrR: true,
  nlW: true,
  nF: true,
};

/** Labels of events that only read, and of events that only write. */
export type ReadLabel = 'lR' | 'nlR' | 'nrR';
export type WriteLabel = 'lW' | 'nlW' | 'nrW';

interface WithSpan {
  readonly span: Span;
}

interface Then extends WithSpan {
  readonly next: OpId;
}

export type FlowOp =
  | (Then & {
      readonly kind: 'read';
      readonly label: ReadLabel;
      readonly location: LocationId;
      /** Its queue pair, for events of the NIC. */
      readonly towards?: Towards;
      readonly into: FlowSlot;
      /** For the last read of an `assume`: the condition. Without it the event does not exist. */
      readonly must?: SlotValue;
    })
  | (Then & {
      readonly kind: 'write';
      readonly label: WriteLabel;
      readonly location: LocationId;
      readonly towards?: Towards;
      readonly value: SlotValue;
    })
  /** `CAS` if it succeeds, `F` and `lR` if it fails. In both cases the value that was found goes into a slot. */
  | (Then & {
      readonly kind: 'cas';
      readonly location: LocationId;
      readonly expected: SlotValue;
      readonly desired: SlotValue;
      readonly into: FlowSlot;
    })
  | (Then & { readonly kind: 'mfence' })
  | (Then & { readonly kind: 'rfence' | 'poll'; readonly towards: Towards })
  | (Then & { readonly kind: 'set'; readonly slot: FlowSlot; readonly value: SlotValue })
  | (WithSpan & {
      readonly kind: 'test';
      readonly condition: SlotValue;
      readonly then: OpId;
      readonly else: OpId;
    })
  | (WithSpan & { readonly kind: 'choose'; readonly to: readonly OpId[] })
  /** The thread ends: it has finished, or an assumption about registers failed. */
  | { readonly kind: 'end' };

/** The label of an operation's event; the event of a CAS may also be `F` and `lR`. Undefined: it has none. */
export function labelOf(op: FlowOp): FlowLabel | undefined {
  switch (op.kind) {
    case 'read':
    case 'write':
      return op.label;
    case 'cas':
      return 'CAS';
    case 'mfence':
      return 'F';
    case 'rfence':
      return 'nF';
    case 'poll':
      return 'P';
    case 'set':
    case 'test':
    case 'choose':
    case 'end':
      return undefined;
  }
}

/** Where a thread may go on after an operation. */
export function successorsOf(op: FlowOp): readonly OpId[] {
  switch (op.kind) {
    case 'end':
      return [];
    case 'test':
      return [op.then, op.else];
    case 'choose':
      return op.to;
    case 'read':
    case 'write':
    case 'cas':
    case 'mfence':
    case 'rfence':
    case 'poll':
    case 'set':
      return [op.next];
  }
}

/**
 * The graph of a thread without `wait`. It is built from the end to the start, so that the next operation is always
 * known. A loop gets a placeholder as its head, which is removed in the end.
 */
export function loopsFlowOf(thread: Thread): Flow {
  const ops: FlowOp[] = [{ kind: 'end' }];
  const END = 0;
  const registers = thread.registers.length;
  let readSlots = 0;
  const push = (op: FlowOp): OpId => ops.push(op) - 1;
  const readSlot = (k: number): FlowSlot => {
    readSlots = Math.max(readSlots, k + 1);
    return registers + k;
  };

  const valueIn = (e: Expression, locations: readonly LocationId[]): SlotValue => {
    const visit = (x: Expression): SlotValue => {
      switch (x.kind) {
        case 'int':
          return int(x.value);
        case 'register':
          return named(x.register);
        case 'location':
          return named(readSlot(locations.indexOf(x.location)));
        case 'unary':
          return unary(x.op, visit(x.arg));
        case 'binary':
          return binary(x.op, visit(x.left), visit(x.right));
      }
    };
    return visit(e);
  };

  /** One `lR` for each location of an expression, from left to right, and then what follows. */
  const reading = (e: Expression, span: Span, then: (value: SlotValue) => OpId): OpId => {
    const locations = locationsOf(e);
    const next = then(valueIn(e, locations));
    return reads(locations, span, next);
  };

  const reads = (locations: readonly LocationId[], span: Span, next: OpId): OpId =>
    locations.reduceRight(
      (next, location, k) =>
        push({ kind: 'read', label: 'lR', location, into: readSlot(k), next, span }),
      next,
    );

  const store = (to: Target, value: SlotValue, span: Span, next: OpId): OpId =>
    to.kind === 'register'
      ? push({ kind: 'set', slot: to.register, value, span, next })
      : push({ kind: 'write', label: 'lW', location: to.location, value, span, next });

  const test = (condition: SlotValue, span: Span, then: OpId, otherwise: OpId): OpId => {
    if (condition.kind === 'int') return condition.value !== 0 ? then : otherwise;
    return push({ kind: 'test', condition, then, else: otherwise, span });
  };

  const assume = (condition: Expression, span: Span, next: OpId): OpId => {
    const locations = locationsOf(condition);
    if (locations.length === 0) {
      return test(valueIn(condition, []), span, next, END);
    }
    const must = valueIn(condition, locations);
    const last = locations.length - 1;
    const final = push({
      kind: 'read',
      label: 'lR',
      location: locations[last],
      into: readSlot(last),
      must,
      next,
      span,
    });
    return reads(locations.slice(0, last), span, final);
  };

  const loop = (i: Extract<Instruction, { kind: 'loop' }>, next: OpId): OpId => {
    const { span } = i;
    const head = push({ kind: 'choose', to: [], span });
    const inside = body(i.body, head);
    const entry =
      i.condition === undefined
        ? push({ kind: 'choose', to: [inside, next], span })
        : reading(i.condition, span, (condition) => test(condition, span, inside, next));
    ops[head] = { kind: 'choose', to: [entry], span };
    return head;
  };

  const instruction = (given: Instruction, next: OpId): OpId => {
    const i = viewed(given);
    const { span } = i;
    switch (i.kind) {
      case 'assign':
        return reading(i.value, span, (value) => store(i.target, value, span, next));
      case 'get':
      case 'put': {
        const { from, to } = i;
        const [first, second] =
          i.kind === 'get' ? (['nrR', 'nlW'] as const) : (['nlR', 'nrW'] as const);
        const into = readSlot(0);
        const value = named(into);
        const on = { towards: { node: i.node, queuePair: i.queuePair }, span };
        const write = push({ kind: 'write', label: second, location: to, value, next, ...on });
        return push({ kind: 'read', label: first, location: from, into, next: write, ...on });
      }
      case 'cas': {
        const into = readSlot(0);
        const { location } = i;
        const [expected, desired] = [valueIn(i.expected, []), valueIn(i.desired, [])];
        const after = store(i.target, named(into), span, next);
        return push({ kind: 'cas', location, expected, desired, into, next: after, span });
      }
      case 'mfence':
        return push({ kind: 'mfence', next, span });
      case 'poll':
      case 'rfence':
        return push({
          kind: i.kind,
          towards: { node: i.node, queuePair: i.queuePair },
          next,
          span,
        });
      case 'assume':
        return assume(i.condition, span, next);
      case 'if':
        return reading(i.condition, span, (condition) =>
          test(condition, span, body(i.then, next), body(i.else, next)),
        );
      case 'choose': {
        const to = i.branches.map((branch) => body(branch, next));
        return push({ kind: 'choose', to, span });
      }
      case 'loop':
        return loop(i, next);
      case 'faa':
      case 'xchg':
      case 'remote-atomic':
      case 'wait':
        throw new Error(`${i.kind}: see notInstrumented`);
    }
  };

  const body = (list: readonly Instruction[], next: OpId): OpId =>
    list.reduceRight((next, i) => instruction(i, next), next);

  const start = body(thread.body, END);
  const read = Array.from({ length: readSlots }, (_, k) => `read ${k + 1}`);
  return tidied(ops, start, [...thread.registers, ...read]);
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
