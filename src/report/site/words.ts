/** Sentences about explanations that only pages have. The others are in `explain-words.ts`, for `remora explain`, too. */
import type { AxiomViolation, Ways } from '../../analyses/explain/explanation.js';
import { plural } from '../explain-style.js';

/** Says in how many ways candidates fail. It comes before the first of these ways. */
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

/** A violation in a few words: `the axiom ob is broken by a cycle`. */
export function violationInWords({ axiom, kind }: AxiomViolation): string {
  const by = { cycle: ' by a cycle', pair: ' by a pair', event: ' by an event', absence: '' }[kind];
  return `the axiom ${axiom} is broken${by}`;
}
