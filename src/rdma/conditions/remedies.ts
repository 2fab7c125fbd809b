import type { EventPoint } from './paths.js';

/**
 * The cheapest instruction that keeps two accesses in order (robustness paper, Fig. 5; `mfence`: App. B, Def. 14).
 */
export type Remedy = 'nothing' | 'rfence' | 'poll' | 'get and poll' | 'mfence';

/** A cell of Fig. 5: the kinds of two accesses of one thread, and what keeps them in order. */
export interface RemedyCell {
  /** `D7` */
  readonly name: string;
  readonly remedy: Remedy;
}

const ROWS: readonly { readonly row: string; readonly label: string; readonly remedies: string }[] =
  // Columns 1 to 5 are for another queue pair, 6 to 9 for the same one. `.` says that nothing is needed.
  [
    { row: 'B', label: 'nlR', remedies: 'PPPPP....' },
    { row: 'C', label: 'nrW', remedies: 'GGGGGG...' },
    { row: 'D', label: 'nrR', remedies: 'PPPPPFFF.' },
    { row: 'E', label: 'nlW', remedies: 'PPPPPFFP.' },
  ];

const COLUMNS: readonly string[] = ['nlR', 'nrW', 'nrR', 'nlW'];

const REMEDIES: { readonly [letter: string]: Remedy } = {
  '.': 'nothing',
  F: 'rfence',
  P: 'poll',
  G: 'get and poll',
};

/** The cell of an earlier and a later access of one thread. */
export function remedyCellOf(earlier: EventPoint, later: EventPoint): RemedyCell {
  const column = COLUMNS.indexOf(later.label);
  const number = column < 0 ? 1 : column + (earlier.queuePair === later.queuePair ? 6 : 2);
  const row = ROWS.find(({ label }) => label === earlier.label);
  if (row !== undefined) {
    return { name: `${row.row}${number}`, remedy: REMEDIES[row.remedies[number - 1]] };
  }
  // Row A is for events of the CPU, which have no queue pair. Under TSO a read may overtake a write.
  const overtaken = earlier.label === 'lW' && later.label === 'lR';
  return { name: `A${column < 0 ? 1 : column + 2}`, remedy: overtaken ? 'mfence' : 'nothing' };
}
