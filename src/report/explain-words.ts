/** Sentences about explanations that the terminal and the pages of a site share. */
import type { Refuted } from '../analyses/explain/explanation.js';
import type { Verdict } from '../check/result.js';
import { endingOf } from './outcome.js';

/** `a, b and c` */
export const listInWords = (items: readonly string[]): string =>
  items.length < 2
    ? items.join()
    : `${items.slice(0, -1).join(', ')} and ${items[items.length - 1]}`;

/** Says which axioms forbid what a query asks about. */
export function coresInWords({ cores, allCores }: Refuted, verdict: Verdict): string {
  const what =
    verdict === 'holds' ? 'Every final state satisfies it' : 'No final state satisfies it';
  if (cores.length === 0) return `${what}.`;
  if (cores.some((core) => core.length === 0)) {
    return `${what}, whatever the axioms: no execution of the program ends ${endingOf(verdict)}.`;
  }
  const each = cores.map((core) =>
    core.length === 1 ? `the axiom ${core[0]} alone` : `the axioms ${listInWords(core)} together`,
  );
  const all = allCores ? '' : ', and maybe others';
  return cores.length === 1
    ? `${what} because of ${each[0]}${all}.`
    : `${what} for several reasons, each of which is enough: ${listInWords(each)}${all}.`;
}
