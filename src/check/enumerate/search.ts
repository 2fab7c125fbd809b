import type { EventStructure } from '../../program/events/structure.js';
import type { Axioms } from '../../encode/exclusion/axioms.js';
import { createAxioms } from '../../encode/exclusion/axioms.js';
import type { Dependence } from '../../encode/exclusion/dependence.js';
import { ALL_CHOSEN, bitOf } from '../../encode/exclusion/dependence.js';
import type { Exclusion } from '../../encode/exclusion/exclusion.js';
import { createExclusion } from '../../encode/exclusion/exclusion.js';
import { createIntervals } from '../../encode/exclusion/intervals.js';
import type { BitRel } from '../../model/relation/matrix.js';
import { related } from '../../model/relation/matrix.js';
import type { Model } from '../../model/term.js';
import type { Subject } from '../../program/program.js';
import type { Pair, Witness } from '../witness/witness.js';
import type { Construction } from './partial.js';
import { construct } from './partial.js';
import type { Reading } from './reading.js';
import { createReading } from './reading.js';
import type { Space } from './space.js';

/** What a search is given to work with. */
export interface Task {
  readonly structure: EventStructure;
  readonly model: Model;
  readonly dependence: Dependence;
  /** Counts a candidate; false: it is one too many. */
  readonly judge: () => boolean;
  /** Whether to go on. */
  readonly goOn: () => boolean;
  /** The numbers that a read can read; asked only where a value comes from itself. */
  readonly numbers: (event: number) => readonly number[];
  /** Hears of a value beyond the integers that are exact: such executions are left out. */
  readonly overflow: () => void;
  /** Is given the executions that are found, each with its final state if these are asked for. */
  readonly found: (witness: Witness, state: string | undefined) => void;
  /** For one execution of each final state: what has one. */
  readonly states?: FinalStates | undefined;
}

export interface FinalStates {
  /** What a final state is made of. */
  readonly subjects: readonly Subject[];
  readonly isFound: (state: string) => boolean;
}

const RF = bitOf('rf');
const MO = bitOf('mo');
const NFO = bitOf('nfo');

/** A decision: each alternative does something and says, by bits, which relations it concerns. */
interface Decision {
  readonly alternatives: readonly (() => number)[];
  /** Takes back what a snapshot does not keep. */
  readonly undo?: () => void;
}

/**
 * Goes through the executions of a space: gives a write to the read that has the fewest to choose
 * from, then orders writes and NIC flushes pair by pair. After each decision everything is settled
 * that has one possibility left, by what executions are and by the axioms.
 */
export function search(space: Space, task: Task): void {
  new CandidateSearch(space, task).run();
}

class CandidateSearch {
  private readonly made: Construction;
  private readonly axioms: Axioms;
  private readonly exclude: Exclusion;
  private readonly reading: Reading;
  /** The locations of which the final state has the value. */
  private readonly observed: ReadonlySet<number>;
  /** The state of reads-from, by its stamp, in which all reads and values are known. */
  private complete = -1;

  constructor(
    private readonly space: Space,
    private readonly task: Task,
  ) {
    const { structure, model, dependence, states } = task;
    const size = space.events.length;
    this.made = construct(space);
    const { partial } = this.made;
    const bound = createIntervals(model, dependence, size, space.fixed, partial);
    this.axioms = createAxioms(model, dependence, size, bound, partial.stamps);
    this.exclude = createExclusion(model, dependence, size, bound, this.axioms);
    this.reading = createReading(structure, space, this.made, task.overflow);
    this.observed = new Set(
      states?.subjects.flatMap((s) => (s.kind === 'location' ? [s.location] : [])),
    );
  }

  run(): void {
    // What the model cannot see is not chosen: as it stands in the program will do.
    if ((this.task.dependence.seen & NFO) === 0) {
      for (const [a, b] of this.space.flushes) this.made.orderFlush(Math.min(a, b), Math.max(a, b));
    }
    if (this.settle(ALL_CHOSEN)) this.explore(0, undefined);
  }

