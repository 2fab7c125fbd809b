import type { EventStructure } from '../../program/events/structure.js';
import { createAxioms } from '../../encode/exclusion/axioms.js';
import type { Dependence } from '../../encode/exclusion/dependence.js';
import { bitOf } from '../../encode/exclusion/dependence.js';
import { createExclusion } from '../../encode/exclusion/exclusion.js';
import { createIntervals } from '../../encode/exclusion/intervals.js';
import { related } from '../../model/relation/matrix.js';
import type { Model } from '../../model/term.js';
import type { Subject } from '../../program/program.js';
import type { Pair, Witness } from '../witness/witness.js';
import { construct } from './partial.js';
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
  const { structure, model, dependence } = task;
  const { events, reads, writes, flushes } = space;
  const made = construct(space);
  const { partial, open } = made;
  const bound = createIntervals(model, dependence, events.length, space.fixed, partial);
  const axioms = createAxioms(model, dependence, events.length, bound, partial.stamps);
  const exclude = createExclusion(model, dependence, events.length, bound, axioms);
  const reading = createReading(structure, space, made, task.overflow);
  const observed = new Set(
    task.states?.subjects.flatMap((s) => (s.kind === 'location' ? [s.location] : [])),
  );
  /** The state of reads-from, by its stamp, in which all reads and values are known. */
  let complete = -1;

  // What the model cannot see is not chosen: as it stands in the program will do.
  if ((dependence.seen & NFO) === 0) {
    for (const [a, b] of flushes) made.orderFlush(Math.min(a, b), Math.max(a, b));
  }
  if (settle(RF | MO | NFO)) explore(0, undefined);

  /** @param ended the final state, once it is known and executions are to differ in it */
  function explore(depth: number, ended: string | undefined): void {
    const first = ended === undefined ? (readDecision() ?? lastDecision()) : undefined;
    const state = first === undefined ? (ended ?? finalState()) : undefined;
    const isDone = () => state !== undefined && task.states!.isFound(state);
    if (isDone()) return;
    const next = first ?? orderDecision();
    if (next === undefined) return task.found(witness(), state);
    made.save(depth);
    for (const alternative of next.alternatives) {
      if (settle(alternative())) explore(depth + 1, state);
      if (!task.goOn() || isDone()) return;
      made.restore(depth);
    }
    next.undo?.();
  }

  /** Draws the consequences of a decision. False: it has no execution. */
  function settle(concerns: number): boolean {
    if (!task.judge()) return false;
    let changed = concerns;
    while (changed !== 0) {
      if ((changed & RF) !== 0 && !settleReads()) return false;
      made.touch(changed);
      if (axioms.fail()) return false;
      const undecided = openRelations();
      if (undecided === 0) return true;
      const excluded = applyExclusion(undecided);
      if (excluded === undefined) return false;
      changed = excluded;
    }
    return true;
  }

  function settleReads(): boolean {
    for (;;) {
      if (!made.settleReads()) return false;
      reading.forget();
      const outcome = reading.check();
      if (outcome === 'contradiction') return false;
      if (outcome === 'same') return true;
    }
  }

  function openRelations(): number {
    return (
      (reads.some(({ read }) => made.sources[read] < 0) ? RF : 0) |
      (openWrites() === undefined ? 0 : MO) |
      (openFlush() === undefined ? 0 : NFO)
    );
  }

  /** Takes away what would break an axiom: the relations that change, or undefined if nothing is left. */
  function applyExclusion(undecided: number): number | undefined {
    const excluded = exclude(undecided);
    let changed = 0;
    const [rf, mo, nfo] = [excluded('rf'), excluded('mo'), excluded('nfo')];
    if (rf !== undefined) {
      for (const { read, sources } of reads) {
        if (made.sources[read] >= 0) continue;
        for (const write of sources) {
          if (!made.canRead(read, write) || !related(rf, write, read)) continue;
          made.excludeSource(read, write);
          changed |= RF;
        }
      }
    }
    if (mo !== undefined) {
      for (const list of writes) {
        for (const a of list) {
          for (const b of list) {
            if (a === b || !related(mo, a, b) || made.before('mo', b, a)) continue;
            if (!made.orderWrites(list, b, a)) return undefined;
            changed |= MO;
          }
        }
      }
    }
    if (nfo !== undefined) {
      for (const [a, b] of flushes) {
        if (!open('nfo', a, b)) continue;
        const [forth, back] = [related(nfo, a, b), related(nfo, b, a)];
        if (forth && back) return undefined;
        if (!forth && !back) continue;
        if (forth) made.orderFlush(b, a);
        else made.orderFlush(a, b);
        changed |= NFO;
      }
    }
    return changed;
  }

  /** What to decide until every read has its write and its value. */
  function readDecision(): Decision | undefined {
    if (complete === partial.stamps[RF]) return undefined;
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
      const numbers = task.numbers(events[read].id);
      return { alternatives: numbers.map(guess), undo: guess(undefined) };
    }
    const next = reads
      .filter(({ read }) => made.sources[read] < 0)
      .map(({ read, sources }) => ({ read, left: sources.filter((w) => made.canRead(read, w)) }))
      .reduce<{ read: number; left: number[] } | undefined>(
        (best, r) => (best !== undefined && best.left.length <= r.left.length ? best : r),
        undefined,
      );
    if (next === undefined) {
      complete = partial.stamps[RF];
      return undefined;
    }
    const { read, left } = next;
    const readFrom = (write: number) => () => {
      for (const other of left) if (other !== write) made.excludeSource(read, other);
      return RF;
    };
    return { alternatives: left.map(readFrom) };
  }

  /** Which write comes last, where that matters to the final state. */
  function lastDecision(): Decision | undefined {
    for (const list of writes) {
      if (!observed.has(events[list[0]].location!)) continue;
      const last = list.filter((a) => list.every((b) => !made.before('mo', a, b)));
      if (last.length === 1) continue;
      const endWith = (write: number) => () => {
        for (const other of last) if (other !== write) made.orderWrites(list, other, write);
        return MO;
      };
      return { alternatives: last.map(endWith) };
    }
    return undefined;
  }

  /** The final state of an execution with all reads and last writes; undefined: none is asked for. */
  function finalState(): string | undefined {
    return task.states?.subjects
      .map((subject) => {
        if (subject.kind === 'register') {
          return reading.value(structure.registers[subject.thread][subject.register]);
        }
        const list = writes.find(([first]) => events[first].location === subject.location);
        const last = list?.find((a) => list.every((b) => !made.before('mo', a, b)));
        return last === undefined ? '' : reading.value(events[last].value!);
      })
      .join();
  }

  /** The next pair to order. */
  function orderDecision(): Decision | undefined {
    const pair = openWrites();
    if (pair !== undefined) {
      const { list, a, b } = pair;
      const order = (a: number, b: number) => () => (made.orderWrites(list, a, b), MO);
      return { alternatives: [order(a, b), order(b, a)] };
    }
    const flush = openFlush();
    if (flush === undefined) return undefined;
    const order = (a: number, b: number) => () => (made.orderFlush(a, b), NFO);
    return { alternatives: [order(flush[0], flush[1]), order(flush[1], flush[0])] };
  }

  function openWrites(): { list: readonly number[]; a: number; b: number } | undefined {
    for (const list of writes) {
      for (let i = 1; i < list.length; i++) {
        for (let j = i + 1; j < list.length; j++) {
          if (open('mo', list[i], list[j])) return { list, a: list[i], b: list[j] };
        }
      }
    }
    return undefined;
  }

  function openFlush(): readonly [number, number] | undefined {
    return flushes.find(([a, b]) => open('nfo', a, b));
  }

  function witness(): Witness {
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
