import { Undefined } from '../machine/compute.js';
import type { Slot } from '../machine/compute.js';
import type { Actor } from '../machine/actors.js';
import type { Machine, TakenStep } from '../machine/machine.js';
import { codecOf } from './codec.js';
import type { Graph } from './graph.js';
import { Numbers, Store } from './store.js';
import type { Mirror } from './symmetry/mirror.js';
import type { Permutation } from './symmetry/permutations.js';
import { symmetryOf } from './symmetry/symmetry.js';

/** What keeps an exploration from going on for ever. */
export interface Limits {
  /** How many states are remembered. */
  readonly states?: number | undefined;
  /** How many bytes they may take. */
  readonly memory?: number | undefined;
  /** When to give up, as `performance.now()` counts. */
  readonly deadline?: number | undefined;
}

export const DEFAULT_STATES = 50_000_000;
export const DEFAULT_MEMORY = 4 * 2 ** 30;

/** How many states are looked at to find out what holds identities of symmetric threads. */
const LEARNED = 10_000;

/** What to do with the states that are found. Who returns true ends the search. */
export interface Watch {
  /** Hears of each state when it is found, with its index. */
  state?(s: Int32Array, index: number): boolean;
  /** Hears of a step with which an assertion fails, and of the state before it, which is -1 for what is done before the first state. */
  failed?(from: number): boolean;
  /** Hears of each state, in order, when all its steps are known: whether there would be others with more room. */
  expanded?(cramped: boolean): void;
  /** Hears of a state from which there is no step, with its index. */
  end?(s: Int32Array, index: number): boolean;
  /** Hears, now and then, how many states there are. */
  progress?: ((states: number) => void) | undefined;
  /** Do the questions stay the same if symmetric threads change places so? If not given, no use is made of that. */
  isSame?: ((p: Permutation, holdsIdentities: (slot: Slot) => boolean) => boolean) | undefined;
}

/** The states that were reached, with a way to each of them, and the steps between them if they were kept. */
export interface Explored {
  readonly machine: Machine;
  readonly states: number;
  /** How many bytes they take. */
  readonly size: number;
  /** In how many ways symmetric threads can change places: each state stands for all that they make of it so. */
  readonly ways: number;
  /** Why the search was given up, if it was. */
  readonly incomplete?: string;
  readonly graph?: Graph;
  /** What is done at once, before the first state. */
  beginning(): readonly TakenStep[];
  /** The states on a shortest way to a state, from the first one on. */
  wayTo(index: number): readonly number[];
  /** What is done on the first way from a state of which something is true: to which state, whose, with a failed assertion. */
  steps(
    from: number,
    is: (to: number, actor: Actor, failed: boolean) => boolean,
  ): readonly TakenStep[];
}

/**
 * Goes through all states that a machine can reach, breadth first, so that ways are as short as can be.
 *
 * @param keep whether the steps between states are kept, for questions about endless runs
 * @param learner compares the steps of symmetric threads: states are those that there are, and none stands for others
 */
export function explore(
  machine: Machine,
  watch: Watch,
  keep: boolean,
  limits: Limits,
  learner?: Mirror,
): Explored {
  return new Exploration(machine, watch, keep).run(limits, learner);
}

class Exploration {
  private readonly codec;
  private readonly store = new Store();
  private readonly before = new Numbers();
  private readonly first = new Numbers();
  private readonly targets = new Numbers();
  private readonly labels = new Numbers();
  private readonly from: Int32Array;
  private encode: (s: Int32Array) => number;
  private ways = 1;
  /** Where threads are symmetric, a run goes on in the state where it is, and not in the one that stands for it. */
  private readonly here: { index: number; readonly s: Int32Array };
  private ended = false;
  private expanded = -1;
  private arrived = false;

  constructor(
    private readonly machine: Machine,
    private readonly watch: Watch,
    private readonly keep: boolean,
  ) {
    this.codec = codecOf(machine);
    this.encode = (s) => this.codec.encode(s);
    this.from = new Int32Array(machine.layout.size);
    this.here = { index: -1, s: new Int32Array(machine.layout.size) };
  }