  /** @param ended the final state, once it is known and executions are to differ in it */
  private explore(depth: number, ended: string | undefined): void {
    const { task, made } = this;
    const first = ended === undefined ? (this.readDecision() ?? this.lastDecision()) : undefined;
    const state = first === undefined ? (ended ?? this.finalState()) : undefined;
    const isDone = () => state !== undefined && task.states!.isFound(state);
    if (isDone()) return;
    const next = first ?? this.orderDecision();
    if (next === undefined) return task.found(this.witness(), state);
    made.save(depth);
    for (const alternative of next.alternatives) {
      if (this.settle(alternative())) this.explore(depth + 1, state);
      if (!task.goOn() || isDone()) return;
      made.restore(depth);
    }
    next.undo?.();
  }

  // Consequences of a decision

  /** Draws the consequences of a decision. False: it has no execution. */
  private settle(concerns: number): boolean {
    if (!this.task.judge()) return false;
    let changed = concerns;
    while (changed !== 0) {
      if ((changed & RF) !== 0 && !this.settleReads()) return false;
      this.made.touch(changed);
      if (this.axioms.fail()) return false;
      const undecided = this.openRelations();
      if (undecided === 0) return true;
      const excluded = this.applyExclusion(undecided);
      if (excluded === undefined) return false;
      changed = excluded;
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

  private openRelations(): number {
    return (
      (this.space.reads.some(({ read }) => this.made.sources[read] < 0) ? RF : 0) |
      (this.openWrites() === undefined ? 0 : MO) |
      (this.openFlush() === undefined ? 0 : NFO)
    );
  }

  /** Takes away what would break an axiom: the relations that change, or undefined if nothing is left. */
  private applyExclusion(undecided: number): number | undefined {
    const excluded = this.exclude(undecided);
    const [rf, mo, nfo] = [excluded('rf'), excluded('mo'), excluded('nfo')];
    const reads = rf === undefined ? 0 : this.excludeSources(rf);
    const orders = mo === undefined ? 0 : this.excludeOrders(mo);
    if (orders === undefined) return undefined;
    const flushes = nfo === undefined ? 0 : this.excludeFlushes(nfo);
    return flushes === undefined ? undefined : reads | orders | flushes;
  }

  private excludeSources(out: BitRel): number {
    const { made } = this;
    let changed = 0;
    for (const { read, sources } of this.space.reads) {
      if (made.sources[read] >= 0) continue;
      for (const write of sources) {
        if (!made.canRead(read, write) || !related(out, write, read)) continue;
        made.excludeSource(read, write);
        changed = RF;
      }
    }
    return changed;
  }

  private excludeOrders(out: BitRel): number | undefined {
    const { made } = this;
    let changed = 0;
    for (const list of this.space.writes) {
      for (const a of list) {
        for (const b of list) {
          if (a === b || !related(out, a, b) || made.before('mo', b, a)) continue;
          if (!made.orderWrites(list, b, a)) return undefined;
          changed = MO;
        }
      }
    }
    return changed;
  }

  private excludeFlushes(out: BitRel): number | undefined {
    const { made } = this;
    let changed = 0;
    for (const [a, b] of this.space.flushes) {
      if (!made.open('nfo', a, b)) continue;
      const [forth, back] = [related(out, a, b), related(out, b, a)];
      if (forth && back) return undefined;
      if (!forth && !back) continue;
      if (forth) made.orderFlush(b, a);
      else made.orderFlush(a, b);
      changed = NFO;
    }
    return changed;
  }

  // Decisions

  /** What to decide until every read has its write and its value. */
  private readDecision(): Decision | undefined {
    const { reading, made } = this;
    if (this.complete === made.partial.stamps[RF]) return undefined;
    reading.forget();
    const undecided = reading.undecided();
    if (undecided?.kind === 'choice') {
      const { choice } = undecided;
      const choose = (to: number | undefined) => () => (reading.choose(choice, to), RF);
      return { alternatives: [choose(0), choose(1)], undo: choose(undefined) };
    }
    if (undecided?.kind === 'guess') {
      const { read } = undecided;
      const guess = (to: number | undefined) => () => (reading.guess(read, to), RF);
      const numbers = this.task.numbers(this.space.events[read].id);
      return { alternatives: numbers.map(guess), undo: guess(undefined) };
    }
    const decision = this.sourceDecision();
    if (decision === undefined) this.complete = made.partial.stamps[RF];
    return decision;
  }

  /** Which write a read reads from: of the open reads, one that has the fewest to choose from. */
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
      return RF;
    };
    return { alternatives: left.map(readFrom) };
  }

