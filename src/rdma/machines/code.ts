import type { PutOrGet, Towards } from '../instructions.js';
import { updateOf, viewed } from '../instructions.js';
import type {
  Expression,
  Instruction,
  LocationId,
  RegisterId,
  Target,
  Thread,
} from '../../program/program.js';
import { locationsOf } from '../../program/accessed.js';
import { limitOf } from '../../program/counted.js';
import { postingOf } from './requests.js';
import type { Posting } from './requests.js';
import type { Atomic, Posted, QueuePairId, Request, Transfer, Words } from './state.js';
import type { Update } from '../update.js';
import { operandsOfUpdate, withOperands } from '../update.js';

/** An expression, and the locations whose values must have been read before, in order. */
export interface CodeExpression {
  readonly expression: Expression;
  readonly locations: readonly LocationId[];
}

/**
 * One small step of a thread. `set`, `assume`, `unless`, `goto` and `count` are silent; all others are
 * transitions of the TSO paper's Fig. 6.
 */
export type CodeOp =
  /** `lR`: reads a location for an expression that follows. */
  | { readonly kind: 'read'; readonly location: LocationId }
  | { readonly kind: 'write'; readonly location: LocationId; readonly value: CodeExpression }
  /** An atomic of the CPU. The value that it found counts as read, for the step that follows. */
  | {
      readonly kind: 'update';
      readonly location: LocationId;
      readonly update: Update<CodeExpression>;
    }
  | { readonly kind: 'mfence' }
  | { readonly kind: 'poll'; readonly queuePair: QueuePairId }
  | { readonly kind: 'request'; readonly request: Exclude<Request, Atomic> | Words }
  /** The request of a remote atomic, which takes along the values of its operands. */
  | ({ readonly kind: 'atomic'; readonly update: Update<CodeExpression> } & Pick<
      Atomic,
      'location' | 'into' | 'queuePair' | 'unsignalled'
    >)
  | { readonly kind: 'set'; readonly register: RegisterId; readonly value: CodeExpression }
  | { readonly kind: 'assume'; readonly condition: CodeExpression }
  /** Jumps if the condition does not hold. */
  | { readonly kind: 'unless'; readonly condition: CodeExpression; readonly to: number }
  /** Goes on at any of these. */
  | { readonly kind: 'goto'; readonly to: readonly number[] }
  /** Begins an iteration of a loop. Beyond the bound, the run is given up. */
  | { readonly kind: 'count'; readonly counter: RegisterId; readonly bound: number };

/** A thread as a list of small steps. It has finished when it comes to the end of the list. */
export interface Code {
  readonly ops: readonly CodeOp[];
  /** How many registers there are. The counters of loops are among them, as the last ones. */
  readonly registers: number;
}

/**
 * Compiles a thread to a flat list with jumps. So one number says where a thread is, and states are cheap to
 * compare. The counter of a loop is 0 outside of the loop, so that different runs lead to the same state.
 *
 * @param queuePairTo the thread's queue pair towards a node
 * @param bound the bound of loops that have none of their own
 */
