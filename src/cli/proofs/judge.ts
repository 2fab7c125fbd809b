import { clausesOf } from '../../check/clauses.js';
import { structureFor } from '../../check/structure.js';
import { wrongWithClauses } from '../../check/verify-clauses.js';
import type { Settings } from '../../libraries/inline.js';
import type { Model } from '../../model/term.js';
import { unsettledGuess } from '../../encode/bounds/unsettled.js';
import { modelOver } from '../../program/events/narrow.js';
import { openIn } from '../../program/events/open.js';
import type { EventStructure } from '../../program/events/structure.js';
import { showQuery } from '../../program/print.js';
import type { StateQuery } from '../../program/program.js';
import { isStateQuery } from '../../program/program.js';
import type { Claim } from '../../proof/contradiction.js';
import type { Head } from '../../proof/heading.js';
import { listingOf } from '../../proof/listing.js';
import type { Proof } from '../../proof/proof.js';
import type { Certificate } from '../../proof/text.js';
import { leavesOf } from '../../proof/text.js';
import { proofVerifier } from '../../proof/verify.js';
import { prepare } from '../../rdma/prepare.js';
import { modelsOf, testUnder } from '../inputs/clients.js';
import type { CorpusTest } from '../inputs/corpus.js';
import type { ModelInputs } from '../inputs/models.js';
import { modelDigest, programDigest } from './write.js';
import type { AnyProof, ClauseProof } from './read.js';
import { isInClauses } from './read.js';
import { VERSION } from '../package.js';

export interface VerifyOptions {
  readonly model?: readonly string[];
  readonly library?: readonly string[];
  readonly implementation?: readonly string[];
  readonly set?: Settings;
}

/** The engine for which a program is prepared, as for verdicts. */
export const PROOF_ENGINE = 'auto';

/** The outcome of a check: what a proof shows, or what is wrong with it. */
export type ProofOutcome = ShownClaim | { readonly wrong: string } | { readonly unread: string };

export interface ShownClaim {
  /** The verdict that is shown, in words. */
  readonly holds: string;
  /** How large the proof is. */
  readonly size: string;
  readonly claim: Claim;
}

/** Checks a proof against the program. */
export function judgeProof(
  proof: AnyProof,
  item: CorpusTest,
  models: Pick<ModelInputs, 'items'>,
  options: VerifyOptions,
): ProofOutcome {
  const subject = subjectOf(proof, item, models, options);
  if (!('structure' in subject)) return subject;
  const { structure, model, query, name } = subject;
  const unsettled = unsettledGuess(structure);
  if (unsettled !== undefined) return { wrong: unsettled };
  const holds = query.quantifier === 'forall';
  const claim = { open: openIn(structure), model, condition: query.condition, asked: !holds };
  const found = isInClauses(proof) ? judgeClauses(proof, claim) : judgeTree(proof, claim);
  if ('wrong' in found) return found;
  const bounded = found.usesBound ? `, up to ${structure.bound} iterations of loops` : '';
  const what = `${showQuery(query)} ${holds ? 'holds' : 'is forbidden'} under ${model.name}${bounded}`;
  return { holds: `${name}: ${what}: ${found.size}`, size: found.size, claim };
}

/** What is wrong with a proof; or its size, and whether it depends on the bound of loops. */
type Judgement =
  | { readonly wrong: string }
  | { readonly size: string; readonly usesBound: boolean };

const count = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;

function judgeTree({ proof }: Certificate, claim: Claim): Judgement {
  const wrong = proofVerifier(claim)(proof);
  if (wrong !== undefined) return { wrong };
  return { size: count(leavesOf(proof), 'leaf', 'leaves'), usesBound: usesBound(proof) };
}

function judgeClauses(proof: ClauseProof, { open, model, condition, asked }: Claim): Judgement {
  const { structure } = open;
  const encoded = clausesOf(structure, modelOver(structure, model), condition, asked);
  if ('reason' in encoded) return { wrong: encoded.reason };
  const wrong = wrongWithClauses(encoded, proof, proof.steps);
  if (wrong !== undefined) {
    const by =
      proof.remora === VERSION ? '' : ` (it was encoded by ${proof.remora}, not ${VERSION})`;
    return { wrong: `${wrong}${by}` };
  }
  const sizes = [
    count(proof.clauses.length, 'clause', 'clauses'),
    count(proof.cycles.length, 'cycle', 'cycles'),
    count(proof.steps.filter(({ deletes }) => deletes !== true).length, 'step', 'steps'),
  ];
  // It is not known which clauses depend on the bound.
  return { size: sizes.join(', '), usesBound: structure.cuts.length > 0 };
}

/** The subject of a proof, made from the program as it is now; or why the proof is about something else. */
function subjectOf(
  { heading, listing }: Head,
  item: CorpusTest,
  models: Pick<ModelInputs, 'items'>,
  { model: names }: VerifyOptions,
):
  | {
      readonly structure: EventStructure;
      readonly model: Model;
      readonly query: StateQuery;
      readonly name: string;
    }
  | ProofOutcome {
  if (heading.program !== programDigest(item.source) || heading.test !== item.test.name) {
    return {
      unread: `a proof about another program, or another text of it: that of ${heading.test}`,
    };
  }
  const asked = modelsOf(item, models.items);
  const model = asked.find(
    (one) => one.name === heading.model && modelDigest(one) === heading.modelDigest,
  );
  if (model === undefined) {
    const those = names ?? asked.map(({ name }) => name);
    const instead = those.length > 0 ? `, and not ${those.join(', ')} as it is now` : '';
    return { unread: `a proof about another model: ${heading.model} as it was${instead}` };
  }
  const test = testUnder(item, model);
  const query = test.queries[heading.query];
  if (query === undefined || !isStateQuery(query) || showQuery(query) !== heading.asked) {
    return {
      unread: `the program has no query ${heading.query + 1} with this text: ${heading.asked}`,
    };
  }
  const adapted = prepare(test.program, model, PROOF_ENGINE);
  if (!adapted.ok) return { unread: adapted.errors.map(({ message }) => message).join('; ') };
  const structure = structureFor(adapted.value.program, model, heading.bound);
  if ('reason' in structure) return { unread: structure.reason };
  if (listingOf(structure).join('\n') !== listing.join('\n')) {
    return { wrong: 'the program has other events than those that the proof lists' };
  }
  return { structure, model, query, name: test.name };
}

const usesBound = (proof: Proof): boolean =>
  proof.kind === 'leaf'
    ? proof.reason.kind === 'bound'
    : proof.parts.some((p) => usesBound(p.proof));
