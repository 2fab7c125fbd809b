import type { Graph } from './graph.js';

/** Who takes steps: `count` of them, of whom `idle` need not take one, ever. */
interface Actors {
  readonly count: number;
  readonly idle: number;
}

/** Which steps cannot be put off for ever. */
export interface Fairness {
  /** Actors whose steps are taken, if they are possible again and again, and not only if they stay possible. */
  readonly strong: (actor: number) => boolean;
}

/** Sets of states of a graph in which a run may stay for ever. What one search needs is kept for the next one. */
export class FairSets {
  /** By state: the last region that it was in. */
  private readonly region: Int32Array;
  private readonly component: Int32Array;
  private readonly components: Components;
  private readonly states: Int32Array;
  private regions = 0;

  constructor(
    private readonly graph: Graph,
    private readonly count: number,
    private readonly actors: Actors,
  ) {
    this.region = new Int32Array(count).fill(-1);
    this.component = new Int32Array(count).fill(-1);
    this.states = new Int32Array(count);
    this.components = new Components(graph, count, actors, this.region, this.component);
  }

  /**
   * A set of states that are strongly connected, so that a run may go round in it for ever and be fair: each actor that is
   * weakly fair takes a step in it, or has none somewhere in it; each that is strongly fair takes one, or has none anywhere.
   * (A state alone counts, if nobody who is fair has a step there.)
   *
   * @param allowed the states that the set may have
   * @returns the states of one such set; undefined if there is none
   */
  find({ strong }: Fairness, allowed: (state: number) => boolean): readonly number[] | undefined {
    let count = 0;
    for (let s = 0; s < this.count; s++) if (allowed(s)) this.states[count++] = s;
    const rest: List[] = [this.states.subarray(0, count)];
    for (let states = rest.pop(); states !== undefined; states = rest.pop()) {
      const name = this.regions++;
      for (let i = 0; i < states.length; i++) this.region[states[i]] = name;
      for (const set of this.components.of(states, name)) {
        const passedOver = this.passedOver(set, strong);
        if (passedOver === undefined) continue;
        if (passedOver.length === 0) return set;
        // Where such an actor has no step, nothing has to be taken.
        const others = set.filter((s) => !this.hasStep(s, passedOver));
        if (others.length > 0) rest.push(others);
      }
    }
    return undefined;
  }

  /** Who is passed over for ever by whoever goes round in a set, though not if it stays where they have no step; undefined: they have one everywhere. */
  private passedOver(set: List, strong: Fairness['strong']): readonly number[] | undefined {
    const { graph, actors, component } = this;
    const [moves, enabled, disabled] = [0, 0, 0].map(() => new Uint8Array(actors.count));
    const here = new Int32Array(actors.count).fill(-1);
    const id = component[set[0]];
    for (const s of set) {
      for (let e = graph.first(s); e < graph.first(s + 1); e++) {
        const actor = graph.actor(e);
        here[actor] = s;
        enabled[actor] = 1;
        if (component[graph.to(e)] === id) moves[actor] = 1;
      }
      for (let a = 0; a < actors.count; a++) if (here[a] !== s) disabled[a] = 1;
    }
    const found: number[] = [];
    for (let a = 0; a < actors.count; a++) {
      if (a === actors.idle || moves[a] === 1 || enabled[a] === 0) continue;
      if (disabled[a] === 0) return undefined;
      if (strong(a)) found.push(a);
    }
    return found;
  }

  private hasStep(s: number, actors: readonly number[]): boolean {
    const { graph } = this;
    for (let e = graph.first(s); e < graph.first(s + 1); e++) {
      if (actors.includes(graph.actor(e))) return true;
    }
    return false;
  }
}

type List = ArrayLike<number> & Iterable<number>;

/** Strongly connected components, by Tarjan's algorithm without recursion. */
class Components {
  private readonly index: Int32Array;
  private readonly low: Int32Array;
  private readonly edge: Int32Array;
  private found = 0;

  constructor(
    private readonly graph: Graph,
    count: number,
    private readonly actors: Actors,
    /** Only states of the same region are looked at. */
    private readonly region: Int32Array,
    /** Gets a number of its own for the states of each component. */
    private readonly component: Int32Array,
  ) {
    this.index = new Int32Array(count);
    this.low = new Int32Array(count);
    this.edge = new Int32Array(count);
  }

  /** Goes through the components of some states, without those of one state in which no run can stay. */
  *of(states: List, name: number): Generator<readonly number[]> {
    const { graph, region, component, index, low, edge } = this;
    for (let i = 0; i < states.length; i++) {
      index[states[i]] = 0;
      component[states[i]] = -1;
    }
    let next = 1;
    const way: number[] = [];
    const open: number[] = [];
    const enter = (s: number): void => {
      index[s] = low[s] = next++;
      edge[s] = graph.first(s);
      way.push(s);
      open.push(s);
    };
    for (let i = 0; i < states.length; i++) {
      const start = states[i];
      if (index[start] !== 0) continue;
      enter(start);
      while (way.length > 0) {
        const s = way[way.length - 1];
        if (edge[s] < graph.first(s + 1)) {
          const to = graph.to(edge[s]++);
          if (region[to] !== name) continue;
          if (index[to] === 0) enter(to);
          else if (component[to] === -1) low[s] = Math.min(low[s], index[to]);
          continue;
        }
        way.pop();
        if (way.length > 0) {
          const above = way[way.length - 1];
          low[above] = Math.min(low[above], low[s]);
        }
        if (low[s] !== index[s]) continue;
        const id = this.found++;
        if (open[open.length - 1] === s && this.isLeft(s)) {
          component[open.pop()!] = id;
          continue;
        }
        const set: number[] = [];
        for (let member = -1; member !== s;) {
          member = open.pop()!;
          component[member] = id;
          set.push(member);
        }
        yield set;
      }
    }
  }