  /** Which write comes last, where that matters to the final state. */
  private lastDecision(): Decision | undefined {
    for (const list of this.space.writes) {
      if (!this.observed.has(this.space.events[list[0]].location!)) continue;
      const last = list.filter((write) => this.canBeLast(write, list));
      if (last.length === 1) continue;
      const endWith = (write: number) => () => {
        for (const other of last) if (other !== write) this.made.orderWrites(list, other, write);
        return MO;
      };
      return { alternatives: last.map(endWith) };
    }
    return undefined;
  }

  private canBeLast(write: number, list: readonly number[]): boolean {
    return list.every((other) => !this.made.before('mo', write, other));
  }

  /** The next pair to order. */
  private orderDecision(): Decision | undefined {
    const { made } = this;
    const pair = this.openWrites();
    if (pair !== undefined) {
      const { list, a, b } = pair;
      const order = (a: number, b: number) => () => (made.orderWrites(list, a, b), MO);
      return { alternatives: [order(a, b), order(b, a)] };
    }
    const flush = this.openFlush();
    if (flush === undefined) return undefined;
    const order = (a: number, b: number) => () => (made.orderFlush(a, b), NFO);
    return { alternatives: [order(flush[0], flush[1]), order(flush[1], flush[0])] };
  }

  private openWrites(): { list: readonly number[]; a: number; b: number } | undefined {
    const { made } = this;
    for (const list of this.space.writes) {
      for (let i = 1; i < list.length; i++) {
        for (let j = i + 1; j < list.length; j++) {
          if (made.open('mo', list[i], list[j])) return { list, a: list[i], b: list[j] };
        }
      }
    }
    return undefined;
  }

  private openFlush(): readonly [number, number] | undefined {
    return this.space.flushes.find(([a, b]) => this.made.open('nfo', a, b));
  }

  // What is found

  /** The final state of an execution with all reads and last writes; undefined: none is asked for. */
  private finalState(): string | undefined {
    const { structure, states } = this.task;
    const { events, writes } = this.space;
    return states?.subjects
      .map((subject) => {
        if (subject.kind === 'register') {
          return this.reading.value(structure.registers[subject.thread][subject.register]);
        }
        const list = writes.find(([first]) => events[first].location === subject.location);
        const last = list?.find((write) => this.canBeLast(write, list));
        return last === undefined ? '' : this.reading.value(events[last].value!);
      })
      .join();
  }

  private witness(): Witness {
    const { made, reading } = this;
    const { events, reads, writes, flushes } = this.space;
    const id = (i: number) => events[i].id;
    return {
      choices: reading.choices(),
      reads: reads.map(({ read }) => [id(read), reading.numberRead(read)] as const),
      rf: reads.map(({ read }): Pair => [id(made.sources[read]), id(read)]),
      mo: writes.flatMap((list) =>
        list.flatMap((a) =>
          list.filter((b) => made.before('mo', a, b)).map((b): Pair => [id(a), id(b)]),
        ),
      ),
      nfo: flushes.map(([a, b]): Pair =>
        made.before('nfo', a, b) ? [id(a), id(b)] : [id(b), id(a)],
      ),
    };
  }
}
