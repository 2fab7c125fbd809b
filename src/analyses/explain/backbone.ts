import type { InstructionSet } from '../../model/instructions/set.js';
import type { Verified } from '../../check/witness/verify.js';
import type { Candidates, CandidateCase, CaseFilter } from './candidates.js';
import type { Fact } from './facts.js';
import { factsIn, isPositive, factKey } from './facts.js';

/**
 * Finds the backbone of some cases: the keys of the facts that all of their candidates have in common. `one` is one of these
 * candidates. The set is empty if the solver gives up.
 */
export type Backbone = (one: Verified, cases: CaseFilter) => ReadonlySet<string>;

/**
 * Finds the backbones of cases of a query. It asks for one candidate after the other that lacks some of the facts that
 * are left, until there is none. Candidates that were found before are used first. (This is how the backbone of
 * a formula is found by its models: Janota, Lynce, Marques-Silva, On computing backbones of propositional
 * theories, 2015.)
 */
export function backboneAmong(candidates: Candidates, instructions: InstructionSet): Backbone {
  const seen: Facts[] = [];
  const bits = new Map<string, Facts>();
  const bitOf = (key: string): Facts => {
    const bit = bits.get(key) ?? 1n << BigInt(bits.size);
    bits.set(key, bit);
    return bit;
  };
  const together = (facts: readonly Fact[]): Facts =>
    facts.reduce((all, fact) => all | bitOf(factKey(fact)), 0n);
  const known = new Map<CandidateCase, KnownCase>();
  /** A case is asked about for each candidate that was found, and its facts are numbered once. */
  const knownOf = (facts: CandidateCase): KnownCase => {
    const positive = facts.filter(isPositive);
    const its = known.get(facts) ?? {
      facts: together(positive),
      complete: positive.length === facts.length,
    };
    known.set(facts, its);
    return its;
  };
  return (one, { within = [], without = [] }) => {
    const own = factsIn(one, instructions).map((fact) => ({ fact, key: factKey(fact) }));
    const [inside, outside] = [knownOf(within), without.map(knownOf)];
    let common = together(own.map(({ fact }) => fact));
    for (const facts of seen) {
      if (isSurely(facts, inside) && outside.every((its) => isSurelyNot(facts, its)))
        common &= facts;
    }
    for (;;) {
      const left = own.filter(({ key }) => (common & bitOf(key)) !== 0n);
      const lacking = left.map(({ fact }) => fact);
      const other = candidates.find([], { within, without: [...without, lacking] });
      if (other.kind === 'unknown') return new Set();
      if (other.kind === 'none') return new Set(left.map(({ key }) => key));
      const facts = together(factsIn(other.verified, instructions));
      seen.push(facts);
      common &= facts;
    }
  };
}

/** Some facts, a bit each: those of one candidate are compared with those of thousands of others. */
type Facts = bigint;

/** A case, as it is looked up among the facts of candidates. */
interface KnownCase {
  /** Those of its facts that `factsIn` gives. */
  readonly facts: Facts;
  /** Are these all of its facts? */
  readonly complete: boolean;
}

/** Are all facts of a case true in a candidate with these facts? False if this is not known. */
const isSurely = (of: Facts, { facts, complete }: KnownCase): boolean =>
  complete && (facts & ~of) === 0n;

const isSurelyNot = (of: Facts, { facts }: KnownCase): boolean => (facts & ~of) !== 0n;
