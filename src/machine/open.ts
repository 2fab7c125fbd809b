import type { Relations, StepMask } from './relations.js';

/** May a step be taken, as far as the relations of two calls are concerned? */
export function isOpen({ needs, ways }: Relations, done: StepMask, step: number): boolean {
  if ((needs[step] & ~done) !== 0) return false;
  return ways.every(([one, other]) =>
    [one, other].some((way) => (way[step] & ~done) === 0 && isAlive(way, done)),
  );
}

/** Can a guess still go this way: has no step been taken before one that it needs? */
export function isAlive(way: readonly StepMask[], done: StepMask): boolean {
  return way.every((needs, step) => (done & (1 << step)) === 0 || (needs & ~done) === 0);
}
