import type { InstructionSet } from '../../model/instructions/set.js';
import type { Verified } from '../../check/witness/verify.js';
import type { Candidates, CandidateCase, CaseFilter } from './candidates.js';
import { factsIn, isPositive, keyOf } from './facts.js';

/**
 * The keys of the facts that all candidates of some cases have in common. One of the candidates is given. If the solver gives
 * up, the set is empty.
 */
export type SettledFacts = (one: Verified, cases: CaseFilter) => ReadonlySet<string>;

/**
 * Finds the facts that candidates have in common. It asks for one candidate after the other that lacks some of the facts that
 * are left, until there is none. Candidates that were found before are used first. (This is the backbone of a formula,
 * found by its models: Janota, Lynce, Marques-Silva, On computing backbones of propositional
 * theories, 2015.)
 */
export function settledAmong(candidates: Candidates, instructions: InstructionSet): SettledFacts {
  const seen: ReadonlySet<string>[] = [];
  return (one, { within = [], without = [] }) => {
    let common = factsIn(one, instructions);
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
      const keys = new Set(factsIn(other.verified, instructions).map(keyOf));
      seen.push(keys);
      keep(keys);
    }
  };
}

/** Are all facts of a case true in a candidate with these facts? False if this is not known. */
const isSurely = (keys: ReadonlySet<string>, facts: CandidateCase): boolean =>
  facts.every((fact) => isPositive(fact) && keys.has(keyOf(fact)));

const isSurelyNot = (keys: ReadonlySet<string>, facts: CandidateCase): boolean =>
  facts.some((fact) => isPositive(fact) && !keys.has(keyOf(fact)));
