import { applyBinary, applyUnary } from '../../program/arithmetic.js';
import type {
  Effect,
  PlaceId,
  ProcessPlace,
  StateFormula,
  System,
  ThreadAction,
} from './system.js';

/** Explores a system state by state, breadth first, so that a run that is found has the fewest steps. */

export interface SystemLimits {
  /** How many states may be remembered. */
  readonly limit: number;
  /** When to give up, as `performance.now()` counts. */
  readonly deadline: number;
}

/** One thing that a thread has done, in the order of the simulation. */
export interface PerformedAction extends ThreadAction {
  readonly thread: number;
}

export interface SystemSearch {
  readonly states: number;
  /** A run to the goal, if the goal can be reached. */
  readonly run?: readonly PerformedAction[];
  /** Why not everything was explored: too many states, or too little time. */
  readonly incomplete?: 'states' | 'time';
  /** Some process was cut: it came to the bound of a counter. */
  readonly cut: boolean;
  /** Some run of the program has an undefined value. */
  readonly undefined: boolean;
  /** Some value was beyond the exact integers. What follows it was not explored. */
  readonly inexact: boolean;
}

type VariableValues = number[];

interface CompiledChoice {
  readonly guard: (values: VariableValues) => boolean;
  /** Changes the values. Returns whether all of them are exact. */
  readonly act: (values: VariableValues) => boolean;
  readonly to?: PlaceId;
  readonly told?: ThreadAction;
}

interface CompiledPlace extends Pick<ProcessPlace, 'urgent' | 'stop'> {
  readonly phases: readonly (readonly CompiledChoice[])[];
}

/** One state that a step leads to. */
interface Arrival {
  readonly values: VariableValues;
  readonly done: readonly ThreadAction[];
}

/** Explores a system from all its starts at once. */
export function exploreSystem(system: System, { limit, deadline }: SystemLimits): SystemSearch {
  const machine = new CompiledSystem(system);
  const reached = new ReachedStates(machine, system);
  machine.starts.forEach((values, s) => reached.arrive(values, -1, s, 0));
  let incomplete: SystemSearch['incomplete'];
  for (let head = 0; head < reached.size && reached.goal === undefined; head++) {
    if (reached.size > limit) incomplete = 'states';
    else if (head % 256 === 0 && performance.now() > deadline) incomplete = 'time';
    if (incomplete !== undefined) break;
    reached.goOnFrom(head);
  }
  return {
    states: reached.size,
    cut: reached.cut,
    undefined: reached.undefined,
    inexact: machine.inexact,
    run: reached.goal === undefined ? undefined : reached.runTo(reached.goal),
    incomplete,
  };
}

/** A system whose formulas are functions. A state is the values of the variables, and then the place of each process. */
class CompiledSystem {
  /** The variables and places that tell states apart. */
  readonly kept: readonly number[];
  readonly initial: VariableValues;
  readonly starts: readonly VariableValues[];
  readonly isComplete: (values: VariableValues) => boolean;
  readonly matches: (values: VariableValues) => boolean;
  /** Was some value beyond the exact integers? */
  inexact = false;
  private readonly size: number;
  private readonly places: readonly (readonly CompiledPlace[])[];

  constructor({ variables, processes, starts, goal }: System) {
    this.size = variables.length;
    const packed = variables.flatMap((v, id) => (v.scratch === true ? [] : [id]));
    this.kept = [...packed, ...processes.map((_, p) => this.size + p)];
    this.initial = [...variables.map((v) => v.initial), ...processes.map(() => 0)];
    this.starts = starts.map(({ effects }) => {
      const values = this.initial.slice();
      acting(effects)(values);
      return values;
    });
    this.isComplete = truth(goal.cycle);
    this.matches = truth(goal.memory);
    this.places = processes.map(({ places }) =>
      places.map((place) => ({
        urgent: place.urgent,
        stop: place.stop,
        phases: place.phases.map(({ choices }) =>
          choices.map((c): CompiledChoice => ({
            guard: truth(c.guard),
            act: acting(c.effects),
            to: c.to,
            told: c.told,
          })),
        ),
      })),
    );
  }

  hasStopped(values: VariableValues, why: ProcessPlace['stop']): boolean {
    return this.places.some((places, p) => places[values[this.size + p]].stop === why);
  }

  /** All states that one step of a process leads to, in a fixed order. */
  stepsOf(process: number, before: VariableValues): readonly Arrival[] {
    const found: Arrival[] = [];
    const at = this.size + process;
    const places = this.places[process];
    const phase = (values: VariableValues, index: number, done: readonly ThreadAction[]): void => {
      const choices = places[values[at]].phases[index];
      if (choices === undefined) return;
      for (const { guard, act, to, told } of choices) {
        if (!guard(values)) continue;
        const next = values.slice();
        if (!act(next)) {
          this.inexact = true;
          continue;
        }
        const now = told === undefined ? done : [...done, told];
        if (to === undefined) {
          phase(next, index + 1, now);
          continue;
        }
        next[at] = to;
        if (places[to].urgent) phase(next, 0, now);
        else found.push({ values: next, done: now });
      }
    };
    phase(before, 0, []);
    return found;
  }
}

