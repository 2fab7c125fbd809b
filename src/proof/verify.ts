import type { OpenChoices } from '../program/events/open.js';
import type { Case } from './case.js';
import { caseOf } from './case.js';
import type { Claim } from './contradiction.js';
import { contradicts, caseBoundsOf } from './contradiction.js';
import type { Decision, Proof, ProofQuestion } from './proof.js';
import { questionText, reasonText } from './proof.js';

/**
 * Says what is wrong with a proof of a claim, if anything. The proof is followed from its root: each split must have
 * all possible answers, and the case of each leaf must contradict what the leaf names.
 */
export function proofVerifier(
  claim: Claim,
): (proof: Proof, given?: readonly Decision[]) => string | undefined {
  const relations = caseBoundsOf(claim);
  return function verify(proof, decisions = []): string | undefined {
    const one = caseOf(claim.open, decisions);
    if (proof.kind === 'leaf') {
      if (contradicts(claim, one, proof.reason, relations(one))) return undefined;
      return `${caseText(decisions)} does not contradict '${reasonText(proof.reason)}'`;
    }
    const { question, parts } = proof;
    const answers = answersTo(claim.open, one, question);
    if (answers === undefined)
      return `'${questionText(question)}' is not to be asked in ${caseText(decisions)}`;
    for (const answer of answers) {
      const part = parts.find((candidate) => candidate.answer === answer);
      if (part === undefined)
        return `${caseText([...decisions, { ...question, answer }])} is left out`;
      const wrong = verify(part.proof, [...decisions, { ...question, answer }]);
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  };
}

/** All answers to a question in a case; undefined if it must not be asked there. */
export function answersTo(
  { structure, sources, orders }: OpenChoices,
  one: Case,
  { name, about }: ProofQuestion,
): readonly number[] | undefined {
  const [a, b] = about;
  if (name === 'choice') return about.length === 1 && a < structure.choices ? [0, 1] : undefined;
  if (about.length === 0 || !about.every((event) => one.executed(event) === true)) return undefined;
  if (sources.has(name)) {
    // An event without a possible source must not be asked about: there would be no answers, and so nothing to prove.
    return about.length === 1 && sources.get(name)!.has(a) ? one.sources(name, a) : undefined;
  }
  const isPair = orders.get(name)?.pairs.some(([c, d]) => c === a && d === b) === true;
  return isPair && about.length === 2 ? about : undefined;
}

const caseText = (decisions: readonly Decision[]): string =>
  decisions.length === 0
    ? 'the whole'
    : `the case ${decisions.map((one) => `${questionText(one)}: ${one.answer}`).join(', ')}`;
