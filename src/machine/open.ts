import type { Relations, StepMask } from './relations.js';

/** May a step be taken, as far as the relations of two calls are concerned? */
export function isOpen(
  { needs, ways }: Pick<Relations, 'needs' | 'ways'>,
  done: StepMask,
  step: number,
): boolean {
  if ((needs[step] & ~done) !== 0) return false;
  return ways.every(([one, other]) =>
    [one, other].some((way) => (way[step] & ~done) === 0 && isAlive(way, done)),
  );
}

/** Can a guess still go this way: has no step been taken before one that it needs? */
export function isAlive(way: readonly StepMask[], done: StepMask): boolean {
  return way.every((needs, step) => (done & (1 << step)) === 0 || (needs & ~done) === 0);
}

/** Does a step need another one, or what needs it? An event is observed after it is issued. */
export function isAfter(needs: readonly StepMask[], step: number, other: number): boolean {
  return (closureOf(needs, step) & (1 << other)) !== 0;
}

/** A step with all that it needs. */
export function closureOf(needs: readonly StepMask[], step: number): StepMask {
  let reached = 1 << step;
  let open = reached;
  while (open !== 0) {
    const at = 31 - Math.clz32(open & -open);
    open &= open - 1;
    const before = (needs[at] | ((at & 1) === 1 ? 1 << (at - 1) : 0)) & ~reached;
    reached |= before;
    open |= before;
  }
  return reached;
}
