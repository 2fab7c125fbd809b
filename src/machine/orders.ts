import type { CallSite } from './calls.js';
import { alternativesOf } from './classes.js';
import type { ClassId } from './classes.js';
import { isAlive, isOpen } from './open.js';
import type { EventMask, ModelRelations, Relations, StepMask } from './relations.js';

/**
 * A guess between two events whose way does not always show in which steps are done, so that it has to be remembered which of two steps came first. It goes the first way
 * if the first one did.
 */
export interface Ordered {
  /** The guess, by its place among the ways of two calls. */
  readonly way: number;
  readonly steps: readonly [number, number];
}

/** The guesses of two calls whose way has to be remembered. Undefined: of one of them, no two steps tell. Worked out once for calls that are alike. */
export function orderedIn(relations: Relations, steps: number): readonly Ordered[] | undefined {
  if (!KNOWN.has(relations)) KNOWN.set(relations, findOrdered(relations, steps));
  return KNOWN.get(relations);
}

const KNOWN = new WeakMap<Relations, readonly Ordered[] | undefined>();

function findOrdered(
  { needs, ways, either, taken }: Relations,
  steps: number,
): readonly Ordered[] | undefined {
  const found: Ordered[] = [];
  for (const [way, pair] of ways.entries()) {
    if (isSeen(needs, pair, steps)) continue;
    const [a, b] = either[way].between.map((e) => taken[e]);
    const telling = stepsThatTell(pair, [2 * a, 2 * a + 1], [2 * b, 2 * b + 1]);
    if (telling === undefined) return undefined;
    found.push({ way, steps: telling });
  }
  return found;
}

/** Two steps of the events that a guess is about, of which one way puts the first one first, and the other way the second one. */
const stepsThatTell = (
  [one, other]: Relations['ways'][number],
  some: readonly number[],
  others: readonly number[],
): Ordered['steps'] | undefined =>
  some
    .flatMap((a) => others.map((b) => [a, b] as const))
    .find(([a, b]) => (one[b] & (1 << a)) !== 0 && (other[a] & (1 << b)) !== 0);

/** Is what a guess has been decided to be always seen in which steps are done? */
function isSeen(
  needs: readonly StepMask[],
  pair: Relations['ways'][number],
  steps: number,
): boolean {
  const seen = new Set<number>();
  const open: (readonly [number, number])[] = [[0, 3]];
  for (const [done, alive] of open) {
    const key = done * 4 + alive;
    if (seen.has(key)) continue;
    seen.add(key);
    for (let step = 0; step < steps; step++) {
      if ((done & (1 << step)) !== 0 || (needs[step] & ~done) !== 0) continue;
      if ((step & 1) === 1 && (done & (1 << (step - 1))) === 0) continue;
      const then = done | (1 << step);
      const left = pair.reduce(
        (all, way, w) =>
          (alive & (1 << w)) !== 0 && (way[step] & ~done) === 0 && isAlive(way, done)
            ? all | (1 << w)
            : all,
        0,
      );
      if ((left !== 0) !== isOpen({ needs, ways: [pair] }, done, step)) return false;
      if (left !== 0) open.push([then, left]);
    }
  }
  return true;
}

/** Which steps of the calls of a program have to be remembered in the order in which they are taken, and among which others. */
export class Orders {
  /** By class: its steps, in ascending order. */
  private readonly steps: number[][] = [];
  /** By class: classes with the same number are ordered among each other. */
  private readonly groups: number[] = [];

  constructor(classes: readonly CallSite[], relations: ModelRelations) {
    for (const of of classes.keys()) {
      this.steps.push([]);
      this.groups.push(of);
    }
    for (const [i, one] of classes.entries()) {
      for (const [j, other] of classes.entries()) {
        for (const found of relationsAmong(relations, one, other))
          this.between([i, j], found, classes);
      }
    }
  }

  /** Is there anything to remember? */
  get some(): boolean {
    return this.steps.some(({ length }) => length > 0);
  }

  of(of: ClassId): readonly number[] {
    return this.steps[of];
  }

  groupOf(of: ClassId): number {
    return this.groups[of];
  }

  private between(
    [i, j]: readonly [ClassId, ClassId],
    found: Relations,
    classes: readonly CallSite[],
  ): void {
    const [{ length }, others] = [classes[i].events, classes[j].events];
    for (const { steps } of orderedIn(found, 2 * (length + others.length)) ?? []) {
      // Of one call, there are none: `refusalFor`.
      if (steps.every((step) => step < 2 * length) || steps.every((step) => step >= 2 * length))
        continue;
      for (const step of steps) {
        if (step < 2 * length) this.note(i, step);
        else this.note(j, step - 2 * length);
      }
      this.join(i, j);
    }
  }

  private note(of: ClassId, step: number): void {
    const known = this.steps[of];
    if (!known.includes(step)) known.push(step);
    known.sort((a, b) => a - b);
  }

  private join(one: ClassId, other: ClassId): void {
    const [to, from] = [this.groups[one], this.groups[other]].sort((a, b) => a - b);
    for (const [of, group] of this.groups.entries()) if (group === from) this.groups[of] = to;
  }
}

/** What a model asks of two calls, whichever of their events are executed: all, as where little is known, or those of one way through each. */
export function relationsAmong(
  relations: ModelRelations,
  one: CallSite,
  other: CallSite,
): readonly Relations[] {
  const masks = (site: CallSite): readonly EventMask[] => [
    ...new Set([
      maskOf([...site.events.keys()]),
      ...alternativesOf(site).map(({ events }) => maskOf(events)),
    ]),
  ];
  return masks(one).flatMap((a) => masks(other).map((b) => relations.of([one, other], [a, b])));
}

const maskOf = (events: readonly number[]): EventMask =>
  events.reduce((mask, e) => mask | (1 << e), 0);