export function compile(
  thread: Thread,
  queuePairTo: (towards: Towards) => QueuePairId,
  bound: number,
): Code {
  const ops: CodeOp[] = [];
  let registers = thread.registers.length;

  /** Fig. 6's rewriting of an expression: one read for each of its locations, left to right. */
  const reading = (expression: Expression): CodeExpression => {
    const locations = locationsOf(expression);
    for (const location of locations) ops.push({ kind: 'read', location });
    return { expression, locations };
  };

  const computed = (update: Update<Expression>): Update<CodeExpression> =>
    withOperands(update.kind, operandsOfUpdate(update).map(reading));

  const store = (target: Target, value: CodeExpression): void => {
    if (target.kind === 'register') ops.push({ kind: 'set', register: target.register, value });
    else ops.push({ kind: 'write', location: target.location, value });
  };

  /** Adds a placeholder, to be replaced by a jump when its targets are known. */
  const later = (): ((op: CodeOp) => void) => {
    const at = ops.push({ kind: 'goto', to: [] }) - 1;
    return (op) => (ops[at] = op);
  };

  const loop = (i: Extract<Instruction, { kind: 'loop' }>): void => {
    const counter = registers++;
    const top = ops.length;
    const condition = i.condition && reading(i.condition);
    const leave = later();
    ops.push({ kind: 'count', counter, bound: limitOf(i, thread, bound) });
    const inside = ops.length - 1;
    i.body.forEach((one) => instruction(one));
    ops.push({ kind: 'goto', to: [top] });
    const to = ops.length;
    leave(condition ? { kind: 'unless', condition, to } : { kind: 'goto', to: [inside, to] });
    ops.push({ kind: 'set', register: counter, value: ZERO });
  };

  /** Posts an operation of several words, or without a completion. */
  const post = ({ words, signalled }: Posting): void => {
    const tags: Posted = signalled ? {} : { unsignalled: true };
    const [only] = words;
    if (words.length === 1) return instruction(only, tags);
    const transfers = words.map((word): Transfer => {
      const { kind, from, to, ...towards } = viewed(word) as PutOrGet;
      return { ...tags, kind, from, to, queuePair: queuePairTo(towards) };
    });
    const { queuePair } = transfers[0];
    ops.push({ kind: 'request', request: { kind: 'words', words: transfers, queuePair } });
  };

  const instruction = (given: Instruction, tags: Posted = {}): void => {
    const posting = postingOf(given);
    if (posting !== undefined) return post(posting);
    const i = viewed(given);
    switch (i.kind) {
      case 'assign':
        return store(i.target, reading(i.value));
      case 'get':
      case 'put': {
        const { kind, from, to } = i;
        const request = { ...tags, kind, from, to, queuePair: queuePairTo(i) };
        ops.push({ kind: 'request', request });
        return;
      }
      case 'rfence':
        ops.push({ kind: 'request', request: { kind: 'rfence', queuePair: queuePairTo(i) } });
        return;
      case 'poll':
        ops.push({ kind: 'poll', queuePair: queuePairTo(i) });
        return;
      case 'mfence':
        ops.push({ kind: 'mfence' });
        return;
      case 'remote-atomic': {
        const { location, into } = i;
        const on = { ...tags, location, into, queuePair: queuePairTo(i) };
        ops.push({ kind: 'atomic', update: computed(i.update), ...on });
        return;
      }
      case 'cas':
      case 'faa':
      case 'xchg': {
        const { location, target } = i;
        ops.push({ kind: 'update', location, update: computed(updateOf(i)) });
        return store(target, {
          expression: { kind: 'location', location },
          locations: [location],
        });
      }
      case 'assume':
        ops.push({ kind: 'assume', condition: reading(i.condition) });
        return;
      case 'if': {
        const condition = reading(i.condition);
        const toElse = later();
        i.then.forEach((one) => instruction(one));
        const toEnd = later();
        toElse({ kind: 'unless', condition, to: ops.length });
        i.else.forEach((one) => instruction(one));
        toEnd({ kind: 'goto', to: [ops.length] });
        return;
      }
      case 'choose': {
        const split = later();
        const branches = i.branches.map((branch) => {
          const start = ops.length;
          branch.forEach((one) => instruction(one));
          return { start, toEnd: later() };
        });
        split({ kind: 'goto', to: branches.map(({ start }) => start) });
        for (const { toEnd } of branches) toEnd({ kind: 'goto', to: [ops.length] });
        return;
      }
      case 'loop':
        return loop(i);
      case 'wait':
        throw new Error('a wait: see unsupported');
    }
  };

  thread.body.forEach((one) => instruction(one));
  return { ops, registers };
}

const ZERO: CodeExpression = { expression: { kind: 'int', value: 0 }, locations: [] };
