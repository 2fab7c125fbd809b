import type { Span } from '../parse/diagnostics/index.js';
import { instructionsOf } from '../program/instructions.js';
import type { FlowStep } from '../program/flow/graph.js';
import type * as core from '../program/program.js';
import type { Update, UpdateKind } from './update.js';
import { operandsOfUpdate, withOperands } from './update.js';
import { operationCalled } from '../program/call-forms.js';

/**
 * The one instruction set that the theories of this folder are about: that of the TSO paper (section 3), with waits as
 * in the LOCO paper, remote atomics, and fetch-and-add and exchange of the CPU. `viewed` reads a call of a program as
 * one of these instructions, and `callFor` makes such a call. These theories do not cover other operations of an
 * instruction set.
 */

interface At {
  readonly span: Span;
}

/** One of a thread's queue pairs. */
export interface Towards {
  /** The node at its other end. */
  readonly node: string;
  /** Its name, if it has one. */
  readonly queuePair?: string;
}

export type PutOrGet = {
  /** `get`: `from` is remote; `put`: `to` is remote. */
  readonly kind: 'get' | 'put';
  readonly from: core.LocationId;
  readonly to: core.LocationId;
  readonly work?: string;
} & Towards &
  At;

/**
 * An atomic that the NIC of another node performs on `location`. The old value arrives in `into`, as that of a get does.
 * The thread computes the operands when it issues the operation.
 */
export type RemoteAtomic = {
  readonly kind: 'remote-atomic';
  readonly update: Update<core.Expression>;
  readonly into: core.LocationId;
  readonly location: core.LocationId;
  readonly work?: string;
} & Towards &
  At;

/** The names of remote atomics in model files. */
const REMOTE: Readonly<Record<UpdateKind, string>> = { cas: 'rcas', faa: 'rfaa', xchg: 'rxchg' };
export const REMOTE_ATOMICS: readonly string[] = Object.values(REMOTE);
export const remoteNameOf = (kind: UpdateKind): string => REMOTE[kind];

/** An atomic of the CPU on memory of its node. */
export type LocalAtomic = Extract<RdmaOperation, { readonly kind: UpdateKind }>;

/** The labels of its events, without those of remote atomics. */
export type RdmaLabel =
  | ('lR' | 'lW' | 'CAS' | 'FAA' | 'XCHG' | 'F' | 'P' | 'WT')
  | ('nlR' | 'nrW' | 'nrR' | 'nlW' | 'nF');

export type RdmaOperation =
  | PutOrGet
  | RemoteAtomic
  | ({
      readonly kind: 'cas';
      readonly target: core.Target;
      readonly location: core.LocationId;
      readonly expected: core.Expression;
      readonly desired: core.Expression;
    } & At)
  | ({
      /** Fetch-and-add, and exchange: `value` is added, or written. */
      readonly kind: 'faa' | 'xchg';
      readonly target: core.Target;
      readonly location: core.LocationId;
      readonly value: core.Expression;
    } & At)
  | ({ readonly kind: 'mfence' } & At)
  | ({ readonly kind: 'poll' } & Towards & At)
  | ({ readonly kind: 'rfence' } & Towards & At)
  | ({ readonly kind: 'wait'; readonly work: string } & At);

/** An instruction as these theories see it. Its bodies have instructions of programs. */
export type RdmaInstruction = Exclude<core.Instruction, core.Call> | RdmaOperation;

const views = new WeakMap<core.Call, RdmaOperation>();

/**
 * An instruction of a program as these theories see it: the same object for the same call.
 *
 * @throws Error if these theories do not cover it; `isUnknown` tests this
 */
export function viewed(i: core.Call): RdmaOperation;
export function viewed(i: core.Instruction): RdmaInstruction;
export function viewed(i: core.Instruction): RdmaInstruction {
  if (i.kind !== 'call') return i;
  const before = views.get(i);
  if (before !== undefined) return before;
  const made = view(i);
  if (made === undefined) throw new Error(`'${i.operation}' is not known here`);
  views.set(i, made);
  return made;
}

