import type { Verified } from '../../check/witness/verify.js';
import type { Candidates, CandidateCase, CaseFilter } from './candidates.js';
import { factsIn, isPositive, keyOf } from './facts.js';

/**
 * What all candidates of some cases have in common, of which one is given: the keys of the facts that
 * the outcome, the program and the cases force. Where a solver gives up, nothing is known to be.
 */
export type SettledFacts = (one: Verified, cases: CaseFilter) => ReadonlySet<string>;

/**
 * Finds out what is settled: one candidate after the other is asked for that lacks some of the facts,
 * until there is none. Candidates that were found before are tried first. (The backbone of a formula,
 * found by its models: Janota, Lynce, Marques-Silva, On computing backbones of propositional
 * theories, 2015.)
 */
export function settledAmong(candidates: Candidates): SettledFacts {
  const seen: ReadonlySet<string>[] = [];
  return (one, { within = [], without = [] }) => {
    let common = factsIn(one);
    const keep = (keys: ReadonlySet<string>): void => {
      common = common.filter((fact) => keys.has(keyOf(fact)));
    };
    for (const keys of seen) {
      if (isSurely(keys, within) && without.every((facts) => isSurelyNot(keys, facts))) keep(keys);
    }
    for (;;) {
      const other = candidates.find([], { within, without: [...without, common] });
      if (other.kind === 'unknown') return new Set();
      if (other.kind === 'none') return new Set(common.map(keyOf));
      const keys = new Set(factsIn(other.verified).map(keyOf));
      seen.push(keys);
      keep(keys);
    }
  };
}

/** Are all facts of a case true in a candidate with these facts? Only some kinds of facts tell. */
const isSurely = (keys: ReadonlySet<string>, facts: CandidateCase): boolean =>
  facts.every((fact) => isPositive(fact) && keys.has(keyOf(fact)));

const isSurelyNot = (keys: ReadonlySet<string>, facts: CandidateCase): boolean =>
  facts.some((fact) => isPositive(fact) && !keys.has(keyOf(fact)));