/** The states that are reached, in the order in which they are. */
class ReachedStates {
  /** The first state that is the goal. */
  goal: number | undefined;
  cut = false;
  undefined = false;
  private readonly seen = new Set<string>();
  private readonly states: string[] = [];
  // For each state: the state before, the process that moved, and which of its arrivals it is.
  private readonly from: number[] = [];
  private readonly process: number[] = [];
  private readonly nth: number[] = [];

  constructor(
    private readonly machine: CompiledSystem,
    private readonly system: System,
  ) {}

  get size(): number {
    return this.states.length;
  }

  arrive(values: VariableValues, from: number, process: number, nth: number): void {
    const { machine, seen, states } = this;
    const key = pack(values, machine.kept);
    if (seen.has(key)) return;
    const done = machine.isComplete(values);
    const fits = machine.matches(values);
    this.cut ||= machine.hasStopped(values, 'cut');
    this.undefined ||= fits && machine.hasStopped(values, 'undefined');
    // A normal form ends with the event `e` that completes its cycle: `e` is in all cycles and can be simulated
    // last (Theorem 5.1). So nothing after a complete cycle is explored.
    if (done && !fits) return;
    seen.add(key);
    states.push(key);
    this.from.push(from);
    this.process.push(process);
    this.nth.push(nth);
    if (done) this.goal = states.length - 1;
  }

  /** Takes all steps from a state, until one comes to the goal. */
  goOnFrom(state: number): void {
    const values = this.valuesOf(state);
    for (let p = 0; p < this.system.processes.length && this.goal === undefined; p++) {
      const arrivals = this.machine.stepsOf(p, values);
      for (let n = 0; n < arrivals.length && this.goal === undefined; n++) {
        this.arrive(arrivals[n].values, state, p, n);
      }
    }
  }

  runTo(state: number): readonly PerformedAction[] {
    const run: PerformedAction[] = [];
    for (let at = state; ;) {
      const from = this.from[at];
      if (from < 0) return run;
      const process = this.process[at];
      const { done } = this.machine.stepsOf(process, this.valuesOf(from))[this.nth[at]];
      const { thread } = this.system.processes[process];
      run.unshift(...done.map((told) => ({ ...told, thread })));
      at = from;
    }
  }

  private valuesOf(state: number): VariableValues {
    return unpack(this.states[state], this.machine.kept, this.machine.initial.slice());
  }
}

function acting(effects: readonly Effect[]): (values: VariableValues) => boolean {
  const all = effects.map(({ variable, value }) => ({ variable, value: compiled(value) }));
  return (values) => {
    for (const { variable, value } of all) {
      const found = value(values);
      if (!Number.isSafeInteger(found)) return false;
      values[variable] = found;
    }
    return true;
  };
}

function truth(f: StateFormula): (values: VariableValues) => boolean {
  const value = compiled(f);
  return (values) => value(values) !== 0;
}

/** A formula as a function. `&&` and `||` do not evaluate the right side if the left one decides, as in C. */
function compiled(f: StateFormula): (values: VariableValues) => number {
  switch (f.kind) {
    case 'int': {
      const { value } = f;
      return () => value;
    }
    case 'name': {
      const { name } = f;
      return (values) => values[name];
    }
    case 'unary': {
      const { op } = f;
      const arg = compiled(f.arg);
      return op === '!'
        ? (values) => (arg(values) === 0 ? 1 : 0)
        : (values) => applyUnary(op, arg(values));
    }
    case 'binary': {
      const { op } = f;
      const left = compiled(f.left);
      const right = compiled(f.right);
      switch (op) {
        case '&&':
          return (values) => (left(values) !== 0 && right(values) !== 0 ? 1 : 0);
        case '||':
          return (values) => (left(values) !== 0 || right(values) !== 0 ? 1 : 0);
        case '=':
          return (values) => (left(values) === right(values) ? 1 : 0);
        case '+':
          return (values) => left(values) + right(values);
        case '-':
        case '*':
        case '/':
        case '%':
        case '!=':
        case '<':
        case '<=':
        case '>':
        case '>=':
          return (values) => applyBinary(op, left(values), right(values)) ?? NaN;
      }
    }
  }
}

/** Numbers from -NEAR to NEAR are packed into one character. Others are written out after the character FAR. */
const NEAR = 0x6000;
const FAR = 0xffff;

/** A string for a state. Two states have the same string exactly if they are equal. */
function pack(values: VariableValues, kept: readonly number[]): string {
  const codes: number[] = [];
  for (const id of kept) {
    const v = values[id];
    if (v >= -NEAR && v < NEAR) codes.push(v >= 0 ? v * 2 : -v * 2 - 1);
    else codes.push(FAR, ...[...`${v} `].map((c) => c.charCodeAt(0)));
  }
  return String.fromCharCode(...codes);
}

function unpack(state: string, kept: readonly number[], into: VariableValues): VariableValues {
  let at = 0;
  for (const id of kept) {
    const code = state.charCodeAt(at++);
    if (code !== FAR) into[id] = code % 2 === 0 ? code / 2 : -(code + 1) / 2;
    else {
      const end = state.indexOf(' ', at);
      into[id] = Number(state.slice(at, end));
      at = end + 1;
    }
  }
  return into;
}
