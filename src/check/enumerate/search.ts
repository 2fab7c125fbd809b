import type { EventStructure } from '../../program/events/structure.js';
import type { Dependence } from '../../encode/exclusion/dependence.js';
import type { BitRel } from '../../model/relation/matrix.js';
import { interRel, related } from '../../model/relation/matrix.js';
import type { Model } from '../../model/term.js';
import { once } from '../../parse/once.js';
import type { Subject } from '../../program/program.js';
import type { Witness } from '../witness/witness.js';
import type { Construction } from './partial.js';
import type { Reading } from './reading.js';
import { createReading } from './reading.js';
import { canBeLast, finalStateOf, witnessOf } from './results.js';
import type { Guessed } from '../../program/events/guessed.js';
import type { Judge, Room } from './room.js';
import { withRoom } from './room.js';
import type { Space } from './space.js';

/** The input and the callbacks of a search. */
export interface Task {
  readonly structure: EventStructure;
  /** Models over one table of terms: an execution is asked for that is consistent under one of them. */
  readonly models: readonly Model[];
  /** By model. Terms depend on the same under all. */
  readonly dependences: readonly Dependence[];
  /** Counts a candidate. False if it is one too many. */
  readonly judge: () => boolean;
  /** Whether to go on. */
  readonly goOn: () => boolean;
  /** The numbers that a read can read, needed only for a value that comes from itself. */
  readonly numbers: (event: number) => readonly number[];
  /** Called for a value beyond the exact integers: such executions are left out. */
  readonly overflow: () => void;
  /** Called when an execution is found, with its final state if these are asked for, and the models that allow it, as indices. */
  readonly found: (
    witness: () => Witness,
    state: string | undefined,
    under: readonly number[],
  ) => void;
  /** To find one execution for each final state under each model: the states found so far. */
  readonly states?: FinalStates | undefined;
}

export interface FinalStates {
  /** The subjects of final states. */
  readonly subjects: readonly Subject[];
  readonly isFound: (state: string, model: number) => boolean;
}

interface Judging extends Judge {
  /** The bits of the relations that it cannot do without: of others, any pairs are as good. */
  readonly seen: number;
}

/** A class whose events are totally ordered by a relation. */
interface Total {
  readonly order: string;
  readonly members: readonly number[];
}

/** A decision: each alternative does something and says, by bits, which relations it concerns. */
interface Decision {
  readonly alternatives: readonly (() => number)[];
  /** Undoes changes that a snapshot does not have. */
  readonly undo?: () => void;
}

/**
 * Goes through the executions of a space: gives a write to the read with the fewest possible writes, and so on; then
 * orders writes and guesses pair by pair. After each decision, everything is settled for which the definition of
 * executions and the axioms leave one possibility.
 */
export function searchExecutions(space: Space, task: Task): void {
  const { models, dependences } = task;
  withRoom(space.events.length, models, dependences, (room) =>
    new CandidateSearch(space, task, room).run(),
  );
}

class CandidateSearch {
  private readonly made: Construction;
  /** The models that may allow what is made of the execution so far, and of which it is not known yet. */
  private left: readonly Judging[];
  private readonly reading: Reading;
  /** The locations in the final state. */
  private readonly observed: ReadonlySet<number>;
  /** The stamp of reads-from in which all reads and values are known. */
  private complete = -1;
  /** On what terms depend. */
  private readonly dependence: Dependence;
  /** The bit of reads-from. */
  private readonly rf: number;
  /** Modification order of each location, and guessed orders. */
  private readonly totals: readonly Total[];
  private readonly pairs: readonly Guessed[];
  private readonly sources: readonly Guessed[];

