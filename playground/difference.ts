import { structuredPatch } from 'diff';
import type { DifferenceLine } from './question.js';

/** How many lines are shown around what differs. */
const CONTEXT = 3;

const KINDS: Readonly<Record<string, DifferenceLine['kind']>> = {
  '-': 'removed',
  '+': 'added',
  ' ': 'same',
};

/** What differs between two texts, with some lines around it. */
export function difference(before: string, after: string): readonly DifferenceLine[] {
  const { hunks } = structuredPatch('', '', before, after, '', '', { context: CONTEXT });
  return hunks.flatMap(({ lines }, i) => [
    ...(i === 0 ? [] : [{ kind: 'left out', text: '…' } as const]),
    ...lines.flatMap((line) => {
      const kind = KINDS[line[0]];
      // That a text has no newline at its end is said by a line of its own.
      return kind === undefined ? [] : [{ kind, text: line.slice(1) }];
    }),
  ]);
}
