import type { Fix } from '../repair/fix.js';
import type { PrintedAddition, PrintedRepair } from '../repair/print.js';
import { WIDTH, fold } from './explain-style.js';

/** What would change an answer, in lines for the terminal. */
export function fixLines(fix: Fix): readonly string[] {
  switch (fix.kind) {
    case 'undecided':
      return [`No fix is looked for: ${fix.reason}`];
    case 'additions':
      return repairLines(fix.repair, 'rules this out');
    case 'obstacles':
      return obstacleLines(fix);
  }
}

/**
 * A repair in lines: what is added where, and the program with it.
 *
 * @param effect what the additions do, as in "rules this out"
 */
export function repairLines(repair: PrintedRepair, effect: string): readonly string[] {
  switch (repair.kind) {
    case 'none':
      return [`No fence, poll or get that could be added ${effect}.`];
    case 'unknown':
      return fold(`Whether additions help is unknown: ${repair.reason}`, WIDTH - 4, '  ');
    case 'found': {
      const { cost, upTo } = repair;
      const runs =
        upTo === undefined ? '' : ` for runs with at most ${upTo} iterations of each loop`;
      return [
        `The cheapest that ${effect} (cost ${cost}, verified${runs}):`,
        ...repair.additions.map((a) => `  ${additionText(a)}`),
        '',
        ...repair.litmus.trimEnd().split('\n'),
      ];
    }
  }
}

/** `T1: add poll(2) before x := 1` */
export const additionText = ({ thread, text, place }: PrintedAddition): string =>
  `${thread}: add ${text} ${'before' in place ? `before ${place.before}` : `at the end of ${place.endOf}`}`;

function obstacleLines({
  instructions,
  entries,
  finished,
}: Extract<Fix, { readonly kind: 'obstacles' }>): readonly string[] {
  const lines = [
    ...instructions.map((i) => `  ${i.text} of ${i.thread}`),
    ...entries.map((e) => `  ${e.map(({ table, text }) => `${table}: ${text}`).join(' and ')}`),
  ];
  const rest = finished ? [] : ['There was no time to try all entries of the tables.'];
  if (lines.length === 0) {
    return ['No single fence, poll or entry of a table stands in the way of it.', ...rest];
  }
  return ['It would be possible without any one of these:', ...lines, ...rest];
}
