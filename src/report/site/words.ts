import type { AxiomViolation, Refuted, Ways } from '../../analyses/explain/explanation.js';
import type { Verdict } from '../../check/result.js';
import { plural } from './site.js';

/** Sentences about explanations; those of `remora explain` say the same. */

export function list(items: readonly string[]): string {
  return items.length < 2
    ? items.join()
    : `${items.slice(0, -1).join(', ')} and ${items[items.length - 1]}`;
}

/** How the executions end that a verdict is about: those that satisfy a condition, or those that do not. */
export const endingOf = (verdict: Verdict): string =>
  verdict === 'holds' || verdict === 'fails' ? 'otherwise' : 'so';

/** Which axioms forbid a query. */
export function coresInWords({ cores, allCores }: Refuted, verdict: Verdict): string {
  const what =
    verdict === 'holds' ? 'Every final state satisfies it' : 'No final state satisfies it';
  if (cores.length === 0) return `${what}.`;
  if (cores.some((core) => core.length === 0)) {
    return `${what}, whatever the axioms: no execution of the program ends ${endingOf(verdict)}.`;
  }
  const each = cores.map((core) =>
    core.length === 1 ? `the axiom ${core[0]} alone` : `the axioms ${list(core)} together`,
  );
  const all = allCores ? '' : ', and maybe others';
  return cores.length === 1
    ? `${what} because of ${each[0]}${all}.`
    : `${what} for several reasons, each of which is enough: ${list(each)}${all}.`;
}

/** In how many ways candidates fail, before the first of them is shown. */
export function waysInWords({ count, incomplete, shapes }: Ways): string {
  const among = shapes.length === count ? '' : ` of ${plural(shapes.length, 'shape')}`;
  if (incomplete !== undefined) {
    const ways = plural(count, 'way');
    return `Candidate executions fail in ${ways}${among}, and maybe in others (${incomplete}). One of them:`;
  }
  return count === 1
    ? 'Every candidate execution fails in the same way:'
    : `Every candidate execution fails in one of ${count} ways${among}. One of them:`;
}

/** What a violation is, in a few words: `the axiom ob is broken by a cycle`. */
export function violationInWords({ axiom, kind }: AxiomViolation): string {
  const by = { cycle: ' by a cycle', pair: ' by a pair', event: ' by an event', absence: '' }[kind];
  return `the axiom ${axiom} is broken${by}`;
}
