import type { Machine } from '../machine/machine.js';
import type { Model } from '../model/term.js';
import type { RunQuery } from '../program/program.js';
import type { Found } from './answer.js';
import { inLines, restsOn, shownBy, sizeOf } from './answer.js';
import type { Fairness } from './liveness.js';
import { FairSets, firstStuck, roundIn } from './liveness.js';
import type { Run } from './runs.js';
import { runTo, stepsIn } from './runs.js';
import type { Explored } from './search.js';
import { Numbers } from './store.js';

/** Queries about what is put off for ever. */
export type Liveness = Extract<RunQuery, { quantifier: 'progress' | 'deadlock' }>;

/** Steps that others can take away again have to be fair in the strong sense, or one of them may be passed over for ever. */
export const ASSUMED = 'each thread and each call goes on where it can (weak fairness)';
const STRONG =
  'a call goes on where it can again and again, even if others come first (strong fairness)';

/** How many queries are decided by one exploration: a state has a bit for each. */
export const MOST_WAITS = 30;

/** What questions about endless runs need to know of each state: who waits, and which threads may stay for ever. One bit for each. */
export class Waiting {
  readonly waiting = new Numbers();
  readonly resting = new Numbers();
  /** Is something only impossible because there is no room? Nothing is said to be put off for ever by that. */
  readonly cramped = new Numbers();
  constructor(
    private readonly machine: Machine,
    private readonly waits: number,
  ) {}

  see(s: Int32Array): void {
    const { machine, waits } = this;
    const { layout, codes } = machine;
    let [waiting, resting] = [0, 0];
    for (let k = 0; k < waits; k++) if (s[layout.waits + k] === 1) waiting |= 1 << k;
    for (let t = 0; t < codes.length; t++) {
      if (machine.isAtRest(t, machine.controlOf(s, t).place)) resting |= 1 << t;
    }
    this.waiting.push(waiting);
    this.resting.push(resting);
  }
}

const bitsOf = (bits: readonly boolean[]): number =>
  bits.reduce((all, bit, k) => (bit ? all | (1 << k) : all), 0);

/** Judges endless runs by the states that there are, and the steps between them. */
export class EndlessRuns {
  private readonly about: ReturnType<typeof restsOn>;
  private readonly fairness: Fairness;
  private sets: FairSets | undefined;

  constructor(
    private readonly explored: Explored,
    private readonly seen: Waiting,
    private readonly room: number,
    private readonly model: Model,
  ) {
    this.about = restsOn(explored, room);
    const { actors } = explored.machine;
    this.fairness = { strong: (actor) => actors.isContested(actor) };
  }

  /** @param bit which of those who wait it is about, of `progress` */
  decide(query: Liveness, bit: number): Found {
    if (query.quantifier === 'deadlock') return this.deadlock();
    // Of a query with `always`, whatever stays as it is.
    return this.progress(bit, query.from === 'always' ? [0, 1] : [1]);
  }

  private readonly isCramped = (s: number): boolean => this.seen.cramped.get(s) === 1;

  private deadlock(): Found {
    const { explored, about } = this;
    const { machine, states } = explored;
    const graph = explored.graph!;
    const everybody = bitsOf(machine.codes.map(() => true));
    const stuckUnless = (isGood: (s: number) => boolean): number | undefined =>
      firstStuck(graph, states, (e) => graph.actor(e) !== machine.actors.idle, {
        state: (s) => this.seen.resting.get(s) === everybody || isGood(s),
        step: (e) => graph.passes(e),
      });
    const stuck = stuckUnless(this.isCramped);
    if (stuck !== undefined) {
      const run = runTo(explored, stuck);
      return this.fails(run, inLines(machine, stepsIn(run)));
    }
    if (about.full !== undefined && stuckUnless(() => false) !== undefined) return this.cramping();
    return { verdict: 'holds', ...about };
  }

  /** @param stuck what is noted of those who wait, for as long as a run is put off */
  private progress(bit: number, stuck: readonly number[]): Found {
    const { explored, about, fairness, seen } = this;
    const { machine, states } = explored;
    const graph = explored.graph!;
    const sets = (this.sets ??= new FairSets(graph, states, machine.actors));
    const noted = (s: number): number => (seen.waiting.get(s) >>> bit) & 1;
    const starving = (
      by: Fairness,
      isAllowed: (s: number) => boolean,
    ): readonly number[] | undefined => {
      for (const value of stuck) {
        const isIn = (s: number): boolean => noted(s) === value && isAllowed(s);
        const found = sets.find(by, isIn);
        if (found !== undefined) return found;
      }
      return undefined;
    };
    let set = starving(fairness, (s) => !this.isCramped(s));
    if (set === undefined) {
      if (about.full !== undefined && starving(fairness, () => true) !== undefined) {
        return this.cramping();
      }
      const needed = starving({ strong: () => false }, () => true) !== undefined;
      return { verdict: 'holds', ...about, assuming: needed ? [ASSUMED, STRONG] : [ASSUMED] };
    }
    // The fewer threads take part, the better it is understood.
    let rest = 0;
    for (const t of machine.codes.keys()) {
      const wanted = rest | (1 << t);
      const smaller = starving(
        fairness,
        (s) => !this.isCramped(s) && (seen.resting.get(s) & wanted) === wanted,
      );
      if (smaller === undefined) continue;
      rest = wanted;
      set = smaller;
    }
    const steps = roundIn(graph, set, machine.actors, fairness);
    const first = steps[0]?.from ?? set.reduce((a, b) => Math.min(a, b));
    const run = runTo(explored, first);
    const round = steps.map(({ from, to, actor }) =>
      explored.steps(from, (found, by) => found === to && by === actor),
    );
    const once = { ...run, moves: [...run.moves, ...round] };
    return this.fails(once, inLines(machine, stepsIn(run), round.flat()));
  }

  private fails(run: Run, lines: Pick<Found, 'run' | 'round' | 'steps'>): Found {
    const { explored, model } = this;
    const found: Found = { verdict: 'fails', ...lines, ...sizeOf(explored) };
    return shownBy(explored.machine, model, run, found);
  }

  /** Something is put off for ever, but perhaps only because there is no room. */
  private cramping(): Found {
    const { full = [], ...about } = this.about;
    return {
      verdict: 'unknown',
      reason: `too many were unfinished of ${full.join(', ')}: there is room for ${this.room}, and more may change the answer`,
      ...about,
    };
  }
}