/** The call that a step of a flow graph makes, as these theories see it. */
export const viewedIn = (step: FlowStep): RdmaOperation | undefined =>
  step.kind === 'use' && step.use.call !== undefined ? viewed(step.use.call) : undefined;

/** Is this a call that these theories do not cover? */
export const isUnknown = (i: core.Instruction): i is core.Call =>
  i.kind === 'call' && !views.has(i) && view(i) === undefined;

/** Is it a poll whose value is used: the status of what it polls? */
export const asksStatus = (i: core.Instruction): boolean =>
  i.kind === 'call' && i.operation === 'poll' && i.result !== undefined;

/** A put of a value, in the form that its one tag chooses: it has no source in memory. */
const isSourceless = (i: core.Instruction): i is core.Call =>
  i.kind === 'call' &&
  i.operation === 'put' &&
  i.words === undefined &&
  i.tags?.length === 1 &&
  i.arguments[0]?.kind === 'value' &&
  i.into?.kind === 'place';

/**
 * As `viewed`, for theories that ask when calls are posted and completed, and not what they read: a put of a value
 * is seen as one from the location that it writes, and a poll for its status as a poll.
 */
export function viewedAsPosted(i: core.Instruction): RdmaInstruction {
  if (i.kind === 'call' && asksStatus(i) && i.arguments[0].kind === 'peer') {
    const { node, name } = i.arguments[0];
    return { kind: 'poll', node, queuePair: name, span: i.span };
  }
  if (!isSourceless(i)) return viewed(i);
  const { span, work } = i;
  const { location, node, queuePair } = i.into as core.PlaceArgument;
  return { kind: 'put', from: location, to: location, node: node!, queuePair, work, span };
}

/** The first operation of a program that `viewedAsPosted` does not cover. */
export function unknownOperation({ threads }: core.Program): string | undefined {
  const all = threads.flatMap(({ body }) => [...instructionsOf(body)]);
  const found = all.find((i): i is core.Call => isUnknown(i) && !isSourceless(i) && !asksStatus(i));
  return found && operationCalled(found);
}

/** The instructions of a body, those inside others included, as `viewedAsPosted`. */
export const postedViewsOf = (body: readonly core.Instruction[]): readonly RdmaInstruction[] =>
  [...instructionsOf(body)].map(viewedAsPosted);

/** Every instruction of a body as these theories see it, those inside others included, in textual order. */
export function* viewsOf(body: readonly core.Instruction[]): Generator<RdmaInstruction> {
  for (const i of instructionsOf(body)) yield viewed(i);
}

/** Is it posted on a queue pair and completed by the NIC, so that it can be polled or waited for? */
export const isPosted = (i: RdmaInstruction): i is PutOrGet | RemoteAtomic =>
  i.kind === 'get' || i.kind === 'put' || i.kind === 'remote-atomic';

/** What an atomic of the CPU does to its location. */
export const updateOf = (i: LocalAtomic): Update<core.Expression> =>
  i.kind === 'cas' ? i : { kind: i.kind, value: i.value };

/** The key of a queue pair among those of its thread: `2`, or `2.a`. */
export const queuePairKey = ({ node, queuePair }: Towards): string =>
  queuePair === undefined ? node : `${node}.${queuePair}`;

/** A queue pair in a sentence: `node 2` for the thread's unnamed one, or `queue pair 2.a`. */
export const towardsInWords = (towards: Towards): string =>
  towards.queuePair === undefined ? `node ${towards.node}` : `queue pair ${queuePairKey(towards)}`;

/** Tags of atomics that say which order they need: the CPUs of these theories always have it. */
const ORDERS: readonly string[] = ['a', 'l', 'al'];