  run(limits: Limits, learner: Mirror | undefined): Explored {
    let incomplete: string | undefined;
    try {
      this.machine.mirror = learner;
      this.makeSymmetric();
      incomplete = this.all(limits);
    } catch (error) {
      if (!(error instanceof Undefined)) throw error;
      incomplete = error.message;
    }
    const { machine, store, before, keep } = this;
    return {
      ...{ machine, states: store.count, size: this.size(), ways: this.ways, incomplete },
      ...(keep && { graph: this.graph() }),
      beginning: () => this.told((steps) => (machine.reset(), [...steps])),
      steps: (source, is) => this.steps(source, is),
      wayTo(index) {
        const way: number[] = [];
        for (let at = index; at >= 0; at = before.get(at)) way.push(at);
        return way.reverse();
      },
    };
  }

  private makeSymmetric(): void {
    const { machine, watch, codec } = this;
    const { isSame } = watch;
    // Who came first is between threads, and what waits on a wire is of one: no values that change places with them.
    if (machine.remembersOrder || machine.hasMessages) return;
    if (isSame === undefined || machine.layout.program.symmetric === undefined) return;
    const learn = (mirror: Mirror): void => {
      explore(machine, {}, false, { states: LEARNED }, mirror);
      machine.mirror = undefined;
    };
    const symmetry = symmetryOf(machine, codec, isSame, learn);
    if (symmetry === undefined) return;
    machine.mirror = symmetry.mirror;
    this.ways = symmetry.mirror.permutations.length;
    this.encode = symmetry.encode;
  }

  private all(limits: Limits): string | undefined {
    const { machine, watch, store, from, targets, labels, first } = this;
    if (!machine.reset()) return undefined;
    // What no state's bytes have stays as it is.
    from.set(machine.s);
    this.arrive(0);
    targets.length = 0;
    labels.length = 0;
    for (this.expanded = 0; this.expanded < store.count && !this.ended; this.expanded++) {
      const why = this.trouble(limits);
      if (why !== undefined) return why;
      if (this.keep) first.push(targets.length);
      this.load(this.expanded);
      this.arrived = false;
      const cramped = machine.successors(from, (actor) => this.arrive(actor));
      watch.expanded?.(cramped);
      if (!this.arrived && watch.end?.(from, this.expanded) === true) this.ended = true;
    }
    first.push(targets.length);
    return undefined;
  }

  private arrive(actor: Actor): void {
    const { machine, watch, codec } = this;
    this.arrived = true;
    if (machine.failed && watch.failed?.(this.expanded) === true) this.ended = true;
    const at = this.store.add(codec.bytes, this.encode(machine.s));
    if (this.keep) {
      this.targets.push(at < 0 ? ~at : at);
      this.labels.push(2 * actor + Number(machine.passed));
    }
    if (at < 0) return;
    this.before.push(this.expanded);
    if (watch.state?.(machine.s, at) === true) this.ended = true;
  }

  private trouble(limits: Limits): string | undefined {
    const { states = DEFAULT_STATES, memory = DEFAULT_MEMORY, deadline = Infinity } = limits;
    const { count } = this.store;
    if (count > states) return `limit of ${states} states reached`;
    if ((this.expanded & 1023) !== 0) return undefined;
    this.watch.progress?.(count);
    if (performance.now() > deadline) return `time limit reached after ${count} states`;
    if (this.size() <= memory) return undefined;
    return `memory limit of ${Math.round(memory / 2 ** 20)} MiB reached after ${count} states`;
  }

  private size(): number {
    const lists = [this.store, this.before, this.first, this.targets, this.labels];
    return lists.reduce((sum, { size }) => sum + size, 0);
  }

  private load(index: number): void {
    this.codec.decode(this.store.piece(index), this.store.start(index), this.from);
  }

  private graph(): Graph {
    const { first, targets, labels } = this;
    return {
      steps: targets.length,
      first: (state) => first.get(state),
      to: (step) => targets.get(step),
      actor: (step) => labels.get(step) >> 1,
      passes: (step) => (labels.get(step) & 1) === 1,
    };
  }

  private told<T>(act: (steps: readonly TakenStep[]) => T): T {
    return this.machine.listen(act);
  }

  private steps(source: number, is: Parameters<Explored['steps']>[1]): readonly TakenStep[] {
    const { machine, codec, store, from, here } = this;
    if (source === here.index) from.set(here.s);
    else this.load(source);
    return this.told((told) => {
      let found: readonly TakenStep[] | undefined;
      machine.successors(from, (actor) => {
        const at = store.find(codec.bytes, this.encode(machine.s));
        if (found !== undefined || !is(at, actor, machine.failed)) return;
        found = [...told];
        here.index = at;
        here.s.set(machine.s);
      });
      return found ?? [];
    });
  }
}
