import { numberOf } from '../../parse/fold.js';
import type { Operations } from '../../model/instructions/operations.js';
import { operationsOf } from '../../model/instructions/operations.js';
import type { Operation } from '../../model/instructions/set.js';
import type {
  Call,
  Expression,
  Instruction,
  LocationId,
  Program,
  Target,
  Thread,
} from '../../program/program.js';
import type { PerformedEvent, End, GivenNumber, UseState } from './replay-use.js';
import { replayUse } from './replay-use.js';
import { locationsOf } from '../../program/accessed.js';
import { limitOf } from '../../program/counted.js';

export type { PerformedEvent } from './replay-use.js';

type Loop = Extract<Instruction, { kind: 'loop' }>;

/**
 * The rest of a thread: the instructions of a body from some index on, or further iterations, and what follows. Paths
 * that meet again share the same object.
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
 * Runs a thread's instructions against the actions that it should have performed, directly by the declarations of
 * operations, without unrolling and symbolic values. Free choices are found by search. `bound` is that of loops without
 * one of their own.
 *
 * @param registers the final registers; undefined if the thread may stop anywhere, with any registers
 * @returns whether some path performs exactly these actions and ends with these registers
 */
export function replay(
  program: Program,
  thread: Thread,
  actions: readonly PerformedEvent[],
  registers: readonly (number | undefined)[] | undefined,
  bound: number,
): boolean {
  return new Replay(program, thread, actions, registers, bound).run();
}

class Replay {
  private readonly operations: Operations;
  private readonly rests = new Rests();
  private readonly choices = new Map<Rest, Set<string>>();
  /** May the thread stop at some place, with all actions taken? */
  private stopped = false;

  constructor(
    private readonly program: Program,
    private readonly thread: Thread,
    private readonly actions: readonly PerformedEvent[],
    private readonly registers: readonly (number | undefined)[] | undefined,
    private readonly bound: number,
  ) {
    this.operations = operationsOf(program.instructions);
  }

