import { backwards, readsOf, writtenBy } from '../program/flow/facts.js';
import type { Calls, ClassId } from './classes.js';
import type { Slot } from './compute.js';
import type { Layout } from './layout.js';

/** What may still come, by where a thread is. */
export interface Later {
  /** By thread and step: the classes of the calls that the thread may still begin. */
  readonly classes: readonly (readonly (readonly ClassId[])[])[];
  /** By thread and step: slots of registers and temporaries whose values no later step needs. */
  readonly dead: readonly (readonly (readonly Slot[])[])[];
}

/** @param isKept whether the value of a register is asked for when the thread has come to its end */
export function laterOf(
  { program, calls, slotOf }: Layout,
  isKept: (thread: number, register: number) => boolean,
): Later {
  const dead = calls.flows.map((flow, t) => {
    const registers = program.threads[t].registers.map((_, register) => register);
    const slots = new Set<Slot>([
      ...registers.map((register) => slotOf(t, { kind: 'register', register })),
      ...[...Array(flow.temporaries).keys()].map((temporary) =>
        slotOf(t, { kind: 'temporary', temporary }),
      ),
    ]);
    const kept = registers
      .filter((register) => isKept(t, register))
      .map((register) => slotOf(t, { kind: 'register', register }));
    const live = backwards(flow, new Set(kept), (step, _, behind) => {
      const written = writtenBy(step);
      const slot = written === undefined ? -1 : slotOf(t, written);
      return [
        ...[...behind].filter((one) => one !== slot),
        ...readsOf(step).map((cell) => slotOf(t, cell)),
      ];
    });
    return live.map((alive) => [...slots].filter((slot) => !alive.has(slot)));
  });
  return { classes: classesLater(calls), dead };
}

const classesLater = ({ flows, classAt }: Calls): Later['classes'] =>
  flows.map((flow, t) =>
    backwards<ClassId>(flow, new Set(), (_, at, behind) =>
      classAt[t][at] < 0 ? behind : [...behind, classAt[t][at]],
    ).map((found) => [...found].sort((a, b) => a - b)),
  );
