import { applyBinary, applyUnary } from '../../program/arithmetic.js';
import { operationsOf } from '../../model/instructions/operations.js';
import type { Operation } from '../../model/instructions/set.js';
import type {
  Call,
  Expression,
  Instruction,
  LocationId,
  Program,
  Thread,
} from '../../program/program.js';
import type { Action, End, Given, Progress } from './replay-use.js';
import { replayUse } from './replay-use.js';
import { locationsOf } from '../../program/accessed.js';
import { limitOf } from '../../program/counted.js';

export type { Action } from './replay-use.js';

type Next = (state: Progress) => boolean;

/**
 * Runs a thread's instructions against the actions that it is said to have performed, straight
 * from the declarations of operations, with no unrolling and no symbols. Free choices are found by search. `bound` is that of loops without one of their own.
 *
 * @param registers undefined: the thread may stop anywhere, whatever its registers are then
 * @returns whether some path performs just these actions and ends with these registers
 */
export function replay(
  program: Program,
  thread: Thread,
  actions: readonly Action[],
  registers: readonly (number | undefined)[] | undefined,
  bound: number,
): boolean {
  const operations = operationsOf(program.instructions);
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
    for (const key of ['label', 'location', 'node', 'queuePair', 'work', 'writes'] as const) {
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
      const taken = uses(operations.read, [{ kind: 'place', location }], current)[0];
      if (taken === undefined) return undefined;
      seen.set(location, taken.value!);
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
    const place = { kind: 'place', location: target.location } as const;
    const ends = uses(operations.write, [place, { kind: 'number', value: writes }], state);
    return ends.some((end) => next(end.state));
  }

  /** Where one use of an operation may end: a free choice has several ends, and a wrong one none. */
  function uses(operation: Operation, given: readonly Given[], from: Progress): readonly End[] {
    return replayUse(program, operation, given, thread.node, from, actions, take);
  }

  function body(list: readonly Instruction[], state: Progress, next: Next): boolean {
    if (list.length === 0) return next(state);
    const [first, ...rest] = list;
    return instruction(first, state, (s) => body(rest, s, next));
  }

  function instruction(i: Instruction, state: Progress, next: Next): boolean {
    pass(state);
    switch (i.kind) {
      case 'assign': {
        const value = evaluate(i.value, state);
        return value !== undefined && store(i.target, value.value, value.state, next);
      }
      case 'call':
        return call(i, state, next);
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
        return loop(i, limitOf(i, thread, bound), state, next);
    }
  }

  function call(i: Call, state: Progress, next: Next): boolean {
    const given: Given[] = [];
    let current = state;
    for (const argument of i.arguments) {
      if (argument.kind !== 'value') {
        given.push(argument);
        continue;
      }
      const evaluated = evaluate(argument.value, current);
      if (evaluated === undefined) return false;
      given.push({ kind: 'number', value: evaluated.value });
      current = evaluated.state;
    }
    if (i.into !== undefined) given.push(i.into);
    if (i.work !== undefined) given.push({ kind: 'work', work: i.work });
    const { result } = i;
    return uses(operations.named(i.operation, i.tag), given, current).some((end) =>
      result === undefined ? next(end.state) : store(result, end.value!, end.state, next),
    );
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
