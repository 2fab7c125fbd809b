import type { Label } from '../../model/bases.js';
import { applyBinary, applyUnary } from '../../program/arithmetic.js';
import type { Expression, Instruction, LocationId, Thread } from '../../program/program.js';
import { locationsOf } from '../../program/accessed.js';

/** An event as a thread performs it, with its concrete values. */
export interface Action {
  readonly label: Label;
  readonly location?: LocationId;
  readonly node?: string;
  readonly work?: string;
  readonly reads?: number;
  readonly writes?: number;
}

interface Progress {
  readonly at: number;
  readonly registers: readonly number[];
}

type Next = (state: Progress) => boolean;

/**
 * Runs a thread's instructions against the actions that it is said to have performed, straight
 * from the definition of label sequences (TSO paper, Fig. 23), with no unrolling and no symbols. Free
 * choices are found by search. `bound` is that of loops without one of their own.
 *
 * @param registers undefined: the thread may stop anywhere, whatever its registers are then
 * @returns whether some path performs just these actions and ends with these registers
 */
export function replay(
  thread: Thread,
  actions: readonly Action[],
  registers: readonly (number | undefined)[] | undefined,
  bound: number,
): boolean {
  const start: Progress = { at: 0, registers: thread.registers.map(() => 0) };
  let stopped = false;
  const finished = body(
    thread.body,
    start,
    (s) => s.at === actions.length && (registers ?? []).every((v, r) => s.registers[r] === v),
  );
  return finished || stopped;

  /** Notes a place where the thread may stop: all actions are taken, and none failed on the way. */
  function pass({ at }: Progress): void {
    stopped ||= registers === undefined && at === actions.length;
  }

  /** Takes the next action if it is as described; gives what it read. */
  function take(
    state: Progress,
    wanted: Omit<Action, 'reads'>,
  ): { readonly state: Progress; readonly read: number } | undefined {
    const action = actions[state.at];
    pass(state);
    if (action === undefined) return undefined;
    for (const key of ['label', 'location', 'node', 'work', 'writes'] as const) {
      if (action[key] !== wanted[key]) return undefined;
    }
    return { state: { ...state, at: state.at + 1 }, read: action.reads ?? 0 };
  }

  function evaluate(
    e: Expression,
    state: Progress,
  ): { readonly state: Progress; readonly value: number } | undefined {
    const seen = new Map<LocationId, number>();
    let current = state;
    for (const location of locationsOf(e)) {
      const taken = take(current, { label: 'lR', location });
      if (taken === undefined) return undefined;
      seen.set(location, taken.read);
      current = taken.state;
    }
    const visit = (x: Expression): number | undefined => {
      switch (x.kind) {
        case 'int':
          return x.value;
        case 'location':
          return seen.get(x.location);
        case 'register':
          return state.registers[x.register];
        case 'unary': {
          const arg = visit(x.arg);
          return arg === undefined ? undefined : applyUnary(x.op, arg);
        }
        case 'binary': {
          const [l, r] = [visit(x.left), visit(x.right)];
          return l === undefined || r === undefined ? undefined : applyBinary(x.op, l, r);
        }
      }
    };
    const value = visit(e);
    return value === undefined ? undefined : { state: current, value };
  }

  function store(
    target: Extract<Instruction, { kind: 'assign' }>['target'],
    writes: number,
    state: Progress,
    next: Next,
  ): boolean {
    if (target.kind === 'register') {
      const registers = state.registers.map((v, r) => (r === target.register ? writes : v));
      return next({ ...state, registers });
    }
    const taken = take(state, { label: 'lW', location: target.location, writes });
    return taken !== undefined && next(taken.state);
  }

  function body(list: readonly Instruction[], state: Progress, next: Next): boolean {
    if (list.length === 0) return next(state);
    const [first, ...rest] = list;
    return instruction(first, state, (s) => body(rest, s, next));
  }

  function instruction(i: Instruction, state: Progress, next: Next): boolean {
    pass(state);
    const simple = (wanted: Omit<Action, 'reads'>) => {
      const taken = take(state, wanted);
      return taken !== undefined && next(taken.state);
    };
    switch (i.kind) {
      case 'assign': {
        const value = evaluate(i.value, state);
        return value !== undefined && store(i.target, value.value, value.state, next);
      }
      case 'get':
      case 'put': {
        const { from, to, node, work } = i;
        const [first, second] =
          i.kind === 'get' ? (['nrR', 'nlW'] as const) : (['nlR', 'nrW'] as const);
        const read = take(state, { label: first, location: from, node });
        if (read === undefined) return false;
        const tag = work === undefined ? {} : { work };
        const write = { label: second, location: to, node, writes: read.read, ...tag };
        const written = take(read.state, write);
        return written !== undefined && next(written.state);
      }
      case 'cas': {
        const expected = evaluate(i.expected, state);
        const desired = expected && evaluate(i.desired, expected.state);
        if (desired === undefined) return false;
        const { location } = i;
        const swap = take(desired.state, { label: 'CAS', location, writes: desired.value });
        if (swap !== undefined && swap.read === expected!.value) {
          return store(i.target, swap.read, swap.state, next);
        }
        const fence = take(desired.state, { label: 'F' });
        const read = fence && take(fence.state, { label: 'lR', location });
        if (read === undefined || read.read === expected!.value) return false;
        return store(i.target, read.read, read.state, next);
      }
      case 'mfence':
        return simple({ label: 'F' });
      case 'poll':
        return simple({ label: 'P', node: i.node });
      case 'rfence':
        return simple({ label: 'nF', node: i.node });
      case 'wait':
        return simple({ label: 'WT', work: i.work });
      case 'assume': {
        const condition = evaluate(i.condition, state);
        return condition !== undefined && condition.value !== 0 && next(condition.state);
      }
      case 'if': {
        const condition = evaluate(i.condition, state);
        if (condition === undefined) return false;
        return body(condition.value !== 0 ? i.then : i.else, condition.state, next);
      }
      case 'choose':
        return i.branches.some((branch) => body(branch, state, next));
      case 'loop':
        return loop(i, i.bound ?? bound, state, next);
    }
  }

  function loop(
    i: Extract<Instruction, { kind: 'loop' }>,
    left: number,
    state: Progress,
    next: Next,
  ): boolean {
    const again = (s: Progress): boolean =>
      left > 0 && body(i.body, s, (t) => loop(i, left - 1, t, next));
    pass(state);
    if (i.condition === undefined) return next(state) || again(state);
    const condition = evaluate(i.condition, state);
    if (condition === undefined) return false;
    return condition.value === 0 ? next(condition.state) : again(condition.state);
  }
}
