import { isRead, isWrite } from '../program/events/structure.js';
import type { LocationId } from '../program/program.js';
import type { CallSite } from './calls.js';
import { isAfter } from './open.js';
import type { EventMask, Relations, StepMask } from './relations.js';

/** A call of which some events are executed, with what the model asks of their steps. */
export interface Executed {
  readonly site: CallSite;
  readonly executed: EventMask;
  readonly own: Relations;
}

/** A step that accesses a location. */
interface Access {
  readonly event: number;
  readonly step: number;
  readonly location: LocationId;
  readonly writes: boolean;
}

/**
 * The accesses of a call that may still come.
 *
 * @param first the number of the first event of the call among those of two calls
 */
export function accessesOfStep({ site, executed, own }: Executed, first = 0): readonly Access[] {
  return site.events.flatMap((event, e): Access[] => {
    const { location } = event;
    if ((executed & (1 << e)) === 0 || location === undefined) return [];
    const at = { event: first + e, location };
    const issue = 2 * (first + own.taken[e]);
    const observation = own.inst[e] ? issue : issue + 1;
    return [
      ...(isRead(event) ? [{ ...at, step: issue, writes: false }] : []),
      ...(isWrite(event) ? [{ ...at, step: observation, writes: true }] : []),
    ];
  });
}

/** The steps of two lists of accesses that conflict with one of the other list that is not done, and that need not come after it. */
export function conflictsIn(
  relations: Relations,
  done: StepMask,
  some: readonly Access[],
  others: readonly Access[],
): StepMask {
  const { needs, early, covering } = relations;
  const isOpen = (step: number): boolean => (done & (1 << step)) === 0;
  let mask = 0;
  const note = (step: number, other: number): void => {
    if (isOpen(step) && isOpen(other) && !isAfter(needs, other, step)) mask |= 1 << step;
  };
  const pairs = some.flatMap((a) =>
    others.flatMap((b) => [
      [a, b],
      [b, a],
    ]),
  );
  for (const [a, b] of pairs) {
    if (a.step !== b.step && a.location === b.location && (a.writes || b.writes)) {
      const [read, write] = a.writes ? [b, a] : [a, b];
      const isForwarded =
        !read.writes &&
        !isOpen(2 * write.event) &&
        early.some((one) => one.write === write.event && one.read === read.event) &&
        covering.some(
          (one) => one.write === write.event && one.read === read.event && !isOpen(one.since),
        );
      if (!isForwarded) note(a.step, b.step);
    }
  }
  // What a read may find, or must not, can change with the issue of a write.
  for (const { write, read } of early) {
    note(2 * write, 2 * read);
    note(2 * read, 2 * write);
  }
  for (const { since, read } of covering) {
    note(since, 2 * read);
    note(2 * read, since);
  }
  return mask;
}
