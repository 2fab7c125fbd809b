import { accessesOfStep, conflictsIn } from './conflicts.js';
import type { Local } from './local.js';
import { isAlive, isOpen } from './open.js';
import { orderedIn } from './orders.js';
import type { ModelRelations, Relations, StepMask } from './relations.js';

/** What two calls that are not finished are to each other. Of one thread, the first comes first in program order. */
export interface CallPair {
  readonly relations: Relations;
  /** How many places the steps of the second call are behind those of the first. */
  readonly shift: number;
  /** The steps that each may take as far as the other one is concerned. */
  readonly open: readonly [StepMask, StepMask];
  /** The steps of each that decide which way a guess goes, where both ways are left. */
  readonly decides: readonly [StepMask, StepMask];
  /** The steps of each that a guess is about, of which both ways are left. */
  readonly undecided: readonly [StepMask, StepMask];
  /**
   * The steps of each of which it matters whether they are taken before or after a step of the other one that is still to come: both access a location, and one
   * of them writes.
   */
  readonly conflicts: readonly [StepMask, StepMask];
  /** Guesses whose way depends on which of two steps, both done, was first: one of each call. */
  readonly ordered: readonly OrderedSteps[];
  /** May one of them read what the other has issued and not yet observed, or must it not read past that? */
  readonly readsEarly: boolean;
}

/** Two steps, and what each call may take if the step of the first call came first, or that of the second. */
export interface OrderedSteps {
  readonly steps: readonly [number, number];
  readonly open: readonly [PairMasks, PairMasks];
}

type PairMasks = readonly [StepMask, StepMask];

/** Calls with the same relations, which are as far, are the same to each other, in whatever program. */
const PAIRS = new WeakMap<Relations, Map<StepMask, CallPair>>();

/** Pairs of calls of a program, each worked out once. */
export class Pairs {
  private readonly sequential: CallPair[][] = [];
  private readonly apart: CallPair[][] = [];

  constructor(private readonly relations: ModelRelations) {}

  /** Of two calls of one thread, in program order. */
  inOrder(first: Local, second: Local): CallPair {
    const row = (this.sequential[first.id] ??= []);
    return (row[second.id] ??= this.pair(first, second));
  }

  /** Of calls of two threads. */
  between(first: Local, second: Local): CallPair {
    const row = (this.apart[first.id] ??= []);
    return (row[second.id] ??= this.pair(first, second));
  }

  private pair(first: Local, second: Local): CallPair {
    const relations = this.relations.of(
      [first.site, second.site],
      [first.executed, second.executed],
    );
    const shift = 2 * first.site.events.length;
    const done = first.done | (second.done << shift);
    const known = PAIRS.get(relations) ?? new Map<StepMask, CallPair>();
    PAIRS.set(relations, known);
    const pair = known.get(done) ?? this.make(first, second, relations, done);
    known.set(done, pair);
    return pair;
  }

  private make(first: Local, second: Local, relations: Relations, done: StepMask): CallPair {
    const shift = 2 * first.site.events.length;
    const split = (mask: StepMask): readonly [StepMask, StepMask] => [
      mask & ((1 << shift) - 1),
      mask >>> shift,
    ];
    const steps = [...Array(shift + 2 * second.site.events.length).keys()];
    const maskOf = (test: (step: number) => boolean): StepMask =>
      steps.reduce((mask, step) => (test(step) ? mask | (1 << step) : mask), 0);
    const open = relations.ways.filter((ways) => ways.every((way) => isAlive(way, done)));
    const isLeft = (step: number): boolean => (done & (1 << step)) === 0;
    return {
      relations,
      shift,
      open: split(maskOf((step) => isOpen(relations, done, step))),
      decides: split(
        maskOf(
          (step) =>
            isLeft(step) &&
            open.some((ways) => ways.some((way) => !isAlive(way, done | (1 << step)))),
        ),
      ),
      undecided: split(
        maskOf(
          (step) => isLeft(step) && open.some((ways) => ways.some((way) => isAbout(way, step))),
        ),
      ),
      conflicts: split(
        conflictsIn(relations, done, accessesOfStep(first), accessesOfStep(second, shift / 2)),
      ),
      ordered: (orderedIn(relations, steps.length) ?? []).flatMap(({ way, steps: [a, b] }) => {
        const isDone = (done & (1 << a)) !== 0 && (done & (1 << b)) !== 0;
        // Of one call, its own steps tell.
        if (!isDone || a < shift === b < shift) return [];
        const openBy = (needs: readonly StepMask[]): PairMasks =>
          split(maskOf((step) => (needs[step] & ~done) === 0));
        const [one, other] = relations.ways[way].map(openBy);
        return a < shift
          ? { steps: [a, b - shift] as const, open: [one, other] as const }
          : { steps: [b, a - shift] as const, open: [other, one] as const };
      }),
      readsEarly: relations.covering.length + relations.early.length > 0,
    };
  }
}

const isAbout = (way: readonly StepMask[], step: number): boolean =>
  way[step] !== 0 || way.some((needs) => (needs & (1 << step)) !== 0);
