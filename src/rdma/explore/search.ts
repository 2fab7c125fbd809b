import { codecOf } from './codec.js';
import type { Layout } from './layout.js';
import type { Actors } from './machine.js';
import { Machine, actorsOf } from './machine.js';
import type { Mirror } from './mirror.js';
import type { Slot } from './op.js';
import { Undefined } from './op.js';
import type { Permutation } from './permutations.js';
import type { Step } from './step.js';
import { Numbers, Store } from './store.js';
import { symmetryOf } from './symmetry.js';

/** What keeps an exploration from going on for ever. */
export interface Limits {
  /** How many states are remembered. */
  readonly states?: number;
  /** How many bytes they may take. */
  readonly memory?: number;
  /** When to give up, as `performance.now()` counts. */
  readonly deadline?: number;
}

export const DEFAULT_STATES = 50_000_000;
export const DEFAULT_MEMORY = 4 * 2 ** 30;

/** How many states are looked at to find out what holds identities of symmetric threads. */
const LEARNED = 10_000;

/** What to do with the states that are found. */
export interface Watch {
  /** Hears of each state when it is found, with its index. The search ends if this returns true. */
  state?(s: Int32Array, index: number): boolean;
  /**
   * Hears of a step with which an assertion fails, and of the state before it, which is -1 for what is done before the
   * first state. Ends the search in the same way.
   */
  failed?(from: number): boolean;
  /** Hears of each state, in order, when all its steps are known: whether there would be others with more room in buffers. */
  expanded?(waits: boolean): void;
  /** Hears of a state from which there is no step. */
  end?(s: Int32Array): void;
  /** Hears, now and then, how many states there are. */
  progress?(states: number): void;
  /** Do the questions stay the same if symmetric threads change places so? If not given, no use is made of that. */
  isSame?(p: Permutation, holdsIdentities: (slot: Slot) => boolean): boolean;
}

/** The states that were reached, with a way to each of them, and the steps between them if they were kept. */
export interface Explored {
  readonly machine: Machine;
  readonly actors: Actors;
  readonly states: number;
  /** How many bytes they take. */
  readonly size: number;
  /** In how many ways symmetric threads can change places: each state stands for all that they make of it so. */
  readonly ways: number;
  /** Why the search was given up, if it was. */
  readonly incomplete?: string;
  readonly graph?: Graph;
  /** Reads a state. */
  load(index: number, s: Int32Array): void;
  /** What is done at once, before the first state. */
  beginning(): readonly Step[];
  /** The states on a shortest way to a state, from the first one on. */
  wayTo(index: number): readonly number[];
  /** What is done on the first way from a state of which something is true: to which state, whose, with a failed assertion. */
  steps(from: number, is: (to: number, actor: number, failed: boolean) => boolean): readonly Step[];
}

/** All steps between states: those from state i are at `first(i)` up to `first(i + 1)`. */
export interface Graph {
  readonly steps: number;
  first(state: number): number;
  to(step: number): number;
  actor(step: number): number;
  /** Does a thread pass a mark, or come to its end? */
  passes(step: number): boolean;
}

/**
 * Goes through all states that a program can reach, breadth first, so that ways are as short as can be.
 *
 * @param keep whether the steps between states are kept, for questions about endless runs
 * @param learner compares the steps of symmetric threads: states are those that there are, and none stands for others
 */