  run(): boolean {
    const { registers, body } = this.thread;
    const start: UseState = { at: 0, registers: registers.map(() => 0) };
    // Paths are as long as programs, so the places that are open are in a list, and not on the stack.
    const open: Place[] = [{ state: start, rest: this.rests.within(body, undefined) }];
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      const { state, rest } = place;
      if (rest !== undefined) open.push(...this.step(state, rest).toReversed());
      else if (this.isEnd(state)) return true;
    }
    return this.stopped;
  }

  private isEnd({ at, registers }: UseState): boolean {
    return at === this.actions.length && (this.registers ?? []).every((v, r) => registers[r] === v);
  }

  /** Notes a place where the thread may stop: all actions are taken, and none failed on the way. */
  private pass({ at }: UseState): void {
    this.stopped ||= this.registers === undefined && at === this.actions.length;
  }

  // Instructions.

  /** The places after one instruction, or after one evaluation of a loop's condition. */
  private step(state: UseState, rest: NonNullable<Rest>): readonly Place[] {
    if ('loop' in rest) {
      const isChoice = rest.loop.condition === undefined;
      if (isChoice && this.isMet(state, rest)) return [];
      return this.iterate(state, rest.loop, rest.left, rest.then);
    }
    const { body, from } = rest;
    if (body[from].kind === 'choose' && this.isMet(state, rest)) return [];
    return this.instruction(body[from], state, this.rests.within(body, rest.then, from + 1));
  }

  /** Was a choice reached before, with the same registers and actions? Then it need not be tried again. */
  private isMet({ at, registers }: UseState, rest: NonNullable<Rest>): boolean {
    const met = get(this.choices, rest, () => new Set<string>());
    const key = `${at} ${registers.join()}`;
    return met.has(key) || !met.add(key);
  }

  private instruction(i: Instruction, state: UseState, then: Rest): readonly Place[] {
    const after = (states: readonly UseState[]) => states.map((s) => ({ state: s, rest: then }));
    this.pass(state);
    switch (i.kind) {
      case 'assign': {
        const value = this.evaluate(i.value, state);
        return value === undefined ? [] : after(this.store(i.target, value.value, value.state));
      }
      case 'call':
        return after(this.call(i, state));
      case 'assume': {
        const condition = this.evaluate(i.condition, state);
        if (condition !== undefined && condition.value !== 0) return after([condition.state]);
        // A thread may wait here.
        if (condition !== undefined) this.pass(condition.state);
        return [];
      }
      case 'if': {
        const condition = this.evaluate(i.condition, state);
        if (condition === undefined) return [];
        const branch = condition.value !== 0 ? i.then : i.else;
        return [{ state: condition.state, rest: this.rests.within(branch, then) }];
      }
      case 'choose':
        return i.branches.map((branch) => ({ state, rest: this.rests.within(branch, then) }));
      case 'loop':
        return this.iterate(state, i, limitOf(i, this.thread, this.bound), then);
    }
  }

  private iterate(state: UseState, loop: Loop, left: number, then: Rest): readonly Place[] {
    this.pass(state);
    const again = (s: UseState): readonly Place[] => {
      if (left === 0) return [];
      return [
        { state: s, rest: this.rests.within(loop.body, this.rests.again(loop, left - 1, then)) },
      ];
    };
    if (loop.condition === undefined) return [{ state, rest: then }, ...again(state)];
    const condition = this.evaluate(loop.condition, state);
    if (condition === undefined) return [];
    return condition.value === 0
      ? [{ state: condition.state, rest: then }]
      : again(condition.state);
  }

  // Operations and values.

  private call(i: Call, state: UseState): readonly UseState[] {
    const given: GivenNumber[] = [];
    let current = state;
    for (const argument of i.arguments) {
      if (argument.kind !== 'value') {
        given.push(argument);
        continue;
      }
      const evaluated = this.evaluate(argument.value, current);
      if (evaluated === undefined) return [];
      given.push({ kind: 'number', value: evaluated.value });
      current = evaluated.state;
    }
    if (i.into !== undefined) given.push(i.into);
    if (i.work !== undefined) given.push({ kind: 'work', work: i.work });
    const { result } = i;
    const operation = this.operations.called(i);
    return this.uses(operation, given, current, i.tags).flatMap((end) =>
      result === undefined ? [end.state] : this.store(result, end.value!, end.state),
    );
  }

  private evaluate(
    e: Expression,
    state: UseState,
  ): { readonly state: UseState; readonly value: number } | undefined {
    const seen = new Map<LocationId, number>();
    let current = state;
    for (const location of locationsOf(e)) {
      const taken = this.uses(this.operations.read, [{ kind: 'place', location }], current)[0];
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
  private store(target: Target, writes: number, state: UseState): readonly UseState[] {
    if (target.kind === 'register') {
      return [{ ...state, registers: state.registers.with(target.register, writes) }];
    }
    const place = { kind: 'place', location: target.location } as const;
    const given = [place, { kind: 'number', value: writes } as const];
    return this.uses(this.operations.write, given, state).map((end) => end.state);
  }

  /**
   * The ends of one use of an operation: a free choice has several, and a use that does not fit the actions has none.
   */
  private uses(
    operation: Operation,
    given: readonly GivenNumber[],
    from: UseState,
    tags: readonly string[] = [],
  ): readonly End[] {
    const { program, actions, thread } = this;
    const { node: here, queuePairs = [] } = thread;
    const place = { program, actions, here, tags, queuePairs };
    return replayUse(place, operation, given, from, (state, wanted) => this.take(state, wanted));
  }

  /** Takes the next action if it is as described, and returns the value that it read. */
  private take(
    state: UseState,
    wanted: Omit<PerformedEvent, 'reads'>,
  ): { readonly state: UseState; readonly read: number } | undefined {
    const action = this.actions[state.at];
    this.pass(state);
    if (action === undefined) return undefined;
    for (const key of ['label', 'location', 'node', 'queuePair', 'work', 'writes'] as const) {
      if (action[key] !== wanted[key]) return undefined;
    }
    return { state: { ...state, at: state.at + 1 }, read: action.reads ?? 0 };
  }
}

/** Makes objects for the rest of a thread, the same one for the same rest. */
class Rests {
  private readonly made = new Map<Rest, Map<object, Map<number, Rest>>>();

  /** A body from some index on, and what follows. */
  within(body: readonly Instruction[], then: Rest, from = 0): Rest {
    if (from === body.length) return then;
    return this.shared(then, body, from, () => ({ body, from, then }));
  }

  /** Further iterations of a loop, and what follows. */
  again(loop: Loop, left: number, then: Rest): Rest {
    return this.shared(then, loop, left, () => ({ loop, left, then }));
  }

  private shared(then: Rest, what: object, number: number, make: () => Rest): Rest {
    const known = get(
      get(this.made, then, () => new Map()),
      what,
      () => new Map<number, Rest>(),
    );
    return get(known, number, make);
  }
}

/** The value of a key in a map, which is made if it is missing. */
function get<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