function view(call: core.Call): RdmaOperation | undefined {
  // A poll of a completion queue is for no queue pair.
  if (call.arguments.some(({ kind }) => kind === 'completions')) return undefined;
  const { operation, words, arguments: given, span, work } = call;
  const tags = call.tags?.filter((tag) => !ORDERS.includes(tag)) ?? [];
  if (tags.length > 0 || words !== undefined) return undefined;
  // The operations below have no objects of libraries.
  const into = call.into?.kind === 'place' ? call.into : undefined;
  const [first, second, third] = given;
  switch (operation) {
    case 'put':
    case 'get': {
      const [from, to] = [first as core.PlaceArgument, into!];
      const { node, queuePair } = operation === 'put' ? to : from;
      const between = { from: from.location, to: to.location };
      return { kind: operation, ...between, node: node!, queuePair, work, span };
    }
    case 'faa':
    case 'xchg':
      return {
        kind: operation,
        target: call.result!,
        location: (first as core.PlaceArgument).location,
        value: valueOf(second),
        span,
      };
    case 'CAS':
      return {
        kind: 'cas',
        // Without a target, the value is dropped: a hidden register would do.
        target: call.result!,
        location: (first as core.PlaceArgument).location,
        expected: valueOf(second),
        desired: valueOf(third),
        span,
      };
    case 'mfence':
      return { kind: 'mfence', span };
    case 'poll':
    case 'rfence': {
      // A poll that asks for the status is for queue pairs that may break.
      if (asksStatus(call)) return undefined;
      const { node, name } = first as Extract<core.Argument, { kind: 'peer' }>;
      return { kind: operation, node, queuePair: name, span };
    }
    case 'wait':
      return { kind: 'wait', work: (first as Extract<core.Argument, { kind: 'work' }>).work, span };
    default: {
      const kind = UPDATES.find((kind) => REMOTE[kind] === operation);
      if (kind === undefined) return undefined;
      const { location, node, queuePair } = first as core.PlaceArgument;
      const update = withOperands(kind, given.slice(1).map(valueOf));
      const on = { into: into!.location, location, node: node!, queuePair, work, span };
      return { kind: 'remote-atomic', update, ...on };
    }
  }
}

const UPDATES = Object.keys(REMOTE) as readonly UpdateKind[];

const valueOf = (argument: core.Argument): core.Expression =>
  (argument as Extract<core.Argument, { kind: 'value' }>).value;

const value = (e: core.Expression): core.Argument => ({ kind: 'value', value: e });

/** The call of a program that `viewed` turns into this instruction. */
export function callFor(operation: RdmaOperation): core.Call {
  const made = call(operation);
  views.set(made, operation);
  return made;
}

function call(operation: RdmaOperation): core.Call {
  const { kind, span } = operation;
  switch (operation.kind) {
    case 'put':
    case 'get': {
      const { node, queuePair, work } = operation;
      const near = { kind: 'place' } as const;
      const far = { kind: 'place', node, queuePair } as const;
      const isPut = operation.kind === 'put';
      const from = { ...(isPut ? near : far), location: operation.from };
      const into = { ...(isPut ? far : near), location: operation.to };
      return { kind: 'call', operation: kind, arguments: [from], into, work, short: true, span };
    }
    case 'remote-atomic': {
      const { location, node, queuePair, update, work } = operation;
      const place = { kind: 'place', location, node, queuePair } as const;
      const given = [place, ...operandsOfUpdate(update).map(value)];
      const into = { kind: 'place', location: operation.into } as const;
      return { kind: 'call', operation: REMOTE[update.kind], arguments: given, into, work, span };
    }
    case 'faa':
    case 'xchg': {
      const { location, target: result } = operation;
      const given = [{ kind: 'place', location } as const, value(operation.value)];
      return { kind: 'call', operation: kind, arguments: given, result, span };
    }
    case 'cas': {
      const { location, expected, desired, target: result } = operation;
      const given = [{ kind: 'place', location } as const, value(expected), value(desired)];
      return { kind: 'call', operation: 'CAS', arguments: given, result, span };
    }
    case 'mfence':
      return { kind: 'call', operation: kind, arguments: [], span };
    case 'poll':
    case 'rfence': {
      const { node, queuePair: name } = operation;
      return { kind: 'call', operation: kind, arguments: [{ kind: 'peer', node, name }], span };
    }
    case 'wait': {
      const given = [{ kind: 'work', work: operation.work } as const];
      return { kind: 'call', operation: kind, arguments: given, span };
    }
  }
}