export function explore(
  layout: Layout,
  watch: Watch,
  keep: boolean,
  limits: Limits,
  learner?: Mirror,
): Explored {
  const { states = DEFAULT_STATES, memory = DEFAULT_MEMORY, deadline = Infinity } = limits;
  const machine = new Machine(layout);
  const actors = actorsOf(layout);
  const codec = codecOf(layout);
  const store = new Store();
  const before = new Numbers();
  const [first, targets, labels] = [new Numbers(), new Numbers(), new Numbers()];
  const from = new Int32Array(layout.size);
  let ended = false;
  let expanded = -1;
  let arrived = false;
  let encode = codec.encode;
  let ways = 1;

  const makeSymmetric = (): void => {
    if (watch.isSame === undefined || layout.program.symmetric === undefined || !layout.reduce) {
      return;
    }
    const learn = (mirror: Mirror): void => {
      explore(layout, {}, false, { states: LEARNED }, mirror);
    };
    const symmetry = symmetryOf(layout, codec, (p, holds) => watch.isSame!(p, holds), learn);
    if (symmetry === undefined) return;
    machine.mirror = symmetry.mirror;
    ways = symmetry.mirror.permutations.length;
    encode = symmetry.encode;
  };

  const arrive = (actor: number): void => {
    arrived = true;
    if (machine.failed && watch.failed?.(expanded) === true) {
      ended = true;
    }
    const at = store.add(codec.bytes, encode(machine.s));
    if (keep) {
      targets.push(at < 0 ? ~at : at);
      labels.push(2 * actor + Number(machine.passed));
    }
    if (at < 0) return;
    before.push(expanded);
    if (watch.state?.(machine.s, at) === true) ended = true;
  };

  const size = (): number => store.size + before.size + first.size + targets.size + labels.size;
  const trouble = (): string | undefined => {
    if (store.count > states) return `limit of ${states} states reached`;
    if ((expanded & 1023) !== 0) return undefined;
    watch.progress?.(store.count);
    if (performance.now() > deadline) return `time limit reached after ${store.count} states`;
    if (size() <= memory) return undefined;
    const limit = Math.round(memory / 2 ** 20);
    return `memory limit of ${limit} MiB reached after ${store.count} states`;
  };

  const load = (index: number, s: Int32Array): void =>
    codec.decode(store.piece(index), store.start(index), s);

  const run = (): string | undefined => {
    machine.mirror = learner;
    makeSymmetric();
    machine.reset();
    // Constants are in no state's bytes.
    from.set(machine.s);
    if (machine.discarded) return undefined;
    arrive(0);
    targets.length = 0;
    labels.length = 0;
    for (expanded = 0; expanded < store.count && !ended; expanded++) {
      const why = trouble();
      if (why !== undefined) return why;
      if (keep) first.push(targets.length);
      load(expanded, from);
      arrived = false;
      const waits = machine.successors(from, actors, arrive);
      watch.expanded?.(waits);
      if (!arrived) watch.end?.(from);
    }
    first.push(targets.length);
    return undefined;
  };

  let incomplete: string | undefined;
  try {
    incomplete = run();
  } catch (error) {
    if (!(error instanceof Undefined)) throw error;
    incomplete = error.message;
  }

  /** What the machine does meanwhile. */
  const listen = (act: (told: readonly Step[]) => void): void => {
    const steps: Step[] = [];
    machine.told = steps;
    act(steps);
    machine.told = undefined;
  };

  const beginning = (): readonly Step[] => {
    let done: readonly Step[] = [];
    listen((told) => {
      machine.reset();
      done = told;
    });
    return done;
  };

  // Where threads are symmetric, a run goes on in the state where it is, and not in the one that stands for it.
  const here = { index: -1, s: new Int32Array(layout.size) };

  const steps: Explored['steps'] = (source, is) => {
    if (source === here.index) from.set(here.s);
    else load(source, from);
    let found: readonly Step[] | undefined;
    listen((told) =>
      machine.successors(from, actors, (actor) => {
        const at = store.find(codec.bytes, encode(machine.s));
        if (found !== undefined || !is(at, actor, machine.failed)) return;
        found = [...told];
        here.index = at;
        here.s.set(machine.s);
      }),
    );
    return found ?? [];
  };

  return {
    ...{ machine, actors, states: store.count, size: size(), ways, incomplete },
    ...{ load, beginning, steps },
    graph: keep
      ? {
          steps: targets.length,
          first: (state) => first.get(state),
          to: (step) => targets.get(step),
          actor: (step) => labels.get(step) >> 1,
          passes: (step) => (labels.get(step) & 1) === 1,
        }
      : undefined,
    wayTo(index) {
      const way: number[] = [];
      for (let at = index; at >= 0; at = before.get(at)) way.push(at);
      return way.reverse();
    },
  };
}
