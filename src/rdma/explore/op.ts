import type { LocationId } from '../../program/program.js';
import type { UpdateKind } from '../update.js';

/** Index into the vector that is a state: see `Layout`. */
export type Slot = number;

/** The value of an expression in a state. Throws `Undefined` where it has none. */
export type Compute = (s: Int32Array) => number;

/** A value is undefined, or larger than the exploration can take: nothing is known of the program then. */
export class Undefined extends Error {}

export type OpKind =
  /** Reads a location into a slot. */
  | 'read'
  | 'write'
  /** An atomic of the CPU: what it finds goes to a slot. */
  | 'update'
  | 'mfence'
  | 'poll'
  /** Puts a remote operation on a queue pair. */
  | 'request'
  | 'set'
  | 'assume'
  | 'assert'
  /** Jumps if its value is 0. */
  | 'unless'
  | 'goto'
  /** Goes on at one of its targets. */
  | 'choose'
  /** Goes on, or stays for ever. */
  | 'rest'
  /** Passes a point, or enters a block. */
  | 'pass'
  /** Does nothing, but in a moment of its own. */
  | 'stop';

/** One small step of a thread. All have the same fields, for speed; those without meaning for a kind have no use. */
export interface Op {
  readonly kind: OpKind;
  /** Is it a step of its own, which comes at any time? If not, it is taken as soon as it is possible, if that is sound. */
  visible: boolean;
  /** The step behind the last one that is taken in the same moment; 0 where there is no such one. */
  until: number;
  readonly location: LocationId;
  readonly slot: Slot;
  readonly value: Compute;
  readonly desired: Compute;
  readonly update: UpdateKind;
  readonly queuePair: number;
  readonly request: number;
  targets: readonly number[];
  readonly passing: readonly (readonly [Slot, number])[];
  /** The block that a `stop` leaves, or the mark that a `pass` passes. */
  readonly leaves: string;
  /** The slots that it reads. */
  readonly uses: readonly Slot[];
}

const nothing: Compute = () => 0;

export const op = (kind: OpKind, about: Partial<Op>): Op => ({
  kind,
  visible: about.visible ?? false,
  until: 0,
  location: about.location ?? 0,
  slot: about.slot ?? -1,
  value: about.value ?? nothing,
  desired: about.desired ?? nothing,
  update: about.update ?? 'cas',
  queuePair: about.queuePair ?? -1,
  request: about.request ?? -1,
  targets: about.targets ?? [],
  passing: about.passing ?? [],
  leaves: about.leaves ?? '',
  uses: about.uses ?? [],
});

/** May a thread stay for ever where this is its next step? Undefined: it has come to its end. */
export const isAtRest = (next: Op | undefined): boolean =>
  next === undefined || (next.kind === 'rest' && next.visible);

/** Where a thread can be behind a step. */
export function nextOf({ kind, targets }: Op, at: number): readonly number[] {
  if (kind === 'unless') return [at + 1, ...targets];
  const jumps = kind === 'goto' || kind === 'choose' || kind === 'rest';
  return jumps ? targets : [at + 1];
}
