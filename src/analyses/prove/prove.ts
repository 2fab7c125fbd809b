import { structureFor } from '../../check/structure.js';
import { modelOver } from '../../program/events/narrow.js';
import { openIn } from '../../program/events/open.js';
import type { Test } from '../../program/program.js';
import { stateQuery } from '../../program/program.js';
import { showQuery } from '../../program/print.js';
import { makeProof } from '../../proof/make.js';
import type { Heading } from '../../proof/text.js';
import { listingOf } from '../../proof/listing.js';
import { leavesOf, printCertificate } from '../../proof/text.js';
import type { Circumstances } from '../circumstances.js';
import { withSteps } from './steps.js';

/** A query with the answer no: no execution is as it asks for, or, with `forall`, as it must not be. */
export interface ProveInput {
  readonly test: Test;
  readonly query: number;
  /** What texts it is about. */
  readonly digests: Pick<Heading, 'program' | 'modelDigest'>;
}

/** The proof as text and its leaves, or why there is none. */
export type Proved =
  { readonly certificate: string; readonly leaves: number } | { readonly reason: string };

/** Makes a proof for "forbidden" or "holds" under the model (docs/proofs.md). */
export function prove(
  { test, query: index, digests }: ProveInput,
  { models: [model], bound }: Circumstances,
): Proved {
  const structure = structureFor(test.program, model, bound);
  if ('reason' in structure) return structure;
  const query = stateQuery(test, index);
  const claim = {
    open: openIn(structure),
    model: modelOver(structure, model),
    condition: query.condition,
    asked: query.quantifier !== 'forall',
  };
  const made = makeProof(claim);
  if ('reason' in made) return made;
  const proof = withSteps(claim, made.proof);
  const heading: Heading = {
    ...digests,
    test: test.name,
    model: model.name,
    query: index,
    asked: showQuery(query),
    bound: structure.bound,
  };
  const certificate = printCertificate({ heading, listing: listingOf(structure), proof });
  return { certificate, leaves: leavesOf(proof) };
}