  constructor(
    private readonly space: Space,
    private readonly task: Task,
    { made, judges }: Room,
  ) {
    const { structure, dependences, states } = task;
    this.dependence = dependences[0];
    this.rf = this.dependence.bitOf('rf');
    this.made = made;
    made.begin(space);
    const counting = space.guesses.flatMap(({ counted }) =>
      counted.flatMap(({ from, to }) => [from.by, to.by]),
    );
    this.sources = space.guesses.filter((guess) => guess.choices.length > 0);
    const always = ['rf', 'mo', ...counting, ...this.sources.map(({ name }) => name)].reduce(
      (bits, name = '') => bits | this.dependence.bitOf(name),
      0,
    );
    this.left = judges.map((judge, i) => ({ ...judge, seen: dependences[i].seen | always }));
    this.reading = createReading(structure, space, made, task.overflow);
    this.totals = [
      ...space.writes.map((members) => ({ order: 'mo', members })),
      ...space.guesses.flatMap((guess) =>
        guess.classes.map((members) => ({ order: guess.name, members })),
      ),
    ];
    this.pairs = space.guesses.filter((guess) => guess.pairs.length > 0);
    this.observed = new Set(
      states?.subjects.flatMap((s) => (s.kind === 'location' ? [s.location] : [])),
    );
  }

  run(): void {
    this.chooseUnseen();
    if (this.settle(this.dependence.all)) this.explore(0, undefined);
  }

  /** Orders pairs that the model cannot see as in the program, so that they are no choices. */
  private chooseUnseen(): void {
    const { made } = this;
    for (const { name, pairs } of this.pairs) {
      if (this.isSeen(name)) continue;
      for (const [a, b] of pairs) made.orderPair(name, Math.min(a, b), Math.max(a, b));
    }
    for (const { order, members } of this.totals) {
      if (this.isSeen(order)) continue;
      for (const [i, a] of members.entries()) {
        if (i > 0) made.orderIn(order, members, members[i - 1], a);
      }
    }
  }

  /** @param ended the final state, once it is known, if only one execution of each is wanted */
  private explore(depth: number, ended: string | undefined): void {
    const { task, made } = this;
    const first = ended === undefined ? (this.readDecision() ?? this.lastDecision()) : undefined;
    const state = first === undefined ? (ended ?? this.finalState()) : undefined;
    let left = this.without(state, this.left);
    if (left.length === 0) return;
    const next = first ?? this.orderDecision();
    if (next === undefined) {
      const under = left.map(({ model }) => model);
      return task.found(() => witnessOf(this.space, this.made, this.reading), state, under);
    }
    made.save(depth);
    for (const alternative of next.alternatives) {
      this.left = left;
      if (this.settle(alternative())) this.explore(depth + 1, state);
      left = this.without(state, left);
      if (!task.goOn() || left.length === 0) return;
      made.restore(depth);
    }
    next.undo?.();
  }

  /** Does a relation matter to a model that is left? */
  private isSeen(name: string): boolean {
    const bit = this.dependence.bitOf(name);
    return this.left.some(({ seen }) => (seen & bit) !== 0);
  }

  /** The models of which a final state is not found yet. */
  private without(state: string | undefined, left: readonly Judging[]): readonly Judging[] {
    if (state === undefined) return left;
    return left.filter(({ model }) => !this.task.states!.isFound(state, model));
  }

  /** The final state of an execution with all reads and last writes; undefined if none is asked for. */
  private finalState(): string | undefined {
    const { structure, states } = this.task;
    return states && finalStateOf(structure, states.subjects, this.space, this.made, this.reading);
  }

  // Consequences of a decision

  /** Draws the consequences of a decision. False if it has no execution. */
  private settle(concerns: number): boolean {
    if (!this.task.judge()) return false;
    let changed = concerns;
    while (changed !== 0) {
      if ((changed & this.rf) !== 0 && !this.settleReads()) return false;
      for (const { name, choices, counted } of this.sources) {
        for (const one of counted) {
          if (this.made.settleCounted(name, one)) changed |= this.dependence.bitOf(name);
        }
        if (!this.made.settleSources(name, choices)) return false;
      }
      this.made.touch(changed);
      this.left = this.left.filter(({ axioms }) => !axioms.fail());
      if (this.left.length === 0) return false;
      const undecided = this.openRelations();
      if (undecided === 0) return true;
      changed = this.applyExclusion(undecided);
      if (this.left.length === 0) return false;
    }
    return true;
  }

  private settleReads(): boolean {
    for (;;) {
      if (!this.made.settleReads()) return false;
      this.reading.forget();
      const outcome = this.reading.check();
      if (outcome === 'contradiction') return false;
      if (outcome === 'same') return true;
    }
  }