  /** Does every step lead away from a state, and one of them cannot be put off for ever? Most states are so. */
  private isLeft(s: number): boolean {
    const { graph, actors } = this;
    let isTaken = false;
    for (let e = graph.first(s); e < graph.first(s + 1); e++) {
      if (graph.to(e) === s) return false;
      isTaken ||= graph.actor(e) !== actors.idle;
    }
    return isTaken;
  }
}

/** One step of a round. */
export interface RoundStep {
  readonly from: number;
  readonly to: number;
  readonly actor: number;
}

/**
 * A round in a fair set, from its first state back to it: it takes a step of each actor that takes one in the set, or
 * goes through a state in which that one has none.
 */
export function roundIn(
  graph: Graph,
  set: readonly number[],
  actors: Actors,
  { strong }: Fairness,
): readonly RoundStep[] {
  const inside = new Set(set);
  const start = set.reduce((a, b) => Math.min(a, b));
  const stepsOf = (s: number): RoundStep[] => {
    const steps: RoundStep[] = [];
    for (let e = graph.first(s); e < graph.first(s + 1); e++) {
      const to = graph.to(e);
      if (inside.has(to)) steps.push({ from: s, to, actor: graph.actor(e) });
    }
    return steps;
  };
  const isIdle = (s: number, actor: number): boolean => {
    for (let e = graph.first(s); e < graph.first(s + 1); e++) {
      if (graph.actor(e) === actor) return false;
    }
    return true;
  };
  const wanted = new Set<number>();
  for (let a = 0; a < actors.count; a++) {
    if (a !== actors.idle && set.some((s) => !isIdle(s, a))) wanted.add(a);
  }
  const round: RoundStep[] = [];
  let at = start;
  const note = (): void => {
    for (const a of wanted) if (!strong(a) && isIdle(at, a)) wanted.delete(a);
  };
  const take = (steps: readonly RoundStep[]): void => {
    for (const step of steps) {
      round.push(step);
      wanted.delete(step.actor);
      at = step.to;
      note();
    }
  };
  /** A shortest way in the set to a step that is wanted. */
  const wayTo = (isGoal: (step: RoundStep) => boolean): readonly RoundStep[] => {
    const reached = new Map<number, RoundStep | undefined>([[at, undefined]]);
    for (const s of reached.keys()) {
      for (const step of stepsOf(s)) {
        if (isGoal(step)) {
          const way = [step];
          for (let b = reached.get(step.from); b !== undefined; b = reached.get(b.from)) {
            way.unshift(b);
          }
          return way;
        }
        if (!reached.has(step.to)) reached.set(step.to, step);
      }
    }
    return [];
  };
  note();
  while (wanted.size > 0) {
    const [actor] = wanted;
    const byStep = wayTo((step) => step.actor === actor);
    const byRest = strong(actor) ? [] : wayTo((step) => isIdle(step.to, actor));
    const [shorter] = [byStep, byRest]
      .filter((way) => way.length > 0)
      .sort((a, b) => a.length - b.length);
    if (shorter === undefined) break;
    take(shorter);
    wanted.delete(actor);
  }
  if (at !== start) take(wayTo((step) => step.to === start));
  return round;
}

/**
 * States from which a run can come to none of some steps any more.
 *
 * @param isGood states and steps that a run should be able to come to
 * @param counts does a step count at all?
 * @returns the first such state; undefined if there is none
 */
export function firstStuck(
  graph: Graph,
  count: number,
  counts: (step: number) => boolean,
  isGood: { readonly state: (state: number) => boolean; readonly step: (step: number) => boolean },
): number | undefined {
  const starts = new Int32Array(count + 1);
  for (let e = 0; e < graph.steps; e++) if (counts(e)) starts[graph.to(e) + 1]++;
  for (let s = 0; s < count; s++) starts[s + 1] += starts[s];
  const sources = new Int32Array(starts[count]);
  const filled = starts.slice();
  const good = new Uint8Array(count);
  const open: number[] = [];
  const reach = (s: number): void => {
    if (good[s] === 1) return;
    good[s] = 1;
    open.push(s);
  };
  for (let s = 0; s < count; s++) {
    if (isGood.state(s)) reach(s);
    for (let e = graph.first(s); e < graph.first(s + 1); e++) {
      if (!counts(e)) continue;
      sources[filled[graph.to(e)]++] = s;
      if (isGood.step(e)) reach(s);
    }
  }
  for (let s = open.pop(); s !== undefined; s = open.pop()) {
    for (let k = starts[s]; k < starts[s + 1]; k++) reach(sources[k]);
  }
  const stuck = good.indexOf(0);
  return stuck < 0 ? undefined : stuck;
}
