import { numberOf } from '../../parse/fold.js';
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
import type { Action, End, GivenNumber, UseState } from './replay-use.js';
import { replayUse } from './replay-use.js';
import { locationsOf } from '../../program/accessed.js';
import { limitOf } from '../../program/counted.js';

export type { Action } from './replay-use.js';

type Loop = Extract<Instruction, { kind: 'loop' }>;

/**
 * What a thread has yet to do: instructions of a body from some index on, or further iterations, and what follows. Paths
 * that meet again have the same object.
 */
type Rest =
  | undefined
  | { readonly body: readonly Instruction[]; readonly from: number; readonly then: Rest }
  | { readonly loop: Loop; readonly left: number; readonly then: Rest };

/** Where a thread is on a path. */
interface Place {
  readonly state: UseState;
  readonly rest: Rest;
}

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
  const start: UseState = { at: 0, registers: thread.registers.map(() => 0) };
  let stopped = false;
  const rests = new Map<Rest, Map<object, Map<number, Rest>>>();
  const choices = new Map<Rest, Set<string>>();
  // Paths are as long as programs, so the places that are open are in a list, and not on the stack.
  const open: Place[] = [{ state: start, rest: within(thread.body, undefined) }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { state, rest } = place;
    if (rest !== undefined) open.push(...step(state, rest).toReversed());
    else if (isEnd(state)) return true;
  }
  return stopped;

  function isEnd({ at, registers: ends }: UseState): boolean {
    return at === actions.length && (registers ?? []).every((v, r) => ends[r] === v);
  }

  /** Notes a place where the thread may stop: all actions are taken, and none failed on the way. */
  function pass({ at }: UseState): void {
    stopped ||= registers === undefined && at === actions.length;
  }

  /** Takes the next action if it is as described; gives what it read. */
  function take(
    state: UseState,
    wanted: Omit<Action, 'reads'>,
  ): { readonly state: UseState; readonly read: number } | undefined {
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
    state: UseState,
  ): { readonly state: UseState; readonly value: number } | undefined {
    const seen = new Map<LocationId, number>();
    let current = state;
    for (const location of locationsOf(e)) {
      const taken = uses(operations.read, [{ kind: 'place', location }], current)[0];
      if (taken === undefined) return undefined;
      seen.set(location, taken.value!);
      current = taken.state;
    }
    const value = numberOf(e, (leaf) =>
      leaf.kind === 'location' ? seen.get(leaf.location) : state.registers[leaf.register],
    );
    return value === undefined ? undefined : { state: current, value };
  }

  /** The states after a value was written. */
  function store(
    target: Extract<Instruction, { kind: 'assign' }>['target'],
    writes: number,
    state: UseState,
  ): readonly UseState[] {
    if (target.kind === 'register') {
      return [{ ...state, registers: state.registers.with(target.register, writes) }];
    }
    const place = { kind: 'place', location: target.location } as const;
    const ends = uses(operations.write, [place, { kind: 'number', value: writes }], state);
    return ends.map((end) => end.state);
  }

  /** Where one use of an operation may end: a free choice has several ends, and a wrong one none. */
  function uses(
    operation: Operation,
    given: readonly GivenNumber[],
    from: UseState,
  ): readonly End[] {
    return replayUse(program, operation, given, thread.node, from, actions, take);
  }

  /** A body from some index on, and what follows. */
  function within(list: readonly Instruction[], then: Rest, from = 0): Rest {
    if (from === list.length) return then;
    return shared(then, list, from, () => ({ body: list, from, then }));
  }

  function shared(then: Rest, what: object, number: number, make: () => Rest): Rest {
    const known = get(
      get(rests, then, () => new Map()),
      what,
      () => new Map<number, Rest>(),
    );
    return get(known, number, make);
  }

  /** Was a choice met before, with the same registers and actions? Then it has led nowhere. */
  function isMet({ at, registers: values }: UseState, rest: NonNullable<Rest>): boolean {
    const met = get(choices, rest, () => new Set<string>());
    const key = `${at} ${values.join()}`;
    return met.has(key) || !met.add(key);
  }

  /** The places after one instruction, or after one look at a loop. */
  function step(state: UseState, rest: NonNullable<Rest>): readonly Place[] {
    if ('loop' in rest) {
      const isChoice = rest.loop.condition === undefined;
      if (isChoice && isMet(state, rest)) return [];
      return iterate(state, rest.loop, rest.left, rest.then);
    }
    const { body, from } = rest;
    if (body[from].kind === 'choose' && isMet(state, rest)) return [];
    return instruction(body[from], state, within(body, rest.then, from + 1));
  }

  function instruction(i: Instruction, state: UseState, then: Rest): readonly Place[] {
    const after = (states: readonly UseState[]) => states.map((s) => ({ state: s, rest: then }));
    pass(state);
    switch (i.kind) {
      case 'assign': {
        const value = evaluate(i.value, state);
        return value === undefined ? [] : after(store(i.target, value.value, value.state));
      }
      case 'call':
        return after(call(i, state));
      case 'assume': {
        const condition = evaluate(i.condition, state);
        return condition === undefined || condition.value === 0 ? [] : after([condition.state]);
      }
      case 'if': {
        const condition = evaluate(i.condition, state);
        if (condition === undefined) return [];
        const branch = condition.value !== 0 ? i.then : i.else;
        return [{ state: condition.state, rest: within(branch, then) }];
      }
      case 'choose':
        return i.branches.map((branch) => ({ state, rest: within(branch, then) }));
      case 'loop':
        return iterate(state, i, limitOf(i, thread, bound), then);
    }
  }

  function call(i: Call, state: UseState): readonly UseState[] {
    const given: GivenNumber[] = [];
    let current = state;
    for (const argument of i.arguments) {
      if (argument.kind !== 'value') {
        given.push(argument);
        continue;
      }
      const evaluated = evaluate(argument.value, current);
      if (evaluated === undefined) return [];
      given.push({ kind: 'number', value: evaluated.value });
      current = evaluated.state;
    }
    if (i.into !== undefined) given.push(i.into);
    if (i.work !== undefined) given.push({ kind: 'work', work: i.work });
    const { result } = i;
    return uses(operations.named(i.operation, i.tag), given, current).flatMap((end) =>
      result === undefined ? [end.state] : store(result, end.value!, end.state),
    );
  }

  function further(loop: Loop, left: number, then: Rest): Rest {
    return shared(then, loop, left, () => ({ loop, left, then }));
  }

  function iterate(state: UseState, loop: Loop, left: number, then: Rest): readonly Place[] {
    pass(state);
    const again = (s: UseState): readonly Place[] =>
      left > 0 ? [{ state: s, rest: within(loop.body, further(loop, left - 1, then)) }] : [];
    if (loop.condition === undefined) return [{ state, rest: then }, ...again(state)];
    const condition = evaluate(loop.condition, state);
    if (condition === undefined) return [];
    return condition.value === 0
      ? [{ state: condition.state, rest: then }]
      : again(condition.state);
  }
}

/** What a map has for a key; it is made where there is nothing yet. */
function get<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
