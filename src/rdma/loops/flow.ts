import type { RdmaLabel, Towards } from '../instructions.js';
import { queuePairKey } from '../instructions.js';
import type { Span } from '../../parse/diagnostics/index.js';
import type { LocationId } from '../../program/program.js';
import type { ExpressionOver } from '../../program/expression.js';

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
  'towards' in op && op.towards !== undefined ? queuePairKey(op.towards) : undefined;

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
