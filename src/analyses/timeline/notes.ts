import type { TimelineLane } from './timeline.js';

/** A step reads a place, or brings a value to it. */
export interface AccessNote {
  readonly kind: 'read' | 'write';
  /** The place, by its name. */
  readonly place: string;
  readonly value: string;
  readonly thread: number;
  /** The step in which a thread begins what leads to it: posts it, puts it into its store buffer, or does it at once. */
  readonly begun: number;
  /** The step in which it reads, or is in memory. */
  readonly done: number;
}

/**
 * What goes wrong. Steps that read: they read before a write has come to memory that was begun before (*too early*), or what a later
 * instruction of the same thread has overwritten already (*too late*). Steps that write: they come to memory after a write that was begun
 * later, and take its place (*too late*).
 *
 * @param waiting where a value waits at a step, if it does
 */
export function notesOn(
  accesses: readonly AccessNote[],
  waiting: (step: number, what: string) => TimelineLane | undefined,
): ReadonlyMap<number, string> {
  const notes = new Map<number, string>();
  const writes = accesses.filter(({ kind }) => kind === 'write');
  for (const read of accesses) {
    if (read.kind !== 'read') continue;
    const others = writes.filter((w) => w.place === read.place && w.begun !== read.begun);
    const late = others.find(
      (w) => w.thread === read.thread && read.begun < w.begun && w.done < read.done,
    );
    const early = others.find((w) => w.begun < read.done && read.done < w.done);
    if (late !== undefined) {
      notes.set(read.done, `too late: ${read.place} was overwritten in between`);
    } else if (early !== undefined) {
      const what = equation(early);
      const lane = waiting(read.done, what);
      notes.set(read.done, `too early: ${what} is still ${lane ? inWords(lane) : 'on its way'}`);
    }
  }
  for (const write of writes) {
    const newer = writes.findLast(
      (w) => w.place === write.place && write.begun < w.begun && w.done < write.done,
    );
    if (newer !== undefined && !notes.has(write.done)) {
      notes.set(write.done, `too late: takes the place of ${equation(newer)}, which is newer`);
    }
  }
  return notes;
}

const equation = ({ place, value }: AccessNote): string => `${place} = ${value}`;

function inWords({ kind, node, thread }: TimelineLane): string {
  return kind === 'nic' ? `in the NIC of node ${node}` : `in ${thread}'s store buffer`;
}
