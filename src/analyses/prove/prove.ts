import { clausesOf } from '../../check/clauses.js';
import { structureFor } from '../../check/structure.js';
import { unsettledGuess } from '../../encode/bounds/unsettled.js';
import { modelOver } from '../../program/events/narrow.js';
import { openIn } from '../../program/events/open.js';
import type { Test } from '../../program/program.js';
import { stateQuery } from '../../program/program.js';
import { showQuery } from '../../program/print.js';
import type { Claim } from '../../proof/contradiction.js';
import { printClauses, printSteps } from '../../proof/dimacs.js';
import type { Head, Heading } from '../../proof/heading.js';
import { makeProof } from '../../proof/make.js';
import { listingOf } from '../../proof/listing.js';
import { printCertificate } from '../../proof/text.js';
import type { Circumstances } from '../circumstances.js';
import { refute } from './clauses.js';
import type { ProofFormat } from './formats.js';
import { withSteps } from './steps.js';

/** A query with the answer no: no execution is as it asks for, or, with `forall`, as it must not be. */
export interface ProveInput {
  readonly test: Test;
  readonly query: number;
  /** What texts it is about. */
  readonly digests: Pick<Heading, 'program' | 'modelDigest'>;
  /** The version of Remora, which clauses tell. */
  readonly remora: string;
  /** A tree of cases, and clauses where that grows too large; or clauses in any case. */
  readonly format: ProofFormat;
}

/** The proof as text: a tree of cases, or clauses and how they come to a contradiction. Or why there is none. */
export type Proved =
  | { readonly tree: string }
  | { readonly clauses: string; readonly steps: string }
  | { readonly reason: string };

/** Makes a proof for "forbidden" or "holds" under the model (docs/proofs.md). */
export function prove(
  { test, query: index, digests, remora, format }: ProveInput,
  { models: [model], bound }: Circumstances,
): Proved {
  const structure = structureFor(test.program, model, bound);
  if ('reason' in structure) return structure;
  const unsettled = unsettledGuess(structure);
  if (unsettled !== undefined) return { reason: unsettled };
  const query = stateQuery(test, index);
  const claim: Claim = {
    open: openIn(structure),
    model: modelOver(structure, model),
    condition: query.condition,
    asked: query.quantifier !== 'forall',
  };
  const heading: Heading = {
    ...digests,
    test: test.name,
    model: model.name,
    query: index,
    asked: showQuery(query),
    bound: structure.bound,
  };
  const head: Head = { heading, listing: listingOf(structure) };
  if (format === 'clauses') return inClauses(claim, head, remora);
  const made = makeProof(claim);
  if ('proof' in made) {
    const proof = withSteps(claim, made.proof);
    return { tree: printCertificate({ ...head, proof }) };
  }
  // Where the tree ends in an execution, the verdict is wrong: whoever came to it is not asked again.
  return made.execution ? { reason: made.reason } : inClauses(claim, head, remora);
}

function inClauses({ open, model, condition, asked }: Claim, head: Head, remora: string): Proved {
  const encoded = clausesOf(open.structure, model, condition, asked);
  if ('reason' in encoded) return encoded;
  const refuted = refute(encoded);
  if ('reason' in refuted) return refuted;
  const { clauses, variables } = encoded;
  const { cycles, steps } = refuted;
  return {
    clauses: printClauses({ ...head, remora, variables, clauses, cycles }),
    steps: printSteps(steps),
  };
}