  /** The bits of the relations in which something is open. */
  private openRelations(): number {
    const { bitOf } = this.dependence;
    let open = this.space.reads.some(({ read }) => this.made.sources[read] < 0) ? this.rf : 0;
    for (const total of this.totals) {
      const bit = bitOf(total.order);
      if ((open & bit) === 0 && this.openIn(total) !== undefined) open |= bit;
    }
    for (const guess of this.pairs) {
      if (this.openPair(guess) !== undefined) open |= bitOf(guess.name);
    }
    for (const guess of this.sources) {
      if (this.openSource(guess) !== undefined) open |= bitOf(guess.name);
    }
    return open;
  }

  /** Excludes pairs that would break an axiom under every model that is left. Returns the relations that change. */
  private applyExclusion(undecided: number): number {
    // Mostly, the first model excludes nothing that is open, and the others are not asked.
    const all = this.left.map(({ exclude, seen }) => ({
      excluded: once(() => exclude(undecided)),
      seen,
    }));
    let changed = 0;
    const apply = (name: string, exclude: (out: BitRel) => number | undefined): void => {
      const bit = this.dependence.bitOf(name);
      let out: BitRel | undefined;
      for (const { excluded, seen } of all) {
        if ((seen & bit) === 0) continue;
        const own = excluded()(name);
        if (own === undefined || !this.made.isOpenIn(name, own)) return;
        out = out === undefined ? own : interRel(out, own);
      }
      const bits = out === undefined ? 0 : exclude(out);
      if (bits !== undefined) changed |= bits;
      // Nothing is left of it. To the others, it does not matter.
      else this.left = this.left.filter(({ seen }) => (seen & bit) === 0);
    };
    apply('rf', (out) => this.excludeSources(out));
    for (const total of this.totals) apply(total.order, (out) => this.excludeOrders(total, out));
    for (const guess of this.pairs) apply(guess.name, (out) => this.excludePairs(guess, out));
    for (const guess of this.sources) apply(guess.name, (out) => this.excludeGuessed(guess, out));
    return changed;
  }

  private excludeSources(out: BitRel): number {
    const { made } = this;
    let changed = 0;
    for (const { read, sources } of this.space.reads) {
      if (made.sources[read] >= 0) continue;
      for (const write of sources) {
        if (!made.canRead(read, write) || !related(out, write, read)) continue;
        made.excludeSource(read, write);
        changed = this.rf;
      }
    }
    return changed;
  }

  private excludeGuessed({ name, choices }: (typeof this.sources)[number], out: BitRel): number {
    const { made } = this;
    let changed = 0;
    for (const { of, sources } of choices) {
      for (const source of sources) {
        if (!made.canHave(name, of, source) || !related(out, source, of)) continue;
        made.excludeFrom(name, of, source);
        changed = this.dependence.bitOf(name);
      }
    }
    return changed;
  }

  private excludeOrders({ order, members }: Total, out: BitRel): number | undefined {
    const { made } = this;
    let changed = 0;
    for (const a of members) {
      for (const b of members) {
        if (a === b || !related(out, a, b) || made.before(order, b, a)) continue;
        if (!made.orderIn(order, members, b, a)) return undefined;
        changed = this.dependence.bitOf(order);
      }
    }
    return changed;
  }

  private excludePairs(
    { name, pairs }: (typeof this.pairs)[number],
    out: BitRel,
  ): number | undefined {
    const { made } = this;
    let changed = 0;
    for (const [a, b] of pairs) {
      if (!made.open(name, a, b)) continue;
      const [forth, back] = [related(out, a, b), related(out, b, a)];
      if (forth && back) return undefined;
      if (!forth && !back) continue;
      if (forth) made.orderPair(name, b, a);
      else made.orderPair(name, a, b);
      changed = this.dependence.bitOf(name);
    }
    return changed;
  }

  // Decisions

