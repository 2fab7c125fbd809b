import { backwards, readsOf, writtenBy } from '../program/flow/facts.js';
import type { Calls, ClassId } from './classes.js';
import type { Slot } from './compute.js';
import type { Asked, Layout } from './layout.js';

/** What may still come, by where a thread is. */
export interface Later {
  /** By thread and step: the classes of the calls that the thread may still begin. */
  readonly classes: readonly (readonly (readonly ClassId[])[])[];
  /** By thread and step: slots of registers and temporaries whose values a later step, or a question, needs. */
  readonly live: readonly (readonly (readonly Slot[])[])[];
}

export function laterOf(
  { program, calls, slotOf }: Layout,
  { isKept, isWatched }: Pick<Asked, 'isKept' | 'isWatched'>,
): Later {
  const live = calls.flows.map((flow, t) => {
    const kept = program.threads[t].registers.flatMap((_, register) =>
      isKept(t, register) || isWatched(t, register)
        ? [slotOf(t, { kind: 'register', register })]
        : [],
    );
    return backwards(flow, kept, (step) => {
      const written = writtenBy(step);
      const read = readsOf(step).filter(({ kind }) => kind !== 'ghost');
      return {
        adds: read.map((cell) => slotOf(t, cell)),
        removes: written === undefined ? [] : [slotOf(t, written)],
      };
    });
  });
  return { classes: classesLater(calls), live };
}

const classesLater = ({ flows, classAt }: Calls): Later['classes'] =>
  flows.map((flow, t) =>
    backwards(flow, [], (_, at) => ({
      adds: classAt[t][at] < 0 ? [] : [classAt[t][at]],
      removes: [],
    })),
  );
