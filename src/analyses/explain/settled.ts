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
  const seen: Keys[] = [];
  const known = new Map<CandidateCase, KnownCase>();
  /** A case is asked about for each candidate that was found, and its keys are made once. */
  const keysOf = (facts: CandidateCase): KnownCase => {
    const its = known.get(facts) ?? knownOf(facts);
    known.set(facts, its);
    return its;
  };
  return (one, { within = [], without = [] }) => {
    const common = new Map(factsIn(one, instructions).map((fact) => [keyOf(fact), fact]));
    const keep = (keys: Keys): void => {
      for (const key of common.keys()) if (!keys.has(key)) common.delete(key);
    };
    const [inside, outside] = [keysOf(within), without.map(keysOf)];
    for (const keys of seen) {
      if (isSurely(keys, inside) && outside.every((its) => isSurelyNot(keys, its))) keep(keys);
    }
    for (;;) {
      const other = candidates.find([], { within, without: [...without, [...common.values()]] });
      if (other.kind === 'unknown') return new Set();
      if (other.kind === 'none') return new Set(common.keys());
      const keys = new Set(factsIn(other.verified, instructions).map(keyOf));
      seen.push(keys);
      keep(keys);
    }
  };
}

/** The keys of all facts of a candidate that `factsIn` gives. */
type Keys = ReadonlySet<string>;

/** A case, as it is looked up among the facts of candidates. */
interface KnownCase {
  /** The keys of those of its facts that `factsIn` gives. */
  readonly keys: readonly string[];
  /** Are these all of its facts? */
  readonly complete: boolean;
}

function knownOf(facts: CandidateCase): KnownCase {
  const positive = facts.filter(isPositive);
  return { keys: positive.map(keyOf), complete: positive.length === facts.length };
}

/** Are all facts of a case true in a candidate with these facts? False if this is not known. */
const isSurely = (of: Keys, { keys, complete }: KnownCase): boolean =>
  complete && keys.every((key) => of.has(key));

const isSurelyNot = (of: Keys, { keys }: KnownCase): boolean => keys.some((key) => !of.has(key));