  /** The next decision until every read has its write and its value. */
  private readDecision(): Decision | undefined {
    const { reading, made } = this;
    if (this.complete === made.partial.stamps[this.rf]) return undefined;
    reading.forget();
    const undecided = reading.undecided();
    if (undecided?.kind === 'choice') {
      const { choice } = undecided;
      const choose = (to: number | undefined) => () => (reading.choose(choice, to), this.rf);
      return { alternatives: [choose(0), choose(1)], undo: choose(undefined) };
    }
    if (undecided?.kind === 'guess') {
      const { read } = undecided;
      const guess = (to: number | undefined) => () => (reading.guess(read, to), this.rf);
      const numbers = this.task.numbers(this.space.events[read].id);
      return { alternatives: numbers.map(guess), undo: guess(undefined) };
    }
    const decision = this.sourceDecision();
    if (decision === undefined) this.complete = made.partial.stamps[this.rf];
    return decision;
  }

  /** The write of a read: of an open read with the fewest possible writes. */
  private sourceDecision(): Decision | undefined {
    const { made } = this;
    const next = this.space.reads
      .filter(({ read }) => made.sources[read] < 0)
      .map(({ read, sources }) => ({ read, left: sources.filter((w) => made.canRead(read, w)) }))
      .reduce<{ read: number; left: number[] } | undefined>(
        (best, r) => (best !== undefined && best.left.length <= r.left.length ? best : r),
        undefined,
      );
    if (next === undefined) return undefined;
    const { read, left } = next;
    const readFrom = (write: number) => () => {
      for (const other of left) if (other !== write) made.excludeSource(read, other);
      return this.rf;
    };
    return { alternatives: left.map(readFrom) };
  }

  /** The write that comes last, if this matters to the final state. */
  private lastDecision(): Decision | undefined {
    for (const list of this.space.writes) {
      if (!this.observed.has(this.space.events[list[0]].location!)) continue;
      const last = list.filter((write) => canBeLast(this.made, write, list));
      if (last.length === 1) continue;
      const endWith = (write: number) => () => {
        for (const other of last) {
          if (other !== write) this.made.orderIn('mo', list, other, write);
        }
        return this.dependence.bitOf('mo');
      };
      return { alternatives: last.map(endWith) };
    }
    return undefined;
  }

  /** The next pair to order, or the next source to choose. */
  private orderDecision(): Decision | undefined {
    const { made } = this;
    const { bitOf } = this.dependence;
    for (const total of this.totals) {
      const pair = this.openIn(total);
      if (pair === undefined) continue;
      const { order: name, members } = total;
      const order = (a: number, b: number) => () => (
        made.orderIn(name, members, a, b),
        bitOf(name)
      );
      return { alternatives: [order(pair[0], pair[1]), order(pair[1], pair[0])] };
    }
    for (const guess of this.pairs) {
      const pair = this.openPair(guess);
      if (pair === undefined) continue;
      const { name } = guess;
      const order = (a: number, b: number) => () => (made.orderPair(name, a, b), bitOf(name));
      return { alternatives: [order(pair[0], pair[1]), order(pair[1], pair[0])] };
    }
    for (const guess of this.sources) {
      const choice = this.openSource(guess);
      if (choice === undefined) continue;
      const { of, left } = choice;
      const choose = (source: number) => () => {
        for (const other of left) if (other !== source) made.excludeFrom(guess.name, of, other);
        return bitOf(guess.name);
      };
      return { alternatives: left.map(choose) };
    }
    return undefined;
  }

  private openIn({ order, members }: Total): readonly [number, number] | undefined {
    if (!this.isSeen(order)) return undefined;
    for (let i = 0; i < members.length; i++) {
      for (let j = i + 1; j < members.length; j++) {
        if (this.made.open(order, members[i], members[j])) return [members[i], members[j]];
      }
    }
    return undefined;
  }

  private openPair({
    name,
    pairs,
  }: (typeof this.pairs)[number]): readonly [number, number] | undefined {
    if (!this.isSeen(name)) return undefined;
    return pairs.find(([a, b]) => this.made.open(name, a, b));
  }

  private openSource({
    name,
    choices,
  }: (typeof this.sources)[number]): { of: number; left: readonly number[] } | undefined {
    for (const { of, sources } of choices) {
      const left = sources.filter((source) => this.made.canHave(name, of, source));
      if (left.length > 1) return { of, left };
    }
    return undefined;
  }
}
